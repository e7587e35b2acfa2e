//! String tokens: compared by what they mean, kept as they were written.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use super::Value;
use super::scan::plain_run;

/// A JSON string as it stands in the document. Equality is by meaning (`"\u0041"` equals `"A"`), and holds for lone
/// surrogates too, which no Rust string can carry.
#[derive(Clone, Copy)]
pub struct JsonStr<'d>(Value<'d>);

impl<'d> JsonStr<'d> {
    /// For values that are strings.
    pub(super) fn new(value: Value<'d>) -> Self {
        Self(value)
    }

    /// The text between the quotes, escapes and all.
    pub fn raw(self) -> &'d str {
        self.0.inside()
    }

    /// The text it stands for. A lone surrogate becomes U+FFFD: use this for messages, not for passing on.
    pub fn decode(self) -> Cow<'d, str> {
        if self.0.has_escapes() {
            Cow::Owned(String::from_utf8(unescape(self.raw(), true)).unwrap_or_default())
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    /// True if the string is `""`.
    pub fn is_empty(self) -> bool {
        self.raw().is_empty()
    }

    /// The meaning as bytes: UTF-8, except that a lone surrogate keeps its three-byte form, so that different strings
    /// stay different. For comparing, sorting and hashing.
    pub fn meaning(self) -> Cow<'d, [u8]> {
        self.0.meaning()
    }
}

impl<'d> JsonStr<'d> {
    pub(crate) fn value(self) -> Value<'d> {
        self.0
    }

    /// For comparing it often.
    pub(crate) fn key(self) -> Key<'d> {
        Key { raw: self.raw(), has_escapes: self.0.has_escapes() }
    }
}

/// A string away from its document, in the order of the meanings.
#[derive(Clone, Copy)]
pub(crate) struct Key<'d> {
    raw: &'d str,
    has_escapes: bool,
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.has_escapes || other.has_escapes {
            return unescape(self.raw, false).cmp(&unescape(other.raw, false));
        }
        self.raw.cmp(other.raw)
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key<'_> {}

impl PartialEq for JsonStr<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for JsonStr<'_> {}

impl PartialEq<str> for JsonStr<'_> {
    #[inline(always)]
    fn eq(&self, other: &str) -> bool {
        self.0.is_text(other)
    }
}

impl PartialEq<&str> for JsonStr<'_> {
    #[inline(always)]
    fn eq(&self, other: &&str) -> bool {
        self.0.is_text(other)
    }
}

impl fmt::Debug for JsonStr<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Decodes the escapes of a text that the scanner has checked. `lossy` puts U+FFFD in the place of each lone surrogate.
pub(super) fn unescape(text: &str, lossy: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    loop {
        let (plain, escape) = rest.split_at(plain_run(rest));
        out.extend_from_slice(plain);
        let [_, letter, after @ ..] = escape else { return out };
        rest = after;
        match letter {
            b'u' => push_code_point(&mut out, code_point(&mut rest, lossy)),
            letter => {
                let at = LETTERS.as_bytes().iter().position(|known| known == letter);
                out.push(at.and_then(|at| MEANINGS.get(at)).copied().unwrap_or(*letter));
            }
        }
    }
}

/// The letters of the short escapes, and what they stand for.
pub(super) const LETTERS: &str = "\"\\bfnrt";
pub(super) const MEANINGS: &[u8; 7] = b"\"\\\x08\x0c\n\r\t";

/// Takes the digits of one `\u`, or of two that are a pair.
fn code_point(rest: &mut &[u8], lossy: bool) -> u32 {
    let code = hex(rest);
    *rest = rest.get(4..).unwrap_or_default();
    if code & 0xf800 != 0xd800 {
        return code;
    }
    let low = if let [b'\\', b'u', digits @ ..] = rest { hex(digits) } else { 0 };
    if code & 0x0400 == 0 && low & 0xfc00 == 0xdc00 {
        *rest = rest.get(6..).unwrap_or_default();
        return 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
    }
    if lossy { 0xfffd } else { code }
}

fn hex(digits: &[u8]) -> u32 {
    let mut code = 0;
    for digit in digits.iter().take(4) {
        let value = if *digit > b'9' { digit + 9 } else { *digit };
        code = code << 4 | u32::from(value & 0xf);
    }
    code
}

/// UTF-8, generalised to surrogates.
fn push_code_point(out: &mut Vec<u8>, code: u32) {
    let (lead, mut shift) = match code {
        0..0x80 => (0, 0),
        0x80..0x800 => (0xc0, 6),
        0x800..0x10000 => (0xe0, 12),
        _ => (0xf0, 18),
    };
    out.push(lead | (code >> shift) as u8);
    while shift > 0 {
        shift -= 6;
        out.push(0x80 | (code >> shift & 0x3f) as u8);
    }
}
