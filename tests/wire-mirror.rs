//! Arguments of tools that go out as headers, and what goes wrong on the way. Rule ids are those of the catalogue of
//! client behaviours (N, H).

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use mcp_sampling::error::Error;
use mcp_sampling::json::Document;
use mcp_sampling::wire::fault::{Crossing, follows_redirect, session_hidden, unsent};
use mcp_sampling::wire::http::{Exchange, Incoming};
use mcp_sampling::wire::mirror::{KnownTools, MAX_DEPTH, MAX_MIRRORS, Mirrors, is_mismatch};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn tool(name: &str, properties: &str) -> String {
    format!(r#"{{"name":"{name}","inputSchema":{{"type":"object","properties":{properties}}}}}"#)
}

/// The headers for a call of the tool with these arguments, one a line.
fn headers(properties: &str, arguments: &str) -> String {
    let mut tools = KnownTools::default();
    let page = tools.learn(parse(&format!(r#"{{"tools":[{}]}}"#, tool("t", properties))).root());
    assert!(page.result.is_none(), "{:?}", page.warnings);
    let params = parse(&format!(r#"{{"name":"t","arguments":{arguments}}}"#));
    let mut headers = String::new();
    tools.headers(&mut headers, "tools/call", Some(params.root()));
    let lines: Vec<_> = headers.lines().collect();
    lines.chunks(2).map(|header| header.join(": ")).collect::<Vec<_>>().join("\n")
}

/// Why a tool with this schema must not be offered.
fn fault(schema: &str) -> String {
    match Mirrors::read(parse(&format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).root()) {
        Ok(_) => String::new(),
        Err(fault) => fault,
    }
}

const REGION: &str = r#"{"region":{"type":"string","x-mcp-header":"Region"}}"#;

#[test]
fn n16_n17_values_are_mirrored_as_text() {
    for (kind, value, header) in [
        ("string", r#""us-west1""#, "us-west1"),
        ("string", r#""us west 1""#, "us west 1"),
        ("string", r#""Hello, \u4e16\u754c""#, "=?base64?SGVsbG8sIOS4lueVjA==?="),
        ("string", r#"" padded ""#, "=?base64?IHBhZGRlZCA=?="),
        ("string", r#""line1\nline2""#, "=?base64?bGluZTEKbGluZTI=?="),
        ("string", r#""line1\r\nline2""#, "=?base64?bGluZTENCmxpbmUy?="),
        ("string", r#""\tx""#, "=?base64?CXg=?="),
        ("string", r#""=?base64?literal?=""#, "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("string", r#""""#, "=?base64??="),
        ("integer", "42", "42"),
        ("integer", "-7", "-7"),
        ("integer", "42.0", "42"),
        ("integer", "1e2", "100"),
        ("integer", "9007199254740991", "9007199254740991"),
        ("boolean", "true", "true"),
        ("boolean", "false", "false"),
        // What does not fit the schema is for the server to refuse.
        ("integer", "3.5", "3.5"),
        ("integer", r#""x""#, "x"),
    ] {
        let properties = format!(r#"{{"a":{{"type":"{kind}","x-mcp-header":"A"}}}}"#);
        assert_eq!(headers(&properties, &format!(r#"{{"a":{value}}}"#)), format!("Mcp-Param-A: {header}"));
    }
}

#[test]
fn n17_what_is_absent_or_no_plain_value_has_no_header() {
    for arguments in [
        "{}",
        "null",
        "[]",
        r#"{"region":null}"#,
        r#"{"region":{}}"#,
        r#"{"region":["x"]}"#,
        r#"{"region":9007199254740992}"#,
        r#"{"Region":"x"}"#,
    ] {
        assert_eq!(headers(REGION, arguments), "", "{arguments}");
    }
    assert_eq!(headers(REGION, r#"{"region":"a","region":"b","other":"c"}"#), "Mcp-Param-Region: b");
}

#[test]
fn n17_nested_arguments_are_reached_through_properties() {
    let properties = r#"{"a":{"type":"object","properties":{"b.c":{"properties":{"\u0064":{"type":"string","x-mcp-header":"Deep"}}},"e":{"type":"boolean","x-mcp-header":"Method"}}}}"#;
    let arguments = r#"{"a":{"b.c":{"d":"x"},"e":false},"d":"no"}"#;
    assert_eq!(headers(properties, arguments), "Mcp-Param-Deep: x\nMcp-Param-Method: false");
    assert_eq!(headers(properties, r#"{"a":"text"}"#), "");
    // A property may have the annotation's name.
    assert_eq!(headers(r#"{"x-mcp-header":{"type":"string"}}"#, r#"{"x-mcp-header":"x"}"#), "");
}

#[test]
fn n18_n19_a_tool_with_a_wrong_annotation_must_not_be_offered() {
    let at = |property: &str| fault(&format!(r#"{{"properties":{{"a":{property}}}}}"#));
    let name = "x-mcp-header at a must be the name of an HTTP header";
    for annotation in [r#""""#, r#""a b""#, r#""a:b""#, r#""Région""#, r#""a\t1""#, r#""a\r\nb""#, "1", "null", "{}"] {
        assert_eq!(at(&format!(r#"{{"type":"string","x-mcp-header":{annotation}}}"#)), name, "{annotation}");
    }
    let kind = "x-mcp-header at a may only stand on arguments of type string, integer or boolean";
    for wrong in [r#""object""#, r#""array""#, r#""null""#, r#""number""#, r#"["string"]"#, "1"] {
        assert_eq!(at(&format!(r#"{{"type":{wrong},"x-mcp-header":"A"}}"#)), kind, "{wrong}");
    }
    assert_eq!(at(r#"{"x-mcp-header":"A"}"#), kind);
    let annotated = r#"{"type":"string","x-mcp-header":"A"}"#;
    let place = "may only stand in schemas that are reached through 'properties' alone";
    for keyword in ["items", "contains", "additionalProperties", "not", "if", "then", "else", "propertyNames"] {
        assert_eq!(at(&format!(r#"{{"{keyword}":{annotated}}}"#)), format!("x-mcp-header at a.{keyword} {place}"));
    }
    for keyword in ["oneOf", "anyOf", "allOf", "prefixItems", "items"] {
        assert_eq!(
            at(&format!(r#"{{"{keyword}":[{{}},{annotated}]}}"#)),
            format!("x-mcp-header at a.{keyword} {place}")
        );
    }
    for keyword in ["$defs", "definitions", "patternProperties", "dependentSchemas"] {
        assert_eq!(fault(&format!(r#"{{"{keyword}":{{"d":{annotated}}}}}"#)), format!("x-mcp-header at d {place}"));
    }
    let below = format!(r#"{{"items":{{"properties":{{"b":{annotated}}}}}}}"#);
    assert_eq!(at(&below), format!("x-mcp-header at a.items.b {place}"));
    assert_eq!(fault(annotated), format!("x-mcp-header {place}"));
    let twice = |other: &str| {
        fault(&format!(r#"{{"properties":{{"a":{annotated},"b":{{"type":"string","x-mcp-header":"{other}"}}}}}}"#))
    };
    assert_eq!(twice("B"), "");
    for other in ["A", "a"] {
        assert_eq!(twice(other), "x-mcp-header at b must not name the same header twice");
    }
}

#[test]
fn schemas_as_large_as_a_server_likes_are_read_in_time() {
    let nested = |depth: usize, inner: &str| {
        [r#"{"properties":{"a":"#.repeat(depth).as_str(), inner, "}}".repeat(depth).as_str()].concat()
    };
    let annotated = r#"{"type":"string","x-mcp-header":"A"}"#;
    assert_eq!(fault(&nested(MAX_DEPTH, annotated)), "");
    assert!(fault(&nested(MAX_DEPTH + 1, annotated)).ends_with("nested too deep"));
    assert!(fault(&nested(200_000, annotated)).ends_with("nested too deep"));
    let many = |count: usize| {
        let one = |number| format!(r#""{number}":{{"type":"string","x-mcp-header":"{number}"}}"#);
        fault(&format!(r#"{{"properties":{{{}}}}}"#, (0..count).map(one).collect::<Vec<_>>().join(",")))
    };
    assert_eq!(many(MAX_MIRRORS), "");
    assert!(many(100_000).contains("one of too many"));
    assert_eq!(fault(&nested(200_000, "{}")), "");
}

#[test]
fn n18_invalid_tools_are_left_out_and_the_rest_is_as_it_came() {
    let mut tools = KnownTools::default();
    let [good, plain] = [tool("good", REGION), tool("plain", "{}")];
    let bad = tool("b\\u0061d", r#"{"a":{"type":"string","x-mcp-header":""}}"#);
    let page = parse(&format!(r#"{{"x":1.0,"tools":[{bad}, {good} ,{bad},{plain}],"nextCursor":"c"}}"#));
    let learned = tools.learn(page.root());
    assert_eq!(learned.result.unwrap(), format!(r#"{{"x":1.0,"tools":[{good},{plain}],"nextCursor":"c"}}"#));
    let why = "the tool 'bad' was left out of the list: x-mcp-header at a must be the name of an HTTP header";
    assert_eq!(learned.warnings, [why, why]);
    for result in ["{}", r#"{"tools":1}"#, r#"{"tools":[1,null,{}]}"#, "[]"] {
        assert!(tools.learn(parse(result).root()).result.is_none(), "{result}");
    }
}

#[test]
fn h9_headers_come_from_the_arguments_of_a_known_tool_alone() {
    let mut tools = KnownTools::default();
    tools.learn(parse(&format!(r#"{{"tools":[{},{}]}}"#, tool("b", REGION), tool("a", REGION))).root());
    let count = |tools: &KnownTools, method: &str, params: &str| {
        let mut headers = String::new();
        tools.headers(&mut headers, method, Some(parse(params).root()));
        headers.lines().count() / 2
    };
    assert_eq!(count(&tools, "tools/call", r#"{"name":"a","arguments":{"region":"x"}}"#), 1);
    assert_eq!(count(&tools, "tools/call", r#"{"name":"b","arguments":{"region":"x"}}"#), 1);
    assert_eq!(count(&tools, "tools/call", r#"{"name":"c","arguments":{"region":"x"}}"#), 0);
    assert_eq!(count(&tools, "prompts/get", r#"{"name":"a","arguments":{"region":"x"}}"#), 0);
    assert_eq!(count(&tools, "tools/call", r#"{"name":"a","inputResponses":{"region":"x"},"requestState":"x"}"#), 0);
    // A later list may change its mind.
    tools.learn(parse(&format!(r#"{{"tools":[{}]}}"#, tool("a", "{}"))).root());
    assert_eq!(count(&tools, "tools/call", r#"{"name":"a","arguments":{"region":"x"}}"#), 0);
    assert_eq!(count(&tools, "tools/call", r#"{"name":"b","arguments":{"region":"x"}}"#), 1);
    let mut headers = String::new();
    tools.headers(&mut headers, "tools/call", None);
    assert_eq!(headers, "");
}

#[test]
fn h14_a_mismatch_is_about_a_tool() {
    let error = Error::protocol(-32020, "no".into(), None);
    assert!(is_mismatch("tools/call", &error) && !is_mismatch("prompts/get", &error));
    assert!(!is_mismatch("tools/call", &Error::protocol(-32021, "no".into(), None)));
}

fn refused(status: u16, header: Option<&str>) -> Error {
    let mut exchange = Exchange::new(0);
    exchange.set_details(&format!("{}\nWords", header.unwrap_or_default()));
    exchange.head(status, "application/json");
    exchange.body(br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}"#.to_vec());
    match exchange.poll() {
        Some(Incoming::Failed(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn n28_a_wall_is_typed_and_says_its_challenge() {
    for (status, code) in [(401, "CLIENT_HTTP_AUTHENTICATION"), (403, "CLIENT_HTTP_FORBIDDEN")] {
        let error = refused(status, Some(r#"Bearer scope="a""#));
        assert_eq!(error.code(), code);
        assert!(error.data().contains(r#""statusText":"Words","wwwAuthenticate":"Bearer scope=\"a\"""#));
        assert!(!refused(status, None).data().contains("wwwAuthenticate"));
    }
    assert_eq!(refused(400, None).peer_code(), Some(-32000));
}

#[test]
fn a_redirect_that_is_not_followed_says_where_it_leads_but_no_secrets() {
    let told = |header: Option<&str>| {
        let mut exchange = Exchange::new(0);
        exchange.set_details(header.unwrap_or_default());
        exchange.head(307, "");
        exchange.body(Vec::new());
        match exchange.poll() {
            Some(Incoming::Failed(error)) => error.message().to_owned(),
            other => panic!("{other:?}"),
        }
    };
    assert!(told(Some("https://b.test/mcp?token=x#y")).ends_with("connect to https://b.test/mcp"));
    for header in [None, Some("https://user:secret@b.test/")] {
        assert!(told(header).ends_with("leave the origin of the server"), "{}", told(header));
    }
}

#[test]
fn redirects_stay_within_the_origin_and_keep_the_method() {
    let origin = "https://a.test";
    for (method, status, to, follows) in [
        ("POST", 307, origin, true),
        ("POST", 308, origin, true),
        ("POST", 301, origin, false),
        ("POST", 302, origin, false),
        ("POST", 303, origin, false),
        ("GET", 302, origin, true),
        ("DELETE", 303, origin, false),
        ("GET", 300, origin, false),
        ("POST", 307, "https://b.test", false),
        ("POST", 307, "https://a.test:8443", false),
        ("POST", 307, "http://a.test", false),
        ("POST", 307, "null", false),
    ] {
        assert_eq!(follows_redirect(method, status, origin, to, 0), follows, "{method} {status} {to}");
    }
    assert!(follows_redirect("POST", 307, "http://a.test", "https://a.test", 4));
    assert!(follows_redirect("POST", 307, "http://[::1]", "https://[::1]", 0));
    assert!(!follows_redirect("POST", 307, "http://a.test:80", "https://a.test:80", 0));
    assert!(!follows_redirect("POST", 307, "http://[::1]:80", "https://[::1]:80", 0));
    assert!(!follows_redirect("POST", 307, origin, origin, 5));
}

#[test]
fn n21_n22_a_page_is_told_what_the_server_must_allow() {
    let crossing = Crossing { page: "https://page.test".to_owned(), server: "https://mcp.test".to_owned() };
    let error = unsent(Some(&crossing), "accept content-type mcp-method x-own");
    for part in [
        "https://mcp.test cannot be reached, or it does not allow pages of https://page.test (CORS)",
        "Access-Control-Allow-Origin: https://page.test;",
        "Access-Control-Allow-Headers: content-type, mcp-method, x-own;",
        "Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate",
    ] {
        assert!(error.message().contains(part), "{}", error.message());
    }
    assert!(error.data().contains(r#""allowHeaders":"content-type, mcp-method, x-own""#));
    assert_eq!(unsent(None, "x").message(), "The request could not be sent: the server cannot be reached; see cause");
    let hidden = session_hidden(&refused(400, None));
    assert!(hidden.message().ends_with("Access-Control-Expose-Headers: Mcp-Session-Id"));
    assert_eq!(hidden.code(), "CLIENT_HTTP_NOT_IMPLEMENTED");
}
