//! Writing tokens, and splicing those that came from elsewhere.

use super::scan::plain_run;
use super::string::{LETTERS, MEANINGS, counterpart};

/// `text` as a JSON string, quotes included.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_quoted(&mut out, text);
    out
}

/// Appends `text` to `out` as a JSON string, quotes included.
pub fn write_quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_at_checked(plain_run(rest.as_bytes())) {
        out.push_str(plain);
        let Some(byte) = escaped.as_bytes().first() else { break };
        out.push('\\');
        let letter = counterpart(*byte, MEANINGS, LETTERS);
        if letter < b' ' {
            out.push_str(if letter < 0x10 { "u000" } else { "u001" });
            out.push(char::from_digit(u32::from(letter & 0xf), 16).unwrap_or_default());
        } else {
            out.push(char::from(letter));
        }
        rest = escaped.get(1..).unwrap_or_default();
    }
    out.push('"');
}

/// Appends a key that is already a token's inside, and its colon, to an object that was begun with `{`.
pub fn push_key(out: &mut String, raw_key: &str) {
    // No value ends in an opening brace, so this brace is the object's own.
    out.push_str(if out.ends_with('{') { "\"" } else { ",\"" });
    out.push_str(raw_key);
    out.push_str("\":");
}

/// Appends a member, both of whose parts are already tokens, to an object that was begun with `{`.
pub fn push_member(out: &mut String, raw_key: &str, raw_value: &str) {
    push_key(out, raw_key);
    out.push_str(raw_value);
}

/// A number in decimal. `to_string` would bring the machinery of formatting, with its widths and paddings.
pub fn decimal(number: i64) -> String {
    let digits = digits(number.unsigned_abs());
    if number < 0 { ["-", &digits].concat() } else { digits }
}

/// As [`decimal`], for what may be larger.
pub fn digits(number: u64) -> String {
    let mut out = String::new();
    push_digits(&mut out, number);
    out
}

fn push_digits(out: &mut String, number: u64) {
    if number > 9 {
        push_digits(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}
