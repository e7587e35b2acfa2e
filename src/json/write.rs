//! Writing tokens, and splicing those that came from elsewhere.

/// `text` as a JSON string, quotes included.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_quoted(&mut out, text);
    out
}

/// Appends `text` to `out` as a JSON string, quotes included.
pub fn write_quoted(out: &mut String, text: &str) {
    // Serializing a `str` into memory cannot fail.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// Appends a key that is already a token's inside, and its colon, to an object that was begun with `{`.
pub fn push_key(out: &mut String, raw_key: &str) {
    // No value ends in an opening brace, so this brace is the object's own.
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push('"');
    out.push_str(raw_key);
    out.push_str("\":");
}

/// Appends a member, both of whose parts are already tokens, to an object that was begun with `{`.
pub fn push_member(out: &mut String, raw_key: &str, raw_value: &str) {
    push_key(out, raw_key);
    out.push_str(raw_value);
}
