//! Writing JSON: commas and quotes are taken care of, and what a peer wrote is spliced in as it stands.

use crate::error::{before, part};
use crate::json::{JsonStr, Value, plain_run, write_quoted};
use crate::lines;

use super::failure::is_among;

/// A JSON text that is being written, or some members or items of one.
#[derive(Debug)]
pub(super) struct Json {
    out: String,
    /// A lone surrogate was replaced.
    pub(super) replaced: bool,
}

impl Default for Json {
    #[inline(always)]
    fn default() -> Self {
        const { Self::EMPTY }
    }
}

impl Json {
    pub(super) const EMPTY: Self = Self { out: String::new(), replaced: false };

    /// A text that begins with this.
    #[inline(never)]
    pub(super) fn begin(text: &str) -> Self {
        let mut json = Self::default();
        json.out.push_str(text);
        json
    }

    /// An empty text with room for `capacity` bytes, so that a large image is moved once.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { out: String::with_capacity(capacity), replaced: false }
    }

    /// Writes the next member or item, or the beginning of one, or the end of what was begun, as it stands in `form`.
    /// There each part has its place: `%r` as it is, `%v` what a peer wrote (see [`Json::well_formed`]), be it a value or what
    /// stands between quotes, `%q` a text of ours that gets its quotes, and `%j` what a peer wrote as a text.
    #[inline(never)]
    pub(super) fn put(&mut self, form: &str, parts: &[&str]) {
        self.part(form);
        self.more(form, parts);
    }

    /// Parts what comes next from what came before.
    #[inline(never)]
    fn part(&mut self, next: &str) {
        let follows = !matches!(self.out.as_bytes().last(), None | Some(b'{' | b'[' | b':'));
        if follows && !matches!(next.as_bytes().first(), Some(b'}' | b']')) {
            self.out.push_str(",");
        }
    }

    /// As [`Json::put`], for what goes on with a string.
    #[inline(never)]
    pub(super) fn more(&mut self, form: &str, parts: &[&str]) {
        let mut rest = form;
        for text in parts {
            let head = before(rest, "%");
            let at = head.len();
            self.out.push_str(head);
            match rest.as_bytes().get(at + 1) {
                Some(b'r') => self.out.push_str(text),
                Some(b'q') => write_quoted(&mut self.out, text),
                Some(b'j') => {
                    let mut inner = Self::default();
                    inner.well_formed(text);
                    self.replaced |= inner.replaced;
                    write_quoted(&mut self.out, &inner.out);
                }
                _ => self.well_formed(text),
            }
            rest = part(rest, at + 2, rest.len());
        }
        self.out.push_str(rest);
    }

    /// Adds JSON text in which each escaped half of a surrogate pair is replaced by U+FFFD. Providers answer 400 to such
    /// text, as most JSON readers of theirs decode strictly.
    #[inline(never)]
    fn well_formed(&mut self, raw: &str) {
        let (mut copied, mut at) = (0, 0);
        while let Some(rest) = raw.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
            let plain = plain_run(rest);
            at += plain;
            let length = escape_length(rest.get(plain..).unwrap_or_default());
            if length == 0 {
                self.out.push_str(part(raw, copied, at));
                self.out.push_str("\\ufffd");
                self.replaced = true;
                at += 6;
                copied = at;
            }
            at += length;
        }
        self.out.push_str(part(raw, copied, raw.len()));
    }

    /// As [`Json::put`], with one part.
    #[inline(never)]
    pub(super) fn one(&mut self, form: &str, part: &str) {
        self.put(form, &[part]);
    }

    /// As [`Json::put`], with a value as it stands.
    #[inline(never)]
    pub(super) fn value(&mut self, form: &str, value: Value<'_>) {
        self.put(form, &[value.raw()]);
    }

    /// As [`Json::put`], with two parts.
    #[inline(never)]
    pub(super) fn two(&mut self, form: &str, first: &str, second: &str) {
        self.put(form, &[first, second]);
    }

    /// As [`Json::put`], with three parts.
    #[inline(never)]
    pub(super) fn three(&mut self, form: &str, first: &str, second: &str, third: &str) {
        self.put(form, &[first, second, third]);
    }

    /// As [`Json::put`], without parts.
    #[inline(never)]
    pub(super) fn lit(&mut self, text: &str) {
        self.part(text);
        self.out.push_str(text);
    }

    /// Ends an object.
    pub(super) fn end(&mut self) {
        self.out.push('}');
    }

    /// Ends an array.
    pub(super) fn end_list(&mut self) {
        self.out.push(']');
    }

    /// Writes the members of an object of a peer, but for those with these names.
    pub(super) fn members(&mut self, object: Value<'_>, form: &str, without: &str) {
        for (key, value) in object.members() {
            if !is_among(key.value(), without) {
                self.two(form, key.raw(), value.raw());
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.out
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

/// A member of a peer's object, whose value is made well-formed.
pub(super) const MEMBER: &str = "\"%r\":%v";
/// A member as it is.
pub(super) const RAW_MEMBER: &str = "\"%r\":%r";

/// How long the escape is that `text` begins with; 12 for a surrogate pair, 0 for half of one, 1 if it is none.
fn escape_length(text: &[u8]) -> usize {
    let [b'\\', ..] = text else { return 1 };
    match code_unit(text) {
        0xd800..0xdc00 => match code_unit(text.get(6..).unwrap_or_default()) {
            0xdc00..0xe000 => 12,
            _ => 0,
        },
        0xdc00..0xe000 => 0,
        NO_UNIT => 2,
        _ => 6,
    }
}

const NO_UNIT: u32 = u32::MAX;

/// The UTF-16 code unit of the `\u` escape that `text` begins with; something larger if it begins with none.
#[inline(never)]
pub(super) fn code_unit(text: &[u8]) -> u32 {
    let [b'\\', b'u', digits @ ..] = text else { return NO_UNIT };
    let Some(digits) = digits.get(..4) else { return NO_UNIT };
    let mut unit = 0;
    for digit in digits {
        let Some(value) = char::from(*digit).to_digit(16) else { return NO_UNIT };
        unit = unit << 4 | value;
    }
    unit
}

/// The text that a string stands for. Smaller than to borrow it where that can be.
#[inline(never)]
pub(super) fn decoded(text: JsonStr<'_>) -> String {
    text.decode().into_owned()
}

/// Takes the first of the words that have blanks between them.
#[inline(never)]
pub(super) fn next_word<'w>(words: &mut &'w str) -> Option<&'w str> {
    let word = lines::until(words, b' ');
    if word.is_empty() { None } else { Some(word) }
}

/// Where `what` stands first. Small, for short texts or rare ones.
#[inline(never)]
pub(super) fn find(text: &str, what: &str) -> Option<usize> {
    let first = what.as_bytes().first().copied();
    for (at, byte) in text.as_bytes().iter().enumerate() {
        if Some(*byte) == first && text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes())) {
            return Some(at);
        }
    }
    None
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
        let (whole, item) = (document.root().raw(), document.root().get("a").unwrap().raw());
        let mut json = Json::default();
        json.lit("{");
        json.put("\"x\":%v", &[whole]);
        json.lit("\"y\":[");
        json.put("%q", &["\""]);
        json.put("%r", &["-3"]);
        json.put("%j", &[item]);
        json.end_list();
        json.put("\"z\":{\"%v\":%r,%q:\"100%\"}", &[r"\ud800", "1", "k"]);
        json.end();
        let expected =
            r#"{"x":{ "a": [1.0, "\u0041"] },"y":["\"",-3,"[1.0, \"\\u0041\"]"],"z":{"\ufffd":1,"k":"100%"}}"#;
        assert!(json.replaced);
        assert_eq!(json.finish(), expected);
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
            let mut json = Json::default();
            json.well_formed(text);
            assert_eq!((json.replaced, json.finish()), (text != expected, expected.to_owned()), "{text}");
        }
    }
}
