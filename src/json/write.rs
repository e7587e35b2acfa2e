//! Writing string tokens.

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
