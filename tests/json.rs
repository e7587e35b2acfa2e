//! The scanner against `serde_json`, and what it must keep.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use mcp_sampling::json::{Document, Kind, Path, Value, quote};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap()
}

fn error(bytes: &[u8]) -> String {
    Document::parse(bytes.to_vec()).unwrap_err().to_string()
}

/// Writes the value again from the walk; for a compact text that must be the text.
fn walked(value: Value<'_>) -> String {
    match value.kind() {
        Kind::Array => format!("[{}]", value.items().map(walked).collect::<Vec<_>>().join(",")),
        Kind::Object => {
            let members = value.members().map(|(key, value)| format!("\"{}\":{}", key.raw(), walked(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        _ => value.raw().to_owned(),
    }
}

#[test]
fn keeps_every_byte() {
    let text = r#"{"z":1,"a":[1.0,-0,1e5,12345678901234567890123],"s":"a\/b\u0041\ud800 ","__proto__":{"":null}}"#;
    assert_eq!(walked(parse(text).root()), text);
    assert_eq!(parse(&format!(" \n{text}\t ")).root().raw(), text);
}

#[test]
fn says_where_the_text_stops_being_json() {
    for (text, expected) in [
        ("", "expected a value at byte 0"),
        ("{\"a\":1,}", "expected a key in quotes at byte 7"),
        ("[1,]", "expected a value at byte 3"),
        ("[1}", "expected ',' or ']' at byte 2"),
        ("{\"a\" 1}", "expected ':' at byte 5"),
        ("01", "expected the end of the text at byte 1"),
        ("1.", "expected a digit at byte 2"),
        ("\"\u{1}\"", "expected an escape in place of a control character at byte 1"),
        ("\"\\x\"", "expected one of \" \\ / b f n r t, or u and four hex digits at byte 2"),
        ("nul", "expected a value at byte 0"),
        ("{} {}", "expected the end of the text at byte 3"),
        ("{", "expected a key in quotes or '}' at byte 1"),
        ("\"abc", "expected '\"' at byte 4"),
    ] {
        assert_eq!(error(text.as_bytes()), expected, "{text}");
    }
    assert_eq!(error(b"\"a\xff\""), "expected UTF-8 text at byte 2");
}

#[test]
fn drops_one_byte_order_mark() {
    assert_eq!(parse("\u{feff}[]").text(), "[]");
    assert_eq!(error("\u{feff}\u{feff}[]".as_bytes()), "expected a value at byte 0");
}

#[test]
fn compares_strings_by_meaning() {
    let document = parse(r#"{"\u0061\/b":"x","\ud83d\ude00":"\ud800","l":["\ud800","\ud801","\uD800"]}"#);
    let root = document.root();
    assert_eq!(root.get("a/b").unwrap().as_str().unwrap().decode(), "x");
    assert_eq!(root.get("😀").unwrap().as_str().unwrap().decode(), "\u{fffd}");
    let lone: Vec<_> = root.get("l").unwrap().items().filter_map(Value::as_str).collect();
    assert!(lone[0] != lone[1] && lone[0] == lone[2]);
}

#[test]
fn a_repeated_key_means_the_last() {
    assert_eq!(parse(r#"{"a":1,"b":2,"\u0061":3}"#).root().get("a").unwrap().raw(), "3");
}

#[test]
fn depth_costs_no_stack() {
    let depth = 1_000_000;
    let document = parse(&("[".repeat(depth) + &"]".repeat(depth)));
    assert_eq!(document.root().items().count(), 1);
}

#[test]
fn clones_share_a_text_that_only_the_last_owner_gives_away() {
    let document = parse(" [1] ");
    let clone = document.clone();
    assert_eq!(clone.text().as_ptr(), document.text().as_ptr());
    assert_eq!((document.into_text().as_str(), clone.text()), ("[1]", " [1] "));
    let whole = parse("[1]");
    let (place, clone) = (whole.text().as_ptr(), whole.clone());
    let (copied, given) = (clone.into_text(), whole.into_text());
    assert_ne!(copied.as_ptr(), place);
    assert_eq!(given.as_ptr(), place);
}

/// A module's memory is not made for such texts.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn places_are_kept_up_to_the_largest_text() {
    let text = |length: usize| format!("[\"{}\",[2],{{}}]", "x".repeat(length - 11));
    let document = Document::from_text(text((1 << 28) - 1)).unwrap();
    let places: Vec<&str> = document.root().items().skip(1).map(Value::raw).collect();
    assert_eq!(places, ["[2]", "{}"]);
    assert_eq!(document.root().raw().len(), (1 << 28) - 1);
    let error = Document::from_text(text(1 << 28)).unwrap_err();
    assert_eq!((error.offset, error.expected), (1 << 28, "a text shorter than 256 MiB"));
}

#[test]
fn pointers_escape_their_keys() {
    let path = Path::Root;
    let messages = path.key("a/b~c");
    assert_eq!(messages.index(3).to_string(), "/a~1b~0c/3");
    assert_eq!(quote("a\"\n\u{1}é"), "\"a\\\"\\n\\u0001é\"");
}

#[cfg(not(target_arch = "wasm32"))]
mod properties {
    use proptest::prelude::*;

    use super::{parse, walked};
    use mcp_sampling::json::Document;

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            ".{0,40}".prop_map(Into::into),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::hash_map(".{0,9}", inner, 0..6)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_what_serde_json_writes(value in any_json()) {
            let text = value.to_string();
            prop_assert_eq!(walked(parse(&text).root()), text);
        }

        #[test]
        fn agrees_with_serde_json_on_mutated_text(value in any_json(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = value.to_string().into_bytes();
            let index = at.index(bytes.len());
            bytes[index] = byte;
            let theirs: Result<&serde_json::value::RawValue, _> = serde_json::from_slice(&bytes);
            prop_assert_eq!(Document::parse(bytes.clone()).is_ok(), theirs.is_ok(), "{:?}", String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn decodes_as_serde_json_does(text in ".{0,60}") {
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            let document = parse(&format!("\"{escaped}\""));
            prop_assert_eq!(document.root().as_str().unwrap().decode(), text.as_str());
            prop_assert!(document.root().as_str().unwrap() == text.as_str());
        }
    }
}
