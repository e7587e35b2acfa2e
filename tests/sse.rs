//! The event-stream parser against streams that other clients got wrong, cut in every way.

#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "../fuzz/reference.rs"]
mod reference;

use mcp_sampling::sse::{Event, EventStream, EventTooLarge};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// What it shows, the stream, and its events: data, then `@name`, `#id` and `~retry` where there are any.
type Fixture = (&'static str, &'static [u8], &'static [&'static str]);

#[rustfmt::skip]
const FIXTURES: &[Fixture] = &[
    ("nothing", b"", &[]),
    ("one message", b"data: x\n\n", &["x"]),
    ("two messages", b"data: x\n\ndata: y\n\n", &["x", "y"]),
    ("named message", b"event: message\ndata: x\n\n", &["x"]),
    ("empty name is a message", b"event:\ndata: x\n\n", &["x"]),
    ("name alone is a message", b"event\ndata: x\n\n", &["x"]),
    ("another name", b"event: ping\ndata: x\n\n", &["x @ping"]),
    ("last name counts", b"event: a\nevent: b\ndata: x\n\n", &["x @b"]),
    ("name after data", b"data: x\nevent: late\n\n", &["x @late"]),
    ("name ends with its event", b"event: a\ndata: x\n\ndata: y\n\n", &["x @a", "y"]),
    ("name without data is nothing", b"event: a\n\ndata: y\n\n", &["y"]),
    ("names are case-sensitive", b"event: Message\ndata: x\n\n", &["x @Message"]),
    ("name keeps inner blanks and colons", b"event: a b:c \ndata: x\n\n", &["x @a b:c "]),
    // Line ends: openclacky#489, a2a-js#714, ai-gateway#1398, praxis#739.
    ("CRLF", b"event: message\r\ndata: x\r\n\r\ndata: y\r\n\r\n", &["x", "y"]),
    ("lone CR", b"data: x\r\rdata: y\r\r", &["x", "y"]),
    ("CR line, LF blank line is CRLF", b"data: x\r\ndata: y\n\n", &[r"x\ny"]),
    ("LF line, CRLF blank line", b"data: x\n\r\ndata: y\n\n", &["x", "y"]),
    ("LF line, CR blank line", b"data: x\n\rdata: y\n\n", &["x", "y"]),
    ("CRLF line, LF blank line", b"data: x\r\n\ndata: y\n\n", &["x", "y"]),
    ("CR line, CRLF blank line", b"data: x\r\r\ndata: y\n\n", &["x", "y"]),
    ("CR line, then LF lines", b"data: x\rdata: y\n\ndata: z\n\n", &[r"x\ny", "z"]),
    ("other line breaks are text", "data: a\u{b}b\u{c}c\u{85}d\u{2028}e\n\n".as_bytes(), &[r"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e"]),
    // Several data lines: sh1pt#705.
    ("JSON over two lines", b"data: {\"a\":\ndata: 1}\n\n", &[r#"{\"a\":\n1}"#]),
    ("three lines", b"data: x\ndata: y\ndata: z\n\n", &[r"x\ny\nz"]),
    ("empty line within", b"data: x\ndata:\ndata: z\n\n", &[r"x\n\nz"]),
    ("empty line first", b"data\ndata: z\n\n", &[r"\nz"]),
    ("empty line last", b"data: x\ndata\n\n", &[r"x\n"]),
    ("CRLF lines are joined by LF", b"data: x\r\ndata: y\r\n\r\n", &[r"x\ny"]),
    ("other fields between", b"data: x\nevent: e\nfoo: bar\n: c\ndata: y\n\n", &[r"x\ny @e"]),
    // The blank after the colon: ai-gateway#2149.
    ("no blank", b"data:x\n\n", &["x"]),
    ("two blanks", b"data:  x\n\n", &[" x"]),
    ("trailing blank", b"data: x \n\n", &["x "]),
    ("a tab is no blank", b"data:\tx\n\n", &[r"\tx"]),
    ("a colon in the value", b"data: x: y\n\n", &["x: y"]),
    ("colons after the colon", b"data:::x\n\n", &["::x"]),
    ("blank before the colon", b"data : x\n\n", &[]),
    ("blank before the name", b" data: x\n\n", &[]),
    // Comments and unknown fields.
    ("keep-alive between events", b": ping\n\ndata: x\n\n:\n\n:ping\n\ndata: y\n\n", &["x", "y"]),
    ("keep-alive without blank line", b":\n:\n:\ndata: x\n:\n\n", &["x"]),
    ("colon first is a comment", b":data: y\ndata: x\n\n", &["x"]),
    ("unknown fields", b"foo: bar\ndatax: y\ndat: z\nDATA: y\nretrying: 1\nidx: 3\ndata: x\n\n", &["x"]),
    ("unknown field without colon", b"foo\ndata: x\n\n", &["x"]),
    ("JSON by itself is no event", b"{\"jsonrpc\":\"2.0\"}\n\n", &[]),
    // Events without data: typescript-sdk#1184, go-sdk#768.
    ("priming event", b"id: 1\ndata:\n\ndata: x\n\n", &[" #1", "x #1"]),
    ("priming event with a blank", b"id: 1\nretry: 500\ndata: \n\n", &[" #1 ~500"]),
    ("empty data is nothing", b"data:\n\ndata\n\ndata: x\n\n", &["x"]),
    ("blank lines are nothing", b"\n\n\r\r\r\n\r\n\ndata: x\n\n\n\n", &["x"]),
    // Ids.
    ("id", b"id: 1\ndata: x\n\n", &["x #1"]),
    ("id persists", b"id: 1\ndata: x\n\ndata: y\n\n: c\n\ndata: z\n\n", &["x #1", "y #1", "z #1"]),
    ("id alone", b"id: 1\n\nid: 2\n\n", &[" #1", " #2"]),
    ("last id counts", b"id: 1\nid: 2\ndata: x\n\n", &["x #2"]),
    ("id taken back", b"id: 1\ndata: x\n\nid\ndata: y\n\nid:\n\n", &["x #1", "y #", " #"]),
    ("id with NUL is ignored", b"id: 1\ndata: x\n\nid: 2\0\ndata: y\n\n", &["x #1", "y #1"]),
    ("id with NUL alone is nothing", b"id: \0\n\n", &[]),
    ("id keeps blanks", b"id:  a b \ndata: x\n\n", &["x # a b "]),
    ("id outside ASCII", "id: \u{1f600}\ndata: x\n\n".as_bytes(), &["x #\u{1f600}"]),
    ("id that is not UTF-8", b"id: \xff\ndata: x\n\n", &["x #\u{fffd}"]),
    // Waiting times.
    ("retry", b"retry: 3000\ndata: x\n\ndata: y\n\n", &["x ~3000", "y"]),
    ("retry alone", b"retry: 10\n\n", &[" ~10"]),
    ("retry zero", b"retry: 0\n\n", &[" ~0"]),
    ("retry with leading zeros", b"retry:00012\n\n", &[" ~12"]),
    ("retry is digits only", b"retry: 1s\nretry: -1\nretry: +1\nretry: 1.5\nretry: 1:\nretry: 1/\nretry:  1\nretry:\nretry\n\n", &[]),
    ("bad retry leaves the good one", b"retry: 7\nretry: x\n\n", &[" ~7"]),
    ("largest retry", b"retry: 18446744073709551615\n\n", &[" ~18446744073709551615"]),
    ("huge retry", b"retry: 18446744073709551616\nretry: 99999999999999999999999999\n\n", &[]),
    // The byte order mark.
    ("BOM", b"\xef\xbb\xbfdata: x\n\n", &["x"]),
    ("BOM before a blank line", b"\xef\xbb\xbf\ndata: x\n\n", &["x"]),
    ("BOM once", b"\xef\xbb\xbf\xef\xbb\xbfdata: x\n\ndata: y\n\n", &["y"]),
    ("BOM at the start only", b"data: x\n\n\xef\xbb\xbfdata: y\n\n", &["x"]),
    ("half a BOM", b"\xef\xbbdata: x\n\ndata: y\n\n", &["y"]),
    ("BOM in the data", b"data: \xef\xbb\xbfx\n\n", &[r"\xef\xbb\xbfx"]),
    // Bytes are kept.
    ("UTF-8", "data: \u{e9}\u{20ac}\u{1f600}\n\n".as_bytes(), &[r"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"]),
    ("not UTF-8", b"data: \xff\x80\xc3\n\n", &[r"\xff\x80\xc3"]),
    ("NUL and control bytes", b"data: \0\x01\x7f\n\n", &[r"\x00\x01\x7f"]),
    ("bytes next to line ends", b"data: \x09\x0b\x0c\x0e\x8a\x8d\x0b\x0e\x8a\x8d\n\n", &[r"\t\x0b\x0c\x0e\x8a\x8d\x0b\x0e\x8a\x8d"]),
    // The end of the response: vercel/ai#16865.
    ("no blank line", b"data: x\n\ndata: y\n", &["x", "y"]),
    ("no line end", b"data: x\n\ndata: y", &["x", "y"]),
    ("ends in the second data line", b"event: e\ndata: x\ndata: y", &[r"x\ny @e"]),
    ("ends in CR", b"data: x\r\n\r\ndata: y\r", &["x", "y"]),
    ("ends in a name", b"data: x\nevent: pi", &["x"]),
    ("cut event brings no id", b"id: 1\ndata: x\n\nid: 2\nretry: 5\ndata: y\n", &["x #1", "y #1"]),
    ("cut id", b"data: x\nid: 2", &["x"]),
    ("ends without data", b"id: 1\nretry: 1\ndata:\n", &[]),
    ("ends in a comment", b"data: x\n\n: ping", &["x"]),
    ("ends in a BOM", b"\xef\xbb", &[]),
    ("only a BOM and data", b"\xef\xbb\xbfdata: x", &["x"]),
    ("a provider's stream", b"event: content_block_delta\ndata: {\"type\":\"ping\"}\n\ndata: [DONE]\n\n", &[r#"{\"type\":\"ping\"} @content_block_delta"#, "[DONE]"]),
];

fn shown(event: Event) -> String {
    reference::shown(&event.data, event.event.as_deref(), event.id.as_deref(), event.retry_ms)
}

fn drained(stream: &mut EventStream) -> Vec<String> {
    stream.by_ref().map(shown).collect()
}

/// All events of a stream that comes in these chunks.
fn events<'c>(chunks: impl IntoIterator<Item = &'c [u8]>) -> Vec<String> {
    let (mut stream, mut out) = (EventStream::new(1 << 20), Vec::new());
    for chunk in chunks {
        stream.push(chunk).unwrap();
        out.extend(drained(&mut stream));
    }
    out.extend(std::iter::from_fn(|| stream.finish()).map(shown));
    out
}

#[test]
fn fixtures_whole() {
    for (name, stream, expected) in FIXTURES {
        assert_eq!(events([*stream]), *expected, "{name}");
        assert_eq!(reference::events(stream), *expected, "{name}, by the reference");
    }
}

#[test]
fn fixtures_at_every_split() {
    for (name, stream, expected) in FIXTURES {
        for at in 0..=stream.len() {
            assert_eq!(events([&stream[..at], &stream[at..]]), *expected, "{name}, split at {at}");
            assert_eq!(events([&stream[..at], b"", &stream[at..]]), *expected, "{name}, empty chunk at {at}");
        }
    }
}

#[test]
fn fixtures_byte_by_byte() {
    for (name, stream, expected) in FIXTURES {
        assert_eq!(events(stream.chunks(1)), *expected, "{name}");
    }
}

/// Whatever state one stream leaves behind, the next one starts clean after its blank line.
#[test]
fn fixtures_in_pairs() {
    for (first, second) in FIXTURES.iter().zip(FIXTURES.iter().cycle().skip(7)) {
        let stream = [first.1, b"\n\n", second.1].concat();
        let expected = reference::events(&stream);
        assert_eq!(events([stream.as_slice()]), expected, "{} and {}", first.0, second.0);
        assert_eq!(events(stream.chunks(3)), expected, "{} and {}", first.0, second.0);
    }
}

#[test]
fn an_event_comes_with_its_last_byte() {
    for stream in [&b"data: x\n\n"[..], b"data: x\r\r", b"data: x\r\n\r", b"data: x\n\r"] {
        let (mut parser, last) = (EventStream::new(100), stream.len() - 1);
        parser.push(&stream[..last]).unwrap();
        assert_eq!(drained(&mut parser), [""; 0]);
        parser.push(&stream[last..]).unwrap();
        assert_eq!(drained(&mut parser), ["x"]);
    }
}

#[test]
fn messages_are_told_apart() {
    let mut stream = EventStream::new(100);
    stream.push(b"id: 1\ndata:\n\nevent: ping\ndata: x\n\nevent: message\ndata: x\n\ndata: x\n\n").unwrap();
    assert_eq!(stream.map(|event| event.is_message()).collect::<Vec<_>>(), [false, false, true, true]);
}

#[test]
fn finish_gives_what_was_left_in_order() {
    let mut stream = EventStream::new(100);
    stream.push(b"data: a\n\ndata: b\n\ndata: c").unwrap();
    assert_eq!(std::iter::from_fn(|| stream.finish()).map(shown).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(stream.finish(), None);
}

const TOO_LARGE: Result<(), EventTooLarge> = Err(EventTooLarge { limit: 16 });

#[test]
fn the_limit_is_exact() {
    for (fits, exceeds) in [
        (&b"data: 0123456789\n\n"[..], &b"data: 0123456789a\n\n"[..]),
        (b"data: 01\ndata: 34\n\n", b"data: 01\ndata: 345\n\n"),
        (b"event: x\ndata: 34\n\n", b"event: x\ndata: 345\n\n"),
        (b"data\ndata\ndata\ndata\n\n", b"data\ndata\ndata\ndata\nid\n\n"),
        (b":123456789012345\n:123456789012345\n", b":1234567890123456\n"),
        (b"id: 1\n\nid: 234567890123\n\n", b"id: 1\n\nid: 2345678901234\n\n"),
        (b"\xef\xbb\xbfdata: 0123456\n", b"\xef\xbb\xbfdata: 01234567890\n"),
    ] {
        for size in 1..exceeds.len() {
            let outcome = |stream: &[u8]| {
                let mut parser = EventStream::new(16);
                stream.chunks(size).try_for_each(|chunk| parser.push(chunk))
            };
            assert_eq!(outcome(fits), Ok(()), "{} in {size}", fits.escape_ascii());
            assert_eq!(outcome(exceeds), TOO_LARGE, "{} in {size}", exceeds.escape_ascii());
        }
    }
}

#[test]
fn a_failed_stream_stays_failed_but_keeps_earlier_events() {
    let mut stream = EventStream::new(16);
    assert_eq!(stream.push(b"data: x\n\ndata: 01234567890123456789"), TOO_LARGE);
    for chunk in [&b""[..], b"\n\n", b"\r", b"\n", b"data: y\n\n"] {
        assert_eq!(stream.push(chunk), TOO_LARGE);
    }
    assert_eq!(stream.finish().map(shown).as_deref(), Some("x"));
    assert_eq!(stream.finish(), None);
    assert_eq!(stream.push(b"data: y\n\n"), TOO_LARGE);
    assert_eq!(TOO_LARGE.unwrap_err().to_string(), "an event of the stream is larger than 16 bytes");
}

#[test]
fn complete_events_do_not_count() {
    let mut stream = EventStream::new(16);
    stream.push(&b"data: 0123456789\n\n".repeat(1000)).unwrap();
    assert_eq!(stream.by_ref().count(), 1000);
    stream.push(&b": 0123456789\n".repeat(1000)).unwrap();
    assert_eq!(stream.finish(), None);
}

#[test]
fn a_line_without_end_fails_at_the_limit() {
    const LIMIT: usize = 1 << 20;
    let chunk = [b'a'; 1 << 14];
    for start in [&b"data: "[..], b": ", b"unknown: ", b"id: ", b""] {
        let mut stream = EventStream::new(LIMIT);
        stream.push(start).unwrap();
        let taken = (0..(LIMIT + (10 << 20)) >> 14).take_while(|_| stream.push(&chunk).is_ok()).count();
        assert_eq!(taken, LIMIT / chunk.len() - usize::from(!start.is_empty()));
        assert_eq!(stream.finish(), None);
    }
}

#[test]
fn endless_lines_without_blank_line_fail_at_the_limit() {
    for line in ["data:\n", "data\n", "event: x\n", "id: 1\n", "retry: 1\n"] {
        let mut stream = EventStream::new(1 << 16);
        let lines = line.repeat(1 << 15);
        assert!(stream.push(lines.as_bytes()).is_err(), "{line}");
        assert_eq!(stream.next(), None);
    }
}

#[test]
fn a_hundred_thousand_empty_events() {
    let mut stream = EventStream::new(1 << 10);
    for empty in ["\n", "data:\n\n", "event: ping\n\n", ":\n\n", "data\r\n\r\n", "id: \0\n\n"] {
        stream.push(empty.repeat(100_000).as_bytes()).unwrap();
        assert_eq!(stream.next(), None, "{empty:?}");
    }
}

/// Would take minutes if each chunk were paid for with a look at the whole line.
#[test]
fn long_lines_in_tiny_chunks() {
    let text = "x".repeat(4 << 20);
    let mut stream = EventStream::new(9 << 20);
    format!("data: {text}\ndata: {text}\n\n").as_bytes().chunks(1).try_for_each(|chunk| stream.push(chunk)).unwrap();
    assert_eq!(stream.next().unwrap().data.len(), 2 * text.len() + 1);
}

#[cfg(not(target_arch = "wasm32"))]
mod properties {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::{FIXTURES, events, reference};

    /// Pieces of which hostile streams are made.
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "data",
        "event",
        "id",
        "retry",
        ":",
        ": ",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\u{feff}",
        "\0",
        "x",
        "message",
        "12",
        "\u{1f600}",
        "datum",
        "\t",
    ];

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            vec(select(PIECES), 0..60).prop_map(|pieces| pieces.concat().into_bytes()),
            vec(select(FIXTURES), 0..6).prop_map(|fixtures| fixtures
                .iter()
                .map(|fixture| fixture.1)
                .collect::<Vec<_>>()
                .concat()),
            vec(any::<u8>(), 0..200),
        ]
    }

    proptest! {
        #[test]
        fn any_split_gives_the_events_of_the_reference(stream in stream(), cuts in vec(0_usize..20, 0..40)) {
            let mut rest = stream.as_slice();
            let mut chunks = Vec::new();
            for cut in cuts {
                let (chunk, after) = rest.split_at(cut.min(rest.len()));
                chunks.push(chunk);
                rest = after;
            }
            chunks.push(rest);
            prop_assert_eq!(events(chunks), reference::events(&stream));
        }
    }
}
