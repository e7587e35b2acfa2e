//! The headers of a request, which say again what its body says.
//! Specification: basic/transports/streamable-http, "Request Metadata".

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::request::VERSION_KEY;
use crate::json::Value;
use crate::revision::Revision;

/// Revision, method, and the name or URI that the method is about. Before 2026-07-28 only the revision, once it is
/// agreed on: `initialize` agrees on it, and an empty method stands for messages that are no requests.
pub fn request_headers(revision: Revision, method: &str, params: Option<Value<'_>>) -> Vec<(&'static str, String)> {
    if !revision.is_modern() {
        let agreed = method != "initialize";
        return agreed.then(|| ("MCP-Protocol-Version", revision.as_str().to_owned())).into_iter().collect();
    }
    let text = |value: Option<Value<'_>>| value.and_then(Value::as_str).map(|text| header_value(&text.decode()));
    // A caller's own `_meta` wins in the body, and the header must equal the body.
    let version = text(params.and_then(|params| params.get("_meta")?.get(VERSION_KEY)));
    let version = version.unwrap_or_else(|| revision.as_str().to_owned());
    let mut headers = vec![("MCP-Protocol-Version", version), ("Mcp-Method", header_value(method))];
    let named = match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    };
    if let Some(name) = text(named.and_then(|member| params?.get(member))) {
        headers.push(("Mcp-Name", name));
    }
    headers
}

/// The text as it may stand in a header: itself if it is plain ASCII without blanks at its ends, else Base64 of its
/// UTF-8 between marks. Text that looks like the marked form is encoded too, so that it reads as itself.
pub fn header_value(text: &str) -> String {
    let printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if printable && text.trim_matches(' ') == text && !text.starts_with("=?base64?") {
        return text.to_owned();
    }
    let mut marked = String::from("=?base64?");
    marked.push_str(&STANDARD.encode(text));
    marked.push_str("?=");
    marked
}
