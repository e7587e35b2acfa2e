//! Sessions of 2025: requests that the server pushes, batches, and streams that are taken up again. Rule ids are those of
//! the catalogue of client behaviours (L).

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use mcp_sampling::error::{Code, Error};
use mcp_sampling::json::{Document, ValueId};
use mcp_sampling::mrtr::{Accepts, Ask, Manner};
use mcp_sampling::revision::Revision;
use mcp_sampling::wire::http::{Body, Exchange, Incoming, request_headers};
use mcp_sampling::wire::push::{Pushed, answer, receive, refusal};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const STREAM: &str = "text/event-stream";
const DONE: &str = r#"{"jsonrpc":"2.0","id":7,"result":{}}"#;
const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;

fn word(incoming: Incoming) -> String {
    match incoming {
        Incoming::Result { document, result, .. } => format!("result {}", document.value(result).raw()),
        Incoming::Failed(error) => format!("failed {}", error.code()),
        Incoming::Message { document, id, method, .. } => {
            let method = document.value(method).as_str().unwrap().decode();
            if id == ValueId::NONE {
                format!("note {method}")
            } else {
                format!("request {} {method}", document.value(id).raw())
            }
        }
        Incoming::Progress(list) => format!("progress [{list}]"),
        Incoming::Interrupted { last_event_id, retry_ms } => format!("again '{last_event_id}' in {retry_ms}"),
        Incoming::Violation(_) => "violation".to_owned(),
        Incoming::Accepted => "accepted".to_owned(),
    }
}

fn found(exchange: &mut Exchange) -> String {
    std::iter::from_fn(|| exchange.poll()).map(word).collect::<Vec<_>>().join(", ")
}

fn body(mut exchange: Exchange, text: &str) -> String {
    assert_eq!(exchange.head(200, "application/json"), Body::Whole);
    exchange.body(text.as_bytes().to_vec());
    found(&mut exchange)
}

/// What the next piece of a stream brings.
fn piece(exchange: &mut Exchange, text: &str) -> String {
    exchange.chunk(text.as_bytes());
    found(exchange)
}

fn open(exchange: &mut Exchange) {
    assert_eq!(exchange.head(200, STREAM), Body::Stream);
}

#[test]
fn a_batch_is_read_message_by_message() {
    let session = || Exchange::legacy(Some(7));
    assert_eq!(
        body(session(), &format!("[{NOTE},{PING},{DONE}]")),
        r#"note notifications/message, request "p" ping, result {}"#
    );
    assert_eq!(body(session(), &format!("[{DONE},{PING}]")), "result {}");
    assert_eq!(body(session(), &format!("[{NOTE}]")), "failed PARSE_ERROR");
    assert_eq!(body(session(), "[]"), "failed PARSE_ERROR");
    assert_eq!(body(session(), "[1]"), "failed PARSE_ERROR");
    assert_eq!(
        body(session(), r#"[{"jsonrpc":"2.0","id":8,"result":1},{"jsonrpc":"2.0","id":7,"result":2}]"#),
        "violation, result 2"
    );
    assert_eq!(body(Exchange::new(7), &format!("[{DONE}]")), "failed PARSE_ERROR");
    let mut stream = session();
    open(&mut stream);
    assert_eq!(piece(&mut stream, &format!("data: [{PING},{DONE}]\n\n")), r#"request "p" ping, result {}"#);
}

#[test]
fn l1_l11_a_request_on_a_stream_is_one_in_a_session_only() {
    for (mut exchange, expected) in [
        (Exchange::legacy(Some(7)), r#"request "p" ping"#),
        (Exchange::legacy(None), r#"request "p" ping"#),
        (Exchange::new(7), "violation"),
    ] {
        open(&mut exchange);
        assert_eq!(piece(&mut exchange, &format!("data: {PING}\n\n")), expected);
    }
}

#[test]
fn a_stream_that_ends_early_is_taken_up_again_after_its_last_event() {
    let mut exchange = Exchange::legacy(Some(7));
    open(&mut exchange);
    piece(&mut exchange, "id: e1\nretry: 500\ndata:\n\n");
    exchange.end();
    assert_eq!(found(&mut exchange), "again 'e1' in 500");
    open(&mut exchange);
    assert_eq!(piece(&mut exchange, &format!("id: e2\ndata: {NOTE}\n\n")), "note notifications/message");
    assert!(exchange.interrupt());
    assert_eq!(found(&mut exchange), "again 'e2' in 500");
    open(&mut exchange);
    assert_eq!(piece(&mut exchange, &format!("data: {DONE}\n\n")), "result {}");
    assert!(!exchange.interrupt());
}

#[test]
fn waiting_times_are_bounded() {
    for (retry, expected) in [("0", 100), ("99", 100), ("101", 101), ("99999999999999", i32::MAX)] {
        let mut exchange = Exchange::legacy(Some(7));
        open(&mut exchange);
        piece(&mut exchange, &format!("id: a\nretry: {retry}\n\n"));
        exchange.end();
        assert_eq!(found(&mut exchange), format!("again 'a' in {expected}"));
    }
}

#[test]
fn a_stream_that_brings_nothing_is_given_up() {
    let mut exchange = Exchange::legacy(Some(7));
    open(&mut exchange);
    piece(&mut exchange, "id: a\n\n");
    for seconds in [1, 2, 4, 8, 16] {
        exchange.end();
        assert_eq!(found(&mut exchange), format!("again 'a' in {seconds}000"));
        open(&mut exchange);
    }
    exchange.end();
    assert_eq!(found(&mut exchange), "failed CONNECTION_CLOSED");
}

#[test]
fn a_server_that_says_when_to_come_back_may_say_so_for_long() {
    let mut exchange = Exchange::legacy(Some(7));
    for _ in 0..50 {
        open(&mut exchange);
        piece(&mut exchange, "id: a\nretry: 200\ndata:\n\n");
        exchange.end();
        assert_eq!(found(&mut exchange), "again 'a' in 200");
    }
}

#[test]
fn without_an_event_id_an_answer_is_lost_with_its_stream() {
    let mut exchange = Exchange::legacy(Some(7));
    open(&mut exchange);
    piece(&mut exchange, &format!("data: {NOTE}\n\n"));
    exchange.end();
    assert_eq!(found(&mut exchange), "failed CONNECTION_CLOSED");
    let mut modern = Exchange::new(7);
    open(&mut modern);
    piece(&mut modern, &format!("id: a\ndata: {NOTE}\n\n"));
    modern.end();
    assert_eq!(found(&mut modern), "failed CONNECTION_CLOSED");
}

#[test]
fn a_server_that_refuses_to_go_on_ends_the_call() {
    let mut exchange = Exchange::legacy(Some(7));
    open(&mut exchange);
    piece(&mut exchange, "id: a\n\n");
    exchange.end();
    found(&mut exchange);
    assert_eq!(exchange.head(405, ""), Body::Whole);
    exchange.body(Vec::new());
    assert_eq!(found(&mut exchange), "failed CLIENT_HTTP_NOT_IMPLEMENTED");
}

#[test]
fn what_is_only_listened_to_begins_anew_as_long_as_the_server_lets_it() {
    let mut exchange = Exchange::legacy(None);
    for seconds in [1, 2, 4, 8, 16, 30, 30, 30] {
        open(&mut exchange);
        exchange.end();
        assert_eq!(found(&mut exchange), format!("again '' in {seconds}000"));
    }
    // A server that is out is asked again, one that says no is not; nor is one that is gone for good.
    assert_eq!(exchange.head(503, ""), Body::Whole);
    exchange.body(Vec::new());
    assert_eq!(found(&mut exchange), "failed CLIENT_HTTP_NOT_IMPLEMENTED");
    let mut refused = Exchange::legacy(None);
    refused.head(405, "");
    refused.body(Vec::new());
    assert_eq!(found(&mut refused), "failed CLIENT_HTTP_NOT_IMPLEMENTED");
    let mut gone = Exchange::legacy(None);
    open(&mut gone);
    assert_eq!((0..10).filter(|_| gone.interrupt()).count(), 5);
    assert_eq!(piece(&mut refused, "data: x\n\n"), "");
}

#[test]
fn rubbish_on_such_a_stream_does_not_end_it() {
    let mut exchange = Exchange::legacy(None);
    open(&mut exchange);
    assert_eq!(piece(&mut exchange, &format!("data: rubbish\n\ndata: {PING}\n\n")), r#"violation, request "p" ping"#);
}

#[test]
fn a_message_without_answer_is_taken_or_not() {
    for (status, expected) in [
        (202, "accepted"),
        (200, "accepted"),
        (204, "accepted"),
        (400, "failed CLIENT_HTTP_NOT_IMPLEMENTED"),
        (401, "failed CLIENT_HTTP_AUTHENTICATION"),
    ] {
        let mut exchange = Exchange::notice();
        if exchange.head(status, "text/plain") == Body::Whole {
            exchange.body(b"x".to_vec());
        }
        assert_eq!(found(&mut exchange), expected, "{status}");
    }
    let mut sent = Exchange::notice();
    sent.delivered();
    assert_eq!(found(&mut sent), "accepted");
    let mut request = Exchange::legacy(Some(7));
    request.delivered();
    assert_eq!(found(&mut request), "");
}

#[test]
fn a_session_has_no_headers_of_2026() {
    let headers = |revision, method| {
        let mut headers = String::new();
        request_headers(&mut headers, revision, method, None);
        headers
    };
    assert_eq!(headers(Revision::V2025_11_25, "tools/call"), "MCP-Protocol-Version\n2025-11-25\n");
    assert_eq!(headers(Revision::V2025_11_25, ""), "MCP-Protocol-Version\n2025-11-25\n");
    assert_eq!(headers(Revision::V2025_11_25, "initialize"), "");
}

fn all() -> Accepts {
    Accepts::HANDLERS | Accepts::SAMPLING | Accepts::ELICITATION_FORM | Accepts::ROOTS
}

const MANNER: Manner = Manner { revision: Revision::V2025_11_25, lenient: false };

fn pushed(id: &str, method: &str, params: &str, accepts: Accepts) -> Pushed {
    let text = format!(r#"{{"id":{id},"params":{params}}}"#);
    let document = Document::parse(text.into_bytes()).unwrap();
    let root = document.root();
    receive(&document, root.get("id").unwrap(), method, root.get("params").unwrap().id(), 3, accepts, MANNER)
}

fn reply(id: &str, method: &str, params: &str, accepts: Accepts) -> String {
    match pushed(id, method, params, accepts) {
        Pushed::Reply(message) => message,
        Pushed::Ask(ask) => format!("ask {}", ask.method.as_str()),
    }
}

fn asked(id: &str, params: &str) -> Ask {
    match pushed(id, "sampling/createMessage", params, all()) {
        Pushed::Ask(ask) => ask,
        Pushed::Reply(message) => panic!("{message}"),
    }
}

const SAMPLE: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"maxTokens":5}"#;

#[test]
fn l1_l2_l3_a_request_is_answered_or_handed_on() {
    for id in ["0", "-1", r#""a\u0062""#, r#""7""#, "1.5"] {
        assert_eq!(reply(id, "ping", "{}", all()), format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        let unknown = reply(id, "tasks/get", "{}", all());
        assert_eq!(
            unknown,
            format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"Method not found"}}}}"#)
        );
    }
    let code = |method: &str, params: &str, accepts| {
        let text = reply("1", method, params, accepts);
        match Document::parse(text.clone().into_bytes()) {
            Ok(message) => message.root().get("error").unwrap().get("code").unwrap().raw().to_owned(),
            Err(_) => text,
        }
    };
    assert_eq!(code("sampling/createMessage", SAMPLE, all()), "ask sampling/createMessage");
    assert_eq!(code("roots/list", "{}", all()), "ask roots/list");
    assert_eq!(code("sampling/createMessage", SAMPLE, Accepts::default()), "-32601");
    assert_eq!(code("sampling/createMessage", SAMPLE, Accepts::HANDLERS), "-32601");
    assert_eq!(
        code("elicitation/create", r#"{"mode":"url","message":"x","url":"https://a.test","elicitationId":"1"}"#, all()),
        "-32601"
    );
    assert_eq!(code("sampling/createMessage", "{}", all()), "-32602");
    assert_eq!(code("sampling/createMessage", r#"{"messages":[],"maxTokens":1}"#, all()), "-32602");
    assert_eq!(code("elicitation/create", "{}", all()), "-32602");
}

#[test]
fn l12_an_answer_without_tools_is_one_block() {
    let ask = asked(r#""s""#, SAMPLE);
    let sampled = |content: &str| format!(r#"{{"role":"assistant","model":"m","content":{content}}}"#);
    let one = r#"{"type":"text","text":"y"}"#;
    let sent = format!(r#"{{"jsonrpc":"2.0","id":"s","result":{}}}"#, sampled(one));
    assert_eq!(answer(&ask, sampled(one), MANNER).unwrap(), sent);
    assert_eq!(answer(&ask, sampled(&format!("[{one}]")), MANNER).unwrap(), sent);
    for wrong in ["{}", "[]", "1", "null", ""] {
        assert!(answer(&ask, wrong.to_owned(), MANNER).is_err(), "{wrong}");
    }
}

#[test]
fn l2_l3_l4_a_refusal_says_why_but_not_what_was_thrown() {
    for (code, expected) in [
        (Code::SamplingDeclined, r#"-1,"message":"User rejected sampling request""#),
        (Code::CapabilityNotSupported, r#"-32601,"message":"The client does not support this request""#),
        (Code::InvalidSamplingRequest, r#"-32602,"message":"secret""#),
        (Code::InvalidInputRequest, r#"-32602,"message":"secret""#),
        (Code::InvalidSamplingResult, r#"-32603,"message":"The client could not answer this request""#),
        (Code::HandlerFailed, r#"-32603,"message":"The client could not answer this request""#),
        (Code::Protocol(-32042), r#"-32042,"message":"secret""#),
    ] {
        let expected = format!(r#"{{"jsonrpc":"2.0","id":"s","error":{{"code":{expected}}}}}"#);
        assert_eq!(refusal(r#""s""#, &Error::new(code, "secret")), expected);
    }
}
