//! Blanks, also where they are escaped.

use crate::error::part;

use super::body::code_unit;

/// True if a string holds nothing but blanks. `inner` is what stands between its quotes; of a long text only the start
/// is looked at.
#[inline(never)]
pub(super) fn is_blank(inner: &str) -> bool {
    let mut rest = inner;
    loop {
        let trimmed = trim_start(rest);
        let trimmed = after_blank(trimmed).unwrap_or(trimmed);
        if trimmed.len() == rest.len() {
            return rest.is_empty();
        }
        rest = trimmed;
    }
}

/// What comes after an escaped blank.
fn after_blank(inner: &str) -> Option<&str> {
    if let [b'\\', b'n' | b't' | b'r' | b'f', ..] = inner.as_bytes() {
        return inner.get(2..);
    }
    let is_blank = char::from_u32(code_unit(inner.as_bytes())).is_some_and(char::is_whitespace);
    inner.get(6..).filter(|_| is_blank)
}

/// What stands between the quotes of a string, without the blanks at its end.
pub(super) fn trim_end(inner: &str) -> &str {
    let mut rest = plain_trim_end(inner);
    while let [before @ .., b'n' | b't' | b'r'] = rest.as_bytes() {
        // A backslash that begins an escape, and is not the end of one.
        let (mut before, mut escapes) = (before, false);
        while let [more @ .., b'\\'] = before {
            (before, escapes) = (more, !escapes);
        }
        if !escapes {
            break;
        }
        rest = plain_trim_end(rest.get(..rest.len() - 2).unwrap_or_default());
    }
    rest
}

/// The text without the blanks at its start.
#[inline(never)]
pub(super) fn trim_start(text: &str) -> &str {
    let mut characters = text.chars();
    loop {
        let rest = characters.as_str();
        if !characters.next().is_some_and(char::is_whitespace) {
            return rest;
        }
    }
}

/// The text without the blanks at its end.
#[inline(never)]
pub(super) fn plain_trim_end(text: &str) -> &str {
    let (mut rest, mut at) = (text, text.len());
    while at > 0 {
        at -= 1;
        // Not within a character.
        let Some(last) = rest.get(at..) else { continue };
        if !trim_start(last).is_empty() {
            break;
        }
        rest = part(rest, 0, at);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn blanks() {
        for (text, blank, trimmed) in [
            ("", true, ""),
            (r" \n\t ", true, ""),
            (r" a \n ", false, " a"),
            (r"a\\n", false, r"a\\n"),
            (r"a\\\n", false, r"a\\"),
            (r"\u0041", false, r"\u0041"),
            (r"\f\u000b \u2003", true, r"\f\u000b \u2003"),
        ] {
            assert_eq!((is_blank(text), trim_end(text)), (blank, trimmed), "{text}");
        }
    }
}
