//! The headers of a request, which say again what its body says.
//! Specification: basic/transports/streamable-http, "Request Metadata".
//!
//! They are written as one text, a name and its value in a line each, since neither can hold a line break.

use super::request::VERSION_KEY;
use crate::json::{Kind, Value, push_letter};
use crate::revision::Revision;

/// Revision, method, and the name or URI that the method is about. Before 2026-07-28 only the revision, once it is
/// agreed on: `initialize` agrees on it, and an empty method stands for messages that are no requests.
pub fn request_headers(out: &mut String, revision: Revision, method: &str, params: Option<Value<'_>>) {
    const VERSION: &str = "MCP-Protocol-Version";
    if !revision.is_modern() {
        if *method != *"initialize" {
            push_header(out, VERSION, revision.as_str());
        }
        return;
    }
    // A caller's own `_meta` wins in the body, and the header must equal the body.
    let version = params.map(|params| params.at("_meta").at(VERSION_KEY)).filter(|version| version.is(Kind::String));
    push_header(out, VERSION, &version.map_or_else(|| revision.as_str().to_owned(), Value::text));
    push_header(out, "Mcp-Method", method);
    let name = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return,
    };
    if let Some(name) = params.map(|params| params.at(name)).filter(|name| name.is(Kind::String)) {
        push_header(out, "Mcp-Name", &name.text());
    }
}

/// Appends a header. The value is the text as it may stand there: itself if it is plain ASCII without blanks at its
/// ends, else Base64 of its UTF-8 between marks. Text that looks like the marked form is encoded too, so that it reads as
/// itself.
#[inline(never)]
pub fn push_header(out: &mut String, name: &str, value: &str) {
    const MARK: &str = "=?base64?";
    out.push_str(name);
    out.push_str("\n");
    let bytes = value.as_bytes();
    let printable = bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
    if !printable || matches!(bytes, [b' ', ..] | [.., b' ']) || value.starts_with(MARK) {
        out.push_str(MARK);
        push_base64(out, bytes);
        out.push_str("?=");
    } else {
        out.push_str(value);
    }
    out.push_str("\n");
}

/// Base64 as in RFC 4648, with its padding.
fn push_base64(out: &mut String, bytes: &[u8]) {
    for group in bytes.chunks(3) {
        let mut bits: u32 = 0;
        for at in 0..3 {
            bits = bits << 8 | u32::from(group.get(at).copied().unwrap_or_default());
        }
        for at in 0..4 {
            let six = if at > group.len() { 64 } else { bits >> 18 & 63 };
            push_letter(out, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", six as usize);
            bits <<= 6;
        }
    }
}
