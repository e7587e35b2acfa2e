//! The wire: what goes out, byte for byte. Rule ids are those of the catalogue of client behaviours (N, H).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use mcp_sampling::json::Document;
use mcp_sampling::revision::Revision;
use mcp_sampling::wire::http::{push_header, request_headers};
use mcp_sampling::wire::{Envelope, Outgoing, cancelled, initialize_params, notification};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn envelope(revision: Revision) -> Envelope<'static> {
    Envelope { revision, client_info: r#"{"name":"c"}"#, client_capabilities: "{}" }
}

/// The body of a request with these members of `params`, and this `_meta` of the caller.
fn written(members: &str, meta: Option<&str>, wants_progress: bool, revision: Revision) -> String {
    let meta = meta.map(parse);
    let meta = meta.as_ref().map(Document::root);
    let outgoing = Outgoing { id: 7, method: "tools/call", meta, wants_progress };
    outgoing.write(envelope(revision), |out| out.push_str(members))
}

const ENVELOPE: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c"},"io.modelcontextprotocol/clientCapabilities":{}"#;

#[test]
fn a_request_is_written_byte_for_byte() {
    for (members, meta, wants_progress, params) in [
        ("", None, false, format!(r#"{{"_meta":{{{ENVELOPE}}}}}"#)),
        (r#""a":1.0"#, None, false, format!(r#"{{"a":1.0,"_meta":{{{ENVELOPE}}}}}"#)),
        (r#""a":"{""#, None, false, format!(r#"{{"a":"{{","_meta":{{{ENVELOPE}}}}}"#)),
        ("", Some(r#"{"x":1.0,"":"{"}"#), false, format!(r#"{{"_meta":{{"x":1.0,"":"{{",{ENVELOPE}}}}}"#)),
        ("", Some("[]"), false, format!(r#"{{"_meta":{{{ENVELOPE}}}}}"#)),
        ("", None, true, format!(r#"{{"_meta":{{{ENVELOPE},"progressToken":7}}}}"#)),
        ("", Some(r#"{"progressToken":"p"}"#), true, format!(r#"{{"_meta":{{{ENVELOPE},"progressToken":7}}}}"#)),
        ("", Some(r#"{"progressToken":"p"}"#), false, format!(r#"{{"_meta":{{"progressToken":"p",{ENVELOPE}}}}}"#)),
    ] {
        let expected = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
        assert_eq!(written(members, meta, wants_progress, Revision::LATEST), expected);
    }
}

#[test]
fn before_2026_a_request_has_no_envelope_and_t19_a_neutral_reason_cancels_it() {
    for (members, meta, wants_progress, params) in [
        ("", None, false, "{}"),
        (r#""a":1"#, None, false, r#"{"a":1}"#),
        (r#""a":1"#, Some(r#"{"x":1}"#), true, r#"{"a":1,"_meta":{"x":1,"progressToken":7}}"#),
    ] {
        let expected = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
        assert_eq!(written(members, meta, wants_progress, Revision::V2025_11_25), expected);
    }
    let params = r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c"}}"#;
    assert_eq!(initialize_params(envelope(Revision::V2025_11_25)), params);
    assert_eq!(notification("a", ""), r#"{"jsonrpc":"2.0","method":"a"}"#);
    let expected = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"The request was cancelled"}}"#;
    assert_eq!(cancelled(7), expected);
}

#[test]
fn n16_n29_a_header_value_is_plain_ascii_or_base64() {
    for (text, value) in [
        ("summarize", "summarize"),
        ("two words, and: more!~", "two words, and: more!~"),
        ("", ""),
        (" left", "=?base64?IGxlZnQ=?="),
        ("right ", "=?base64?cmlnaHQg?="),
        ("tab\tinside", "=?base64?dGFiCWluc2lkZQ==?="),
        ("line\r\nSet-Cookie: a", "=?base64?bGluZQ0KU2V0LUNvb2tpZTogYQ==?="),
        ("\u{7f}", "=?base64?fw==?="),
        ("café", "=?base64?Y2Fmw6k=?="),
        ("日本😀", "=?base64?5pel5pys8J+YgA==?="),
        ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
        ("=?base64?", "=?base64?PT9iYXNlNjQ/?="),
        ("a =?base64?eA==?=", "a =?base64?eA==?="),
    ] {
        let mut header = String::new();
        push_header(&mut header, "Name", text);
        assert_eq!(header, format!("Name\n{value}\n"), "{text:?}");
    }
}

#[test]
fn h7_h8_n16_the_headers_of_a_request() {
    for (method, params, expected) in [
        ("tools/call", r#"{"name":"t"}"#, "2026-07-28 tools/call t"),
        ("tools/call", r#"{"name":"\u65e5"}"#, "2026-07-28 tools/call =?base64?5pel?="),
        ("tools/call", r#"{"name":"a","name":"b"}"#, "2026-07-28 tools/call b"),
        ("prompts/get", r#"{"name":"p","uri":"u"}"#, "2026-07-28 prompts/get p"),
        ("resources/read", r#"{"uri":"file:///a b"}"#, "2026-07-28 resources/read file:///a b"),
        ("tools/call", "{}", "2026-07-28 tools/call"),
        ("tools/call", r#"{"name":null}"#, "2026-07-28 tools/call"),
        ("tools/list", r#"{"name":"t","uri":"u"}"#, "2026-07-28 tools/list"),
        ("näme", "[]", "2026-07-28 =?base64?bsOkbWU=?="),
    ] {
        let params = parse(params);
        let mut headers = String::new();
        request_headers(&mut headers, Revision::LATEST, method, Some(params.root()));
        let names: Vec<_> = headers.lines().step_by(2).collect();
        assert!(["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"].starts_with(&names));
        let values: Vec<_> = headers.lines().skip(1).step_by(2).collect();
        assert_eq!(values.join(" "), expected);
    }
    let mut headers = String::new();
    request_headers(&mut headers, Revision::LATEST, "ping", None);
    assert_eq!(headers, "MCP-Protocol-Version\n2026-07-28\nMcp-Method\nping\n");
}
