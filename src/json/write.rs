//! Writing tokens, and splicing those that came from elsewhere.

use super::scan::plain_run;

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
        let Some(byte) = escaped.bytes().next() else { break };
        write_escape(out, byte);
        rest = escaped.get(1..).unwrap_or_default();
    }
    out.push('"');
}

fn write_escape(out: &mut String, byte: u8) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => b'u',
    };
    out.push('\\');
    out.push(char::from(letter));
    if letter == b'u' {
        out.push_str(if byte < 0x10 { "000" } else { "001" });
        out.push(char::from_digit(u32::from(byte & 0xf), 16).unwrap_or_default());
    }
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
