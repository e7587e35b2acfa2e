//! Writing JSON: commas and quotes are taken care of, and what a peer wrote is spliced in as it stands.

use std::borrow::Cow;

use crate::json::{JsonStr, Value, write_quoted};

/// A JSON text that is being written. After [`Json::key`] comes exactly one value; whoever opens a bracket closes it.
#[derive(Debug)]
pub(super) struct Json {
    out: String,
    /// The next value needs no comma: it is the first, or follows its key.
    fresh: bool,
    /// A lone surrogate was replaced.
    replaced: bool,
}

impl Json {
    /// An empty text with room for `capacity` bytes, so that a large image is moved once.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { out: String::with_capacity(capacity), fresh: true, replaced: false }
    }

    /// `{` or `[`.
    pub(super) fn open(&mut self, bracket: char) {
        self.comma();
        self.out.push(bracket);
        self.fresh = true;
    }

    /// `}` or `]`.
    pub(super) fn close(&mut self, bracket: char) {
        self.out.push(bracket);
        self.fresh = false;
    }

    /// A key of ours, which needs no escapes.
    pub(super) fn key(&mut self, name: &str) -> &mut Self {
        self.raw_key(name)
    }

    /// A key as it stands between its quotes, escapes and all.
    pub(super) fn raw_key(&mut self, raw: &str) -> &mut Self {
        self.comma();
        for piece in ["\"", raw, "\":"] {
            self.out.push_str(piece);
        }
        self.fresh = true;
        self
    }

    /// A value whose JSON text is ours.
    pub(super) fn raw(&mut self, json: &str) {
        self.comma();
        self.out.push_str(json);
    }

    /// A value of a peer, as it stands; see [`well_formed`].
    pub(super) fn value(&mut self, value: Value<'_>) {
        let text = well_formed(value.raw());
        self.replaced |= matches!(text, Cow::Owned(_));
        self.raw(&text);
    }

    /// A string of ours.
    pub(super) fn text(&mut self, text: &str) {
        self.comma();
        write_quoted(&mut self.out, text);
    }

    /// A string of a peer, as it stands; see [`well_formed`].
    pub(super) fn token(&mut self, token: JsonStr<'_>) {
        self.joined(&[token.raw()]);
    }

    /// One string out of pieces that stand as if between quotes: escapes of peers stay what they are.
    pub(super) fn joined(&mut self, pieces: &[&str]) {
        self.comma();
        self.out.push('"');
        for piece in pieces {
            let text = well_formed(piece);
            self.replaced |= matches!(text, Cow::Owned(_));
            self.out.push_str(&text);
        }
        self.out.push('"');
    }

    /// As [`Json::joined`], for pieces that were checked to be base64: no second look at them.
    pub(super) fn joined_unchecked(&mut self, pieces: &[&str]) {
        self.comma();
        self.out.push('"');
        pieces.iter().for_each(|piece| self.out.push_str(piece));
        self.out.push('"');
    }

    /// The JSON text of a peer's value, as the content of a string.
    pub(super) fn quoted(&mut self, value: Value<'_>) {
        let text = well_formed(value.raw());
        self.replaced |= matches!(text, Cow::Owned(_));
        self.text(&text);
    }

    /// A whole number.
    pub(super) fn number(&mut self, number: i64) {
        self.raw(&number.to_string());
    }

    /// True if some peer's string held half of a surrogate pair, which no UTF-8 text can carry.
    pub(super) fn replaced_surrogates(&self) -> bool {
        self.replaced
    }

    /// Remembers what was replaced in a text that goes into this one.
    pub(super) fn note_replaced(&mut self, part: &Self) {
        self.replaced |= part.replaced;
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.out
    }

    fn comma(&mut self) {
        if !std::mem::take(&mut self.fresh) {
            self.out.push(',');
        }
    }
}

/// JSON text in which each escaped half of a surrogate pair is replaced by U+FFFD. Providers answer 400 to such text,
/// as most JSON readers of theirs decode strictly.
pub(super) fn well_formed(raw: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = raw.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        let length = escape_length(raw.get(at..).unwrap_or_default());
        if length == 0 {
            out.push_str(raw.get(copied..at).unwrap_or_default());
            out.push_str("\\ufffd");
            copied = at + 6;
        }
        at += if length == 0 { 6 } else { length };
    }
    if copied == 0 {
        return Cow::Borrowed(raw);
    }
    out.push_str(raw.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// How long the escape is that `text` begins with; 12 for a surrogate pair, 0 for half of one.
fn escape_length(text: &str) -> usize {
    match code_unit(text) {
        None => 2,
        Some(0xd800..0xdc00) => match text.get(6..).and_then(code_unit) {
            Some(0xdc00..0xe000) => 12,
            _ => 0,
        },
        Some(0xdc00..0xe000) => 0,
        Some(_) => 6,
    }
}

/// The UTF-16 code unit of the `\u` escape that `text` begins with.
pub(super) fn code_unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// True if a string holds nothing but blanks. `inner` is what stands between its quotes; of a long text only the start
/// is looked at.
pub(super) fn is_blank(inner: &str) -> bool {
    let mut rest = inner;
    loop {
        let trimmed = rest.trim_start();
        let trimmed = after_blank(trimmed).unwrap_or(trimmed);
        if trimmed.len() == rest.len() {
            return rest.is_empty();
        }
        rest = trimmed;
    }
}

/// What comes after an escaped blank.
fn after_blank(inner: &str) -> Option<&str> {
    let short = ["\\n", "\\t", "\\r", "\\f"].iter().find_map(|escape| inner.strip_prefix(escape));
    short.or_else(|| {
        let is_blank = code_unit(inner).and_then(char::from_u32).is_some_and(char::is_whitespace);
        inner.get(6..).filter(|_| is_blank)
    })
}

/// What stands between the quotes of a string, without the blanks at its end.
pub(super) fn trim_end(inner: &str) -> &str {
    let mut rest = inner.trim_end();
    while let Some(before) = rest.strip_suffix(['n', 't', 'r']).filter(|before| ends_in_open_backslash(before)) {
        rest = before.strip_suffix('\\').unwrap_or(before).trim_end();
    }
    rest
}

/// True if the last character is a backslash that begins an escape, and not the end of one.
fn ends_in_open_backslash(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn commas_and_quotes() {
        let document = Document::from_text(r#"{ "a": [1.0, "\u0041"] }"#.into()).unwrap();
        let mut json = Json::with_capacity(0);
        json.open('{');
        json.key("x").value(document.root());
        json.key("y").open('[');
        json.text("\"");
        json.number(-3);
        json.quoted(document.root().get("a").unwrap());
        json.close(']');
        json.key("z").open('{');
        json.close('}');
        json.close('}');
        assert_eq!(json.finish(), r#"{"x":{ "a": [1.0, "\u0041"] },"y":["\"",-3,"[1.0, \"\\u0041\"]"],"z":{}}"#);
    }

    #[test]
    fn lone_surrogates_are_replaced() {
        for (text, expected) in [
            (r"plain", r"plain"),
            (r"\ud83d\ude00 \n \u00e9", r"\ud83d\ude00 \n \u00e9"),
            (r"\ud83d", r"\ufffd"),
            (r"\ude00x", r"\ufffdx"),
            (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00"),
            (r"\\ud83d", r"\\ud83d"),
            (r"\\\uDC00\\", r"\\\ufffd\\"),
            (r"\ud83d\n", r"\ufffd\n"),
        ] {
            assert_eq!(well_formed(text), expected, "{text}");
        }
    }

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
