//! Progress on the stream of a request: what is told at once, and that a message that hardly differs from the one before is
//! read as if there had been none before. Rule ids are those of the catalogue of client behaviours (T).

#![allow(clippy::panic, missing_docs)]

use mcp_sampling::json::Document;
use mcp_sampling::wire::http::{Exchange, Incoming};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const FIRST: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":12,"total":345}}"#;

fn stream() -> Exchange {
    let mut exchange = Exchange::new(7);
    exchange.head(200, "text/event-stream");
    exchange
}

fn event(exchange: &mut Exchange, data: &[u8]) {
    exchange.chunk(b"data: ");
    exchange.chunk(data);
    exchange.chunk(b"\n\n");
}

fn found(exchange: &mut Exchange) -> Vec<String> {
    let word = |incoming| match incoming {
        Incoming::Progress(list) => format!("progress [{list}]"),
        Incoming::Failed(error) => format!("failed {} {}", error.code(), error.data()),
        Incoming::Message { document, .. } => format!("message {}", document.text()),
        Incoming::Result { document, .. } => format!("result {}", document.text()),
        Incoming::Interrupted { last_event_id, .. } => format!("interrupted after {last_event_id}"),
        other => format!("{other:?}"),
    };
    std::iter::from_fn(|| exchange.poll()).map(word).collect()
}

/// What this message is, on a stream that began with others or with nothing.
fn read_after(before: &[&str], data: &[u8]) -> Vec<String> {
    let mut exchange = stream();
    for data in before {
        event(&mut exchange, data.as_bytes());
    }
    found(&mut exchange);
    event(&mut exchange, data);
    found(&mut exchange)
}

fn params(progress: &str) -> String {
    format!(r#"{{"progressToken":7,"progress":{progress},"total":345}}"#)
}

#[test]
fn t9_progress_in_a_row_is_told_at_once_and_in_its_place() {
    let note = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
    let (second, third) = (FIRST.replace("12", "13"), FIRST.replace("12", "14"));
    let mut exchange = stream();
    for data in [FIRST, &second, note, &third, r#"{"jsonrpc":"2.0","id":7,"result":{}}"#, FIRST] {
        event(&mut exchange, data.as_bytes());
    }
    let found = found(&mut exchange);
    let [together, message, alone, result] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(*together, format!("progress [{},{}]", params("12"), params("13")));
    assert_eq!(*alone, format!("progress [{}]", params("14")));
    assert!(message.starts_with("message") && result.starts_with("result"), "{message} {result}");
}

#[test]
fn t9_every_number_is_read_as_on_a_stream_of_its_own() {
    let numbers = [
        "1",
        "9",
        "10",
        "100000",
        "18446744073709551615",
        "18446744073709551616",
        "0",
        "00",
        "01",
        "-1",
        "-",
        "",
        "1.5",
        "1.",
        ".5",
        "1e3",
        "1e",
        "1 ",
        " 1",
        "1,\"progress\":2",
        "1,",
        "1}",
        "\"1\"",
        "null",
        "true",
        "{}",
        "[1]",
        "1\u{0661}",
    ];
    for first in numbers {
        let first = FIRST.replace("12", first);
        // What is no JSON ends the stream.
        for second in numbers.iter().filter(|_| Document::from_text(first.clone()).is_ok()) {
            let second = FIRST.replace("12", second);
            assert_eq!(
                read_after(&[&first], second.as_bytes()),
                read_after(&[], second.as_bytes()),
                "{first} {second}"
            );
        }
    }
}

#[test]
fn t9_a_message_that_hardly_differs_is_read_as_on_a_stream_of_its_own() {
    let bytes = FIRST.as_bytes();
    for at in 0..=bytes.len() {
        let (head, tail) = bytes.split_at(at);
        let rest = tail.split_first().map_or(tail, |(_, rest)| rest);
        for byte in *b"019-.e\",:{}[]\\ ux\xc3" {
            for changed in [[head, &[byte], tail].concat(), [head, &[byte], rest].concat(), [head, rest].concat()] {
                let text = String::from_utf8_lossy(&changed);
                assert_eq!(read_after(&[FIRST], &changed), read_after(&[], &changed), "{text}");
            }
        }
    }
}

#[test]
fn t9_progress_that_is_not_where_it_was_is_read_anew() {
    let message = |params: &str| format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#);
    let shapes = [
        r#"{"progress":1}"#,
        r#"{"progress":1,"progress":1}"#,
        r#"{"progress":{"progress":1}}"#,
        r#"{"a":{"progress":1}}"#,
        r#"{"progress":"1"}"#,
        r#"{"message":"\"progress\":1","progress":1}"#,
        r#"{"progress" : 1 }"#,
        r#"{"progress\u0073":1}"#,
        r#"{"pro\u0067ress":1}"#,
        "{}",
        "[1]",
        "1",
    ];
    for first in shapes {
        for second in shapes {
            for second in [second.to_owned(), second.replace('1', "2"), second.replace('1', "10")] {
                let (first, second) = (message(first), message(&second));
                assert_eq!(
                    read_after(&[&first], second.as_bytes()),
                    read_after(&[], second.as_bytes()),
                    "{first} {second}"
                );
            }
        }
    }
    // A message after another kind of message, and with a text before it that other readers would skip.
    let note = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"progress":1}}"#;
    let marked = format!("\u{feff}{FIRST}");
    for before in [note, &marked] {
        for data in [note, FIRST, &marked, &FIRST.replace("12", "13")] {
            assert_eq!(
                read_after(&[before, FIRST], data.as_bytes()),
                read_after(&[], data.as_bytes()),
                "{before} {data}"
            );
            assert_eq!(
                read_after(&[FIRST, before], data.as_bytes()),
                read_after(&[], data.as_bytes()),
                "{before} {data}"
            );
        }
    }
}

#[test]
fn t9_events_with_ids_move_the_place_to_go_on_from() {
    let mut exchange = Exchange::legacy(Some(7));
    exchange.head(200, "text/event-stream");
    for progress in ["12", "13", "14"] {
        exchange.chunk(format!("id: e{progress}\n").as_bytes());
        event(&mut exchange, FIRST.replace("12", progress).as_bytes());
    }
    exchange.end();
    let told = found(&mut exchange);
    assert_eq!(told.first(), Some(&format!("progress [{},{},{}]", params("12"), params("13"), params("14"))));
    assert_eq!(told.last().map(String::as_str), Some("interrupted after e14"));
}

#[test]
fn t9_large_progress_is_read_each_time() {
    for size in [3900, 5000, 100_000] {
        let message = |progress: usize| {
            FIRST.replace("345", &format!(r#"9,"message":"{}""#, "x".repeat(size))).replace("12", &progress.to_string())
        };
        let last = message(20);
        assert_eq!(
            read_after(&[&message(18), &message(19)], last.as_bytes()),
            read_after(&[], last.as_bytes()),
            "{size}"
        );
    }
}

#[test]
fn t9_all_of_a_batch_is_read_each_time() {
    let note = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
    let batch = format!("[{FIRST},{note}]");
    let mut exchange = Exchange::legacy(Some(7));
    exchange.head(200, "text/event-stream");
    for progress in ["12", "13", "14"] {
        event(&mut exchange, batch.replace("12", progress).as_bytes());
        let [told, message] = &found(&mut exchange)[..] else { panic!("{progress}") };
        assert_eq!(*told, format!("progress [{}]", params(progress)));
        assert!(message.starts_with("message"), "{message}");
    }
}
