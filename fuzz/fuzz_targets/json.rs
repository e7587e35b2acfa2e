//! The scanner takes what `serde_json` takes and refuses what it refuses; both read the same value, and no walk panics.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_sampling::json::{Document, Kind, Number, Path, Value};
use serde_json::value::RawValue;

fuzz_target!(|bytes: &[u8]| {
    // One byte order mark is ours to drop; `serde_json` knows none.
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match (Document::parse(bytes.to_vec()), serde_json::from_slice::<&RawValue>(text)) {
        (Ok(document), Ok(raw)) => {
            assert_eq!(document.root().raw(), raw.get().trim_matches([' ', '\t', '\n', '\r']));
            walk(&document);
            // Fails where we go further: lone surrogates, deep nesting, numbers beyond a double.
            if let Ok(value) = serde_json::from_slice::<serde_json::Value>(text) {
                assert_eq!(read(document.root()), value);
            }
        }
        (Err(error), Err(_)) => assert!(error.offset <= bytes.len(), "{error}"),
        (ours, theirs) => panic!("{ours:?} but {theirs:?}"),
    }
});

/// Visits every value and asks it everything. With a stack of its own: the depth is the input's choice.
fn walk(document: &Document) {
    let (mut open, mut numbers) = (vec![document.root()], Vec::new());
    while let Some(value) = open.pop() {
        assert_eq!(document.value(value.id()).raw(), value.raw());
        assert_eq!(value.is_null(), value.raw() == "null");
        assert_eq!(
            value.as_bool().map(|flag| flag.to_string()).unwrap_or_default() == value.raw(),
            value.as_bool().is_some()
        );
        if let Some(text) = value.as_str() {
            assert_eq!(text.is_empty(), text.decode().is_empty());
            assert!(text == text.decode().as_ref() || text.raw().contains("\\u"));
        }
        numbers.extend(value.as_number());
        open.extend(value.items());
        for (key, member) in value.members() {
            let _ = Path::Root.key(&key.decode()).index(0).to_string();
            assert!(value.get(&key.decode()).is_some() || key.raw().contains("\\u"));
            open.push(member);
        }
    }
    numbers.windows(2).for_each(|pair| compare(pair[0], pair[1]));
    numbers.iter().for_each(|number| compare(*number, *number));
}

fn compare(left: Number<'_>, right: Number<'_>) {
    assert_eq!(left.compare(right), right.compare(left).reverse());
    assert!(left.as_safe_integer().is_none() || left.is_integer());
    assert!(!left.is_zero() || (left.is_integer() && !left.is_negative()));
    assert!(left.as_unit_thousandths().is_none_or(|thousandths| thousandths <= 1000));
}

fn read(value: Value<'_>) -> serde_json::Value {
    match value.kind() {
        Kind::Array => value.items().map(read).collect(),
        Kind::Object => value.members().map(|(key, value)| (key.decode().into_owned(), read(value))).collect(),
        Kind::String => value.as_str().map(|text| text.decode().into_owned().into()).unwrap_or_default(),
        _ => serde_json::from_str(value.raw()).expect("a scalar"),
    }
}
