//! The wire: what comes in, whole or in pieces. Rule ids are those of the catalogue of client behaviours (N, H); what goes
//! out is in wire-requests.rs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use mcp_sampling::json::{Document, Value, ValueId};
use mcp_sampling::wire::http::{Body, Exchange, Incoming, MAX_MESSAGE_BYTES};
use mcp_sampling::wire::pages::{MAX_PAGES, Next, Pages};
use mcp_sampling::wire::read;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const JSON: &str = "application/json";
const STREAM: &str = "text/event-stream";
const DONE: &str = r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}"#;
const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1.0}}"#;

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A message in a word or two, or what is wrong with it.
fn described(text: &str) -> String {
    let document = parse(text);
    match read(document.root()) {
        Ok(message) if message.is_answer() => match message.error {
            None => format!("result {}", message.body.raw()),
            Some(error) => format!("error {} {}", error.peer_code().unwrap(), error.message()),
        },
        Ok(message) => {
            let method = message.method.as_str().unwrap().decode();
            if message.is_request() {
                format!("request {} {method}", message.id.raw())
            } else {
                format!("note {method} {}", message.params().map_or("-", Value::raw))
            }
        }
        Err(error) => {
            assert_eq!(error.code(), "PARSE_ERROR");
            error.message().rsplit(": ").next().unwrap().to_owned()
        }
    }
}

#[test]
fn messages_are_told_apart() {
    for (text, expected) in [
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":1.0}}"#, r#"result {"a":1.0}"#),
        (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "result null"),
        (r#"{"result":{},"id":"a","jsonrpc":"\u0032.0","more":[]}"#, "result {}"),
        (r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"n\u006f"}}"#, "error -32700 no"),
        (r#"{"jsonrpc":"2.0","error":{"code":1e2,"message":"","data":[]}}"#, "error 100 "),
        (r#"{"jsonrpc":"2.0","method":"a"}"#, "note a -"),
        (r#"{"jsonrpc":"2.0","method":"a","params":[1.0]}"#, "note a [1.0]"),
        (r#"{"jsonrpc":"2.0","id":"x\u0041","method":"ping"}"#, r#"request "x\u0041" ping"#),
    ] {
        assert_eq!(described(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_message_is_a_parse_error() {
    for (text, expected) in [
        ("[]", "expected an object"),
        ("null", "expected an object"),
        (r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, "expected an object"),
        (r#"{"id":1,"result":{}}"#, "expected jsonrpc to be \"2.0\""),
        (r#"{"jsonrpc":2.0,"id":1,"result":{}}"#, "expected jsonrpc to be \"2.0\""),
        (r#"{"jsonrpc":"2.1","id":1,"result":{}}"#, "expected jsonrpc to be \"2.0\""),
        (r#"{"jsonrpc":"2.0","id":1}"#, "expected a method, a result or an error"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#, "it has both result and error"),
        (r#"{"jsonrpc":"2.0","id":1,"error":{}}"#, "expected error to have an integer code and a message"),
        (r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#, "expected error to have an integer code and a message"),
        (r#"{"jsonrpc":"2.0","method":7}"#, "expected method to be a string"),
    ] {
        assert_eq!(described(text), expected, "{text}");
    }
}

#[test]
fn n15_an_id_matches_as_a_number_or_as_the_same_number_in_a_string() {
    for (id, outcome, answers) in [
        ("7", r#""result":{}"#, true),
        ("\"7\"", r#""result":{}"#, true),
        ("7.0", r#""result":{}"#, true),
        ("\"07\"", r#""result":{}"#, false),
        ("\"7 \"", r#""result":{}"#, false),
        ("8", r#""result":{}"#, false),
        ("-7", r#""result":{}"#, false),
        ("7.5", r#""result":{}"#, false),
        ("[7]", r#""result":{}"#, false),
        ("true", r#""result":{}"#, false),
        ("null", r#""result":{}"#, false),
        ("null", r#""error":{"code":-32700,"message":""}"#, true),
        ("8", r#""error":{"code":-32700,"message":""}"#, false),
    ] {
        let document = parse(&format!(r#"{{"jsonrpc":"2.0","id":{id},{outcome}}}"#));
        let Ok(response) = read(document.root()) else { panic!("{id}") };
        assert_eq!(response.answers(7), answers, "{id} {outcome}");
    }
}

/// What an exchange found, in a word or two each.
fn found(exchange: &mut Exchange) -> Vec<String> {
    std::iter::from_fn(|| exchange.poll())
        .map(|incoming| match incoming {
            Incoming::Result { document, result, .. } => format!("result {}", document.value(result).raw()),
            Incoming::Failed(error) => format!("failed {}", error.code()),
            Incoming::Message { document, id: ValueId::NONE, method, .. } => {
                format!("note {}", document.value(method).as_str().unwrap().decode())
            }
            Incoming::Violation(_) => "violation".to_owned(),
            other => format!("{other:?}"),
        })
        .collect()
}

/// A whole reply with this head, delivered in these pieces.
fn replied(status: u16, media_type: &str, pieces: &[&[u8]]) -> Vec<String> {
    let mut exchange = Exchange::new(7);
    match exchange.head(status, media_type) {
        Body::Whole => exchange.body(pieces.concat()),
        Body::Stream => {
            pieces.iter().for_each(|piece| exchange.chunk(piece));
            exchange.end();
        }
        Body::None => {}
    }
    assert!(exchange.is_settled());
    found(&mut exchange)
}

fn streamed(text: &str) -> Vec<String> {
    replied(200, STREAM, &[text.as_bytes()])
}

const RESULT: &str = r#"result {"resultType":"complete"}"#;

#[test]
fn n2_n3_both_kinds_of_reply_are_read_whatever_the_spelling_of_their_type() {
    for media_type in [JSON, "APPLICATION/JSON", "application/json; charset=utf-8", " application/json ;x"] {
        assert_eq!(replied(200, media_type, &[DONE.as_bytes()]), [RESULT], "{media_type}");
    }
    let stream = format!("data: {DONE}\n\n");
    for media_type in [STREAM, "Text/Event-Stream;charset=UTF-8", "text/event-stream ; a=b"] {
        assert_eq!(replied(200, media_type, &[stream.as_bytes()]), [RESULT], "{media_type}");
    }
    assert_eq!(replied(201, JSON, &[DONE.as_bytes()]), [RESULT]);
}

#[test]
fn n3_n5_a_reply_without_an_answer_is_an_error_at_once() {
    for (status, media_type) in [
        (200, "text/html"),
        (200, ""),
        (202, ""),
        (204, ""),
        (200, "application/jsonp"),
        (200, "text/event-streams"),
        (200, "json"),
    ] {
        assert_eq!(
            replied(status, media_type, &[]),
            ["failed CLIENT_HTTP_UNEXPECTED_CONTENT"],
            "{status} {media_type}"
        );
    }
    for status in [200, 202, 204] {
        assert_eq!(replied(status, JSON, &[]), ["failed CLIENT_HTTP_UNEXPECTED_CONTENT"], "{status}");
    }
}

#[test]
fn n6_n7_n28_a_status_with_an_error_in_its_body_is_that_error() {
    let error = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no"}}}}"#);
    for status in [400, 404, 409, 500] {
        for id in ["7", "\"7\"", "null"] {
            assert_eq!(replied(status, JSON, &[error(id).as_bytes()]), ["failed PROTOCOL_ERROR"], "{status} {id}");
        }
    }
    for media_type in ["", "text/plain", "application/problem+json"] {
        assert_eq!(replied(404, media_type, &[error("7").as_bytes()]), ["failed PROTOCOL_ERROR"], "{media_type}");
    }
    for body in [error("8").as_str(), DONE, NOTE, "", "<html>", "{", "[]"] {
        assert_eq!(replied(500, JSON, &[body.as_bytes()]), ["failed CLIENT_HTTP_NOT_IMPLEMENTED"], "{body}");
    }
    assert_eq!(replied(401, JSON, &[b"{}"]), ["failed CLIENT_HTTP_AUTHENTICATION"]);
    assert_eq!(replied(403, STREAM, &[b""]), ["failed CLIENT_HTTP_FORBIDDEN"]);
}

#[test]
fn the_text_of_a_status_is_cut() {
    let mut exchange = Exchange::new(7);
    exchange.head(503, "text/plain");
    exchange.body("é".repeat(1 << 20).into_bytes());
    let Some(Incoming::Failed(error)) = exchange.poll() else { panic!("no failure") };
    assert!(error.data().len() < 600 && error.data().starts_with(r#"{"status":503,"text":"é"#), "{}", error.data());
}

#[test]
fn a_json_body_is_the_answer_and_nothing_else() {
    for (body, expected) in [
        (DONE, RESULT),
        (NOTE, "failed PARSE_ERROR"),
        (r#"{"jsonrpc":"2.0","id":8,"result":{}}"#, "failed PARSE_ERROR"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, "failed PARSE_ERROR"),
        (r#"{"jsonrpc":"2.0","id":7,"result":{}} {}"#, "failed PARSE_ERROR"),
        (r#"{"jsonrpc":"2.0","id":7,"resu"#, "failed PARSE_ERROR"),
        ("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}", "result 1"),
        (" \n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}\r\n", "result 1"),
    ] {
        assert_eq!(replied(200, JSON, &[body.as_bytes()]), [expected], "{body}");
    }
    assert_eq!(replied(200, JSON, &[b"{\"a\":\"\xff\"}"]), ["failed PARSE_ERROR"]);
}

#[test]
fn n8_a_stream_may_be_cut_anywhere() {
    let stream = format!(
        "\u{feff}: hi\r\nevent: message\rdata: {NOTE}\n\ndata: {}\r\ndata: {}\r\n\r\n",
        &DONE[..17],
        &DONE[17..]
    );
    let stream = stream.replace("complete", "cömplete");
    let bytes = stream.as_bytes();
    for at in 0..=bytes.len() {
        let (left, right) = bytes.split_at(at);
        let expected = ["note notifications/message", r#"result {"resultType":"cömplete"}"#];
        assert_eq!(replied(200, STREAM, &[left, right]), expected, "{at}");
    }
}

#[test]
fn n9_n13_other_events_ids_and_waiting_times_say_nothing() {
    let stream = format!("id: 1\nretry: 5\ndata:\n\nevent: ping\ndata: {{\n\nid: 2\n\ndata: {DONE}\n\n");
    assert_eq!(streamed(&stream), [RESULT]);
    assert_eq!(streamed("id: 1\nretry: 5\ndata:\n\n"), ["failed CONNECTION_CLOSED"]);
}

#[test]
fn n10_n12_the_end_of_a_stream_settles_the_call() {
    assert_eq!(streamed(&format!("data: {DONE}")), [RESULT]);
    assert_eq!(streamed(&format!("data: {DONE}\n")), [RESULT]);
    // Cut in the middle of a message: the stream ended early, and nobody wrote bad JSON.
    assert_eq!(streamed(&format!("data: {}", &DONE[..30])), ["failed CONNECTION_CLOSED"]);
    assert_eq!(streamed(&format!("data: {}\n\n", &DONE[..30])), ["failed PARSE_ERROR"]);
    assert_eq!(streamed(""), ["failed CONNECTION_CLOSED"]);
    assert_eq!(streamed(&format!("data: {NOTE}\n\n")), ["note notifications/message", "failed CONNECTION_CLOSED"]);
}

#[test]
fn n11_the_answer_settles_the_call_and_what_follows_is_not_read() {
    let mut exchange = Exchange::new(7);
    assert!(!exchange.has_begun());
    assert_eq!(exchange.head(200, STREAM), Body::Stream);
    exchange.chunk(format!("data: {DONE}\n").as_bytes());
    assert!(exchange.has_begun() && !exchange.is_settled());
    exchange.chunk(format!("\ndata: {NOTE}\n\ndata: {DONE}\n\ndata: rubbish\n\n").as_bytes());
    assert!(exchange.is_settled());
    exchange.chunk(b"data: {\n\n");
    exchange.end();
    exchange.end();
    assert_eq!(found(&mut exchange), [RESULT]);
}

#[test]
fn n14_n15_foreign_answers_and_pushed_requests_are_dropped_and_told() {
    let foreign = DONE.replace(":7", ":8");
    let pushed = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#;
    let stream = format!("data: {foreign}\n\ndata: {pushed}\n\ndata: {NOTE}\n\ndata: {DONE}\n\n");
    assert_eq!(streamed(&stream), ["violation", "violation", "note notifications/message", RESULT]);
}

#[test]
fn a_stream_that_brings_rubbish_ends_the_call() {
    for rubbish in ["{", "[]", "7", "ping", r#"{"jsonrpc":"1.0","id":7,"result":{}}"#] {
        assert_eq!(streamed(&format!("data: {rubbish}\n\ndata: {DONE}\n\n")), ["failed PARSE_ERROR"], "{rubbish}");
    }
}

#[test]
fn news_out_of_turn_is_harmless() {
    let mut exchange = Exchange::new(7);
    exchange.chunk(b"data: {}\n\n");
    assert!(!exchange.is_settled() && exchange.poll().is_none());
    exchange.end();
    assert_eq!(found(&mut exchange), ["failed CONNECTION_CLOSED"]);
    exchange.body(DONE.as_bytes().to_vec());
    assert!(exchange.poll().is_none());
}

#[test]
fn k10_one_message_is_bounded() {
    let piece = vec![b'x'; 1 << 20];
    let mut exchange = Exchange::new(7);
    exchange.head(200, STREAM);
    exchange.chunk(b"data: ");
    let pieces = (0..100).take_while(|_| {
        exchange.chunk(&piece);
        !exchange.is_settled()
    });
    assert_eq!(pieces.count(), (MAX_MESSAGE_BYTES >> 20) - 1);
    assert_eq!(found(&mut exchange), ["failed PARSE_ERROR"]);
    let blanks = vec![b' '; MAX_MESSAGE_BYTES - DONE.len()];
    assert_eq!(replied(200, JSON, &[DONE.as_bytes(), &blanks]), [RESULT]);
    assert_eq!(replied(200, JSON, &[DONE.as_bytes(), &blanks, b" "]), ["failed PARSE_ERROR"]);
}

fn page(pages: &mut Pages, result: &str, params: &str) -> Next {
    pages.add(parse(result).root(), Some(parse(params).root())).unwrap()
}

#[test]
fn the_pages_of_a_list_become_one() {
    let mut pages = Pages::new("tools/list", "tools");
    let params = r#"{"cursor":"old","a":1.0}"#;
    let next = |cursor: &str| Next::Page(format!(r#"{{"a":1.0,"cursor":{cursor}}}"#));
    assert_eq!(page(&mut pages, r#"{"tools":[{"n":1.0}],"nextCursor":"\u0041"}"#, params), next(r#""\u0041""#));
    assert_eq!(page(&mut pages, r#"{"tools":[],"nextCursor":""}"#, params), next("\"\""));
    let whole = r#"{"tools":[{"n":1.0},{"n":2},{"n":3}],"ttlMs":0,"_meta":{}}"#;
    let last = r#"{"ttlMs":0,"tools":[{"n":2},{"n":3}],"nextCursor":null,"_meta":{}}"#;
    assert_eq!(page(&mut pages, last, params), Next::Done(whole.to_owned()));
}

#[test]
fn pages_without_end_are_given_up() {
    let mut pages = Pages::new("tools/list", "tools");
    let endless = parse(r#"{"tools":[1],"nextCursor":"again"}"#);
    let count = (0..1_000).take_while(|_| pages.add(endless.root(), None).is_ok()).count();
    assert_eq!(count, MAX_PAGES as usize - 1);
    let error = pages.add(endless.root(), None).unwrap_err();
    assert_eq!(
        (error.code(), error.data()),
        ("LIST_PAGINATION_EXCEEDED", r#"{"method":"tools/list","listMaxPages":64}"#)
    );
}
