//! String tokens: compared by what they mean, kept as they were written.

use std::borrow::Cow;
use std::fmt;

/// A JSON string as it stands in the document. Equality is by meaning (`"\u0041"` equals `"A"`), and holds for lone
/// surrogates too, which no Rust string can carry.
#[derive(Clone, Copy)]
pub struct JsonStr<'d> {
    inner: &'d str,
    escaped: bool,
}

impl<'d> JsonStr<'d> {
    pub(super) fn new(inner: &'d str, escaped: bool) -> Self {
        Self { inner, escaped }
    }

    /// The text between the quotes, escapes and all.
    pub fn raw(self) -> &'d str {
        self.inner
    }

    /// The text it stands for. A lone surrogate becomes U+FFFD: use this for messages, not for passing on.
    pub fn decode(self) -> Cow<'d, str> {
        match self.meaning() {
            Cow::Borrowed(_) => Cow::Borrowed(self.inner),
            Cow::Owned(bytes) => Cow::Owned(replace_surrogates(bytes)),
        }
    }

    /// True if the string is `""`.
    pub fn is_empty(self) -> bool {
        self.inner.is_empty()
    }

    /// The meaning as bytes: UTF-8, except that a lone surrogate keeps its three-byte form, so that different strings
    /// stay different. For comparing, sorting and hashing.
    pub fn meaning(self) -> Cow<'d, [u8]> {
        if self.escaped { Cow::Owned(unescape(self.inner)) } else { Cow::Borrowed(self.inner.as_bytes()) }
    }
}

impl PartialEq for JsonStr<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.meaning() == other.meaning()
    }
}

impl Eq for JsonStr<'_> {}

impl PartialEq<str> for JsonStr<'_> {
    fn eq(&self, other: &str) -> bool {
        if self.escaped { self.meaning() == other.as_bytes() } else { self.inner == other }
    }
}

impl PartialEq<&str> for JsonStr<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Debug for JsonStr<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{}\"", self.inner)
    }
}

/// Puts U+FFFD, which has three bytes too, in the place of each lone surrogate.
fn replace_surrogates(mut bytes: Vec<u8>) -> String {
    const REPLACEMENT: [u8; 3] = [0xef, 0xbf, 0xbd];
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(bytes.get(from..).unwrap_or_default()) {
        let at = from + error.valid_up_to();
        bytes.iter_mut().skip(at).zip(REPLACEMENT).for_each(|(byte, replacement)| *byte = replacement);
        from = at + REPLACEMENT.len();
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn unescape(inner: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((plain, after)) = rest.split_once('\\') {
        out.extend_from_slice(plain.as_bytes());
        rest = one_escape(after, &mut out);
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

/// Decodes the escape that follows a backslash and returns what comes after it. The scanner has checked the form.
fn one_escape<'t>(after: &'t str, out: &mut Vec<u8>) -> &'t str {
    let mut chars = after.chars();
    let plain = match chars.next() {
        Some('u') => return unicode_escape(chars.as_str(), out),
        Some('b') => 0x08,
        Some('f') => 0x0c,
        Some('n') => b'\n',
        Some('r') => b'\r',
        Some('t') => b'\t',
        Some('/') => b'/',
        Some('\\') => b'\\',
        _ => b'"',
    };
    out.push(plain);
    chars.as_str()
}

fn unicode_escape<'t>(after: &'t str, out: &mut Vec<u8>) -> &'t str {
    let (first, rest) = hex(after);
    let second = rest.strip_prefix("\\u").map(hex);
    match second {
        Some((low @ 0xdc00..=0xdfff, rest)) if (0xd800..0xdc00).contains(&first) => {
            push_code_point(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00), out);
            rest
        }
        _ => {
            push_code_point(first, out);
            rest
        }
    }
}

fn hex(text: &str) -> (u32, &str) {
    let digits = text.get(..4).unwrap_or_default();
    (u32::from_str_radix(digits, 16).unwrap_or(0xfffd), text.get(4..).unwrap_or_default())
}

/// UTF-8, generalised to surrogates.
fn push_code_point(code: u32, out: &mut Vec<u8>) {
    match char::from_u32(code) {
        Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        None => {
            out.extend_from_slice(&[0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 63) as u8, 0x80 | (code & 63) as u8])
        }
    }
}
