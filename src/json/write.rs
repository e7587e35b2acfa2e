//! Writing tokens, and splicing those that came from elsewhere.

use super::scan::plain_run;
use super::string::{LETTERS, MEANINGS};
use crate::error::part;

/// `text` as a JSON string, quotes included.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_quoted(&mut out, text);
    out
}

/// Appends `text` to `out` as a JSON string, quotes included.
pub fn write_quoted(out: &mut String, text: &str) {
    out.push_str("\"");
    let mut at = 0;
    while let Some(rest) = text.as_bytes().get(at..) {
        let run = plain_run(rest);
        out.push_str(part(text, at, at + run));
        at += run;
        let Some(byte) = rest.get(run) else { break };
        let letter = MEANINGS.iter().position(|meaning| meaning == byte);
        let (begin, letters, place) = match letter {
            Some(place) => ("\\", LETTERS, place),
            None => (if *byte < 0x10 { "\\u000" } else { "\\u001" }, DIGITS, usize::from(*byte & 0xf)),
        };
        out.push_str(begin);
        push_letter(out, letters, place);
        at += 1;
    }
    out.push_str("\"");
}

/// Appends a key that is already a token's inside, and its colon, to an object that was begun with `{`.
pub fn push_key(out: &mut String, raw_key: &str) {
    push_comma(out);
    out.push_str("\"");
    out.push_str(raw_key);
    out.push_str("\":");
}

/// Appends an item that is already a token to an array that was begun with `[`.
pub fn push_item(out: &mut String, raw: &str) {
    push_comma(out);
    out.push_str(raw);
}

/// Appends a comma, but for the first member or item. No value ends as these begin.
#[inline(never)]
fn push_comma(out: &mut String) {
    out.push_str(if matches!(out.as_bytes(), [.., b'{' | b'[']) { "" } else { "," });
}

/// Appends a member, both of whose parts are already tokens, to an object that was begun with `{`.
pub fn push_member(out: &mut String, raw_key: &str, raw_value: &str) {
    push_key(out, raw_key);
    out.push_str(raw_value);
}

/// As [`push_member`], with a value that is a string.
#[inline(never)]
pub fn push_text(out: &mut String, raw_key: &str, text: &str) {
    push_key(out, raw_key);
    write_quoted(out, text);
}

/// A number in decimal. `to_string` would bring the machinery of formatting, with its widths and paddings.
pub fn decimal(number: i64) -> String {
    let mut out = String::from(if number < 0 { "-" } else { "" });
    push_digits(&mut out, number.unsigned_abs());
    out
}

/// As [`decimal`], for what may be larger.
pub fn digits(number: u64) -> String {
    let mut out = const { String::new() };
    push_digits(&mut out, number);
    out
}

fn push_digits(out: &mut String, number: u64) {
    if number > 9 {
        push_digits(out, number / 10);
    }
    push_letter(out, DIGITS, (number % 10) as usize);
}

const DIGITS: &str = "0123456789abcdef";

/// Appends the ASCII character that is at this place.
#[inline(never)]
pub(crate) fn push_letter(out: &mut String, letters: &str, at: usize) {
    out.push_str(part(letters, at, at + 1));
}

/// The texts as one. That of the standard library is generic.
#[inline(never)]
pub(crate) fn concat(parts: &[&str]) -> String {
    let mut length = 0;
    for part in parts {
        length += part.len();
    }
    let mut out = String::with_capacity(length);
    for part in parts {
        out.push_str(part);
    }
    out
}
