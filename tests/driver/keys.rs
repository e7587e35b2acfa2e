//! K: keys that break objects, values that break parsers, and amounts that break memory.

use mcp_sampling::json::{Value, quote};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::{Scenario, Setup};
use super::server::{body, complete, envelope, result, stream};
use super::texts::{FORM, SAMPLE, SAMPLED, asks, asks_json};

/// Keys between their quotes, as they go over the wire.
const HOSTILE: &[&str] = &[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "",
    " ",
    "0",
    "00",
    "-1",
    "4294967295",
    "1e3",
    "length",
    "inputResponses",
    "requestState",
    "resultType",
    "😀",
    r"\ud83d\ude00\ud83d",
    r"\ud800",
    r"\u0000",
    r#"\"},\"requestState\":\"x"#,
    r"a\/b",
    "a.b[0]/~1",
    "e\u{301}",
    "\u{feff}",
    "\u{202e}\u{2028}",
];

fn asked(requests: &[(&str, &str)]) -> Scenario {
    Setup::tool()
        .limits(|limits| limits.max_requests_per_round = usize::MAX)
        .server([asks(requests, Some("s")), complete("x")])
        .run()
}

/// An array in an array in an array.
fn deep(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[test]
fn k1_hostile_keys_come_back_as_they_were() {
    let requests: Vec<_> = HOSTILE.iter().map(|key| (*key, SAMPLE)).collect();
    let keys: Vec<_> = asked(&requests).responses(2).into_iter().map(|(key, _)| key.to_owned()).collect();
    assert_eq!(keys, HOSTILE);
}

#[test]
fn k1_each_hostile_key_alone() {
    for key in HOSTILE {
        assert_eq!(asked(&[(key, FORM)]).responses(2)[0].0, *key);
    }
}

#[test]
fn k1_a_key_of_a_megabyte_comes_back_and_is_cut_in_messages() {
    let key = "🔑k".repeat((1 << 20) / 5);
    assert_eq!(asked(&[(&key, SAMPLE)]).responses(2)[0].0, key);
    let mut refused = Setup::slow_tool().server([asks(&[(&key, SAMPLE)], None)]).run();
    refused.answer(&key, "{}");
    assert!(refused.error().message().len() < 600 && refused.fact("key").unwrap().len() < 400);
    let unknown = Setup::tool().server([asks(&[(&key, r#"{"method":"x"}"#)], None)]).run();
    assert!(unknown.error().message().len() < 600 && unknown.error().data().len() < 800);
}

#[test]
fn k2_k9_prototype_keys_in_answers_and_params_survive() {
    let params = r#"{"name":"t","arguments":{"__proto__":{"polluted":1}},"__proto__":{"a":1},"constructor":{}}"#;
    let answer = SAMPLED.replacen('{', r#"{"__proto__":{"polluted":1},"#, 1);
    let mut scenario =
        Setup::slow_tool().params(params).server([asks(&[("__proto__", SAMPLE)], None), complete("x")]).run();
    scenario.answer("__proto__", &answer);
    assert_eq!(scenario.param(2, "__proto__"), Some(r#"{"a":1}"#));
    assert_eq!(scenario.responses(2), [("__proto__", answer.as_str())]);
}

#[test]
fn k5_names_of_object_members_are_no_methods() {
    for method in ["constructor", "__proto__", "toString", "hasOwnProperty"] {
        let scenario = asked(&[("a", &format!(r#"{{"method":"{method}"}}"#))]);
        assert_eq!((scenario.error().code(), scenario.legs()), ("INVALID_RESULT", 1));
    }
}

#[test]
fn k6_a_form_may_have_fields_with_such_names() {
    let schema = r#"{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"number"}},"required":["__proto__"]}"#;
    let request = format!(r#"{{"method":"elicitation/create","params":{{"message":"?","requestedSchema":{schema}}}}}"#);
    for (content, good) in [
        (r#"{"__proto__":"a","toString":1}"#, true),
        (r#"{"__proto__":{},"toString":1}"#, false),
        (r#"{"toString":1}"#, false),
    ] {
        let mut scenario = Setup::slow_tool().server([asks(&[("a", &request)], None), complete("x")]).run();
        scenario.answer("a", &format!(r#"{{"action":"accept","content":{content}}}"#));
        assert_eq!(scenario.legs() == 2, good, "{content}");
    }
    let odd = request.replace("\"type\":\"number\"", "\"type\":\"constructor\"");
    assert_eq!(asked(&[("a", &odd)]).error().code(), "INVALID_INPUT_REQUEST");
}

#[test]
fn k7_depth_is_no_trap() {
    let deep = deep(10_000);
    let params = format!(r#"{{"name":"t","arguments":{{"d":{deep}}}}}"#);
    let asked = asks_json(
        &[("a", &SAMPLE.replace("\"maxTokens\"", &format!("\"metadata\":{{\"d\":{deep}}},\"maxTokens\"")))],
        None,
    );
    let done = format!(r#"{{"resultType":"complete","structuredContent":{deep}}}"#);
    let mut scenario = Setup::slow_tool().params(&params).server([result(&asked), result(&done)]).run();
    let answer = SAMPLED.replacen('{', &format!("{{\"_meta\":{{\"d\":{deep}}},"), 1);
    scenario.answer("a", &answer);
    assert_eq!((scenario.responses(2)[0].1, scenario.result()), (answer.as_str(), done.as_str()));
}

#[test]
fn k7_depth_in_every_place_where_a_type_is_expected() {
    let deep = deep(10_000);
    for json in [
        deep.clone(),
        format!(r#"{{"resultType":{deep}}}"#),
        format!(r#"{{"resultType":"input_required","requestState":{deep}}}"#),
        format!(r#"{{"resultType":"input_required","inputRequests":{{"a":{deep}}}}}"#),
        format!(r#"{{"resultType":"input_required","inputRequests":{{"a":{{"method":{deep}}}}}}}"#),
        asks_json(&[("a", &SAMPLE.replace("\"Hi\"", &deep))], None),
        asks_json(&[("a", &FORM.replace("\"string\"", &deep))], None),
    ] {
        let scenario = Setup::tool().server([result(&json)]).run();
        assert!(scenario.error().code().starts_with("INVALID_") && scenario.error().message().len() < 600);
    }
}

#[test]
fn k8_one_byte_order_mark_before_a_body_or_a_stream_is_dropped() {
    let done = envelope(r#"{"resultType":"complete"}"#);
    assert!(!Setup::tool().server([body(&format!("\u{feff}{done}"))]).run().result().is_empty());
    let mut streamed = stream([done.as_str()]);
    streamed.chunks[0].insert(0, '\u{feff}');
    assert!(!Setup::tool().server([streamed]).run().result().is_empty());
    let twice = body(&format!("\u{feff}\u{feff}{done}"));
    assert_eq!(Setup::tool().server([twice]).run().error().code(), "PARSE_ERROR");
}

#[test]
fn k10_the_entries_of_a_round_are_bounded() {
    let keys: Vec<_> = (0..65).map(|n| n.to_string()).collect();
    let requests: Vec<_> = keys.iter().map(|key| (key.as_str(), SAMPLE)).collect();
    let run = |requests: &[(&str, &str)]| Setup::tool().server([asks(requests, None), complete("x")]).run();
    assert_eq!(run(&requests[..64]).responses(2).len(), 64);
    let scenario = run(&requests);
    assert_eq!(scenario.error().code(), "INPUT_REQUIRED_REQUESTS_EXCEEDED");
    assert_eq!((scenario.fact("requests").unwrap().as_str(), scenario.legs()), ("65", 1));
    assert_eq!(scenario.fact("maxRequestsPerRound").unwrap(), "64");
}

#[test]
fn k10_thousands_of_entries_are_answered_where_that_is_allowed() {
    let keys: Vec<_> = (0..5_000).map(|n| format!("{}", n * 7_919 % 5_000)).collect();
    let requests: Vec<_> = keys.iter().map(|key| (key.as_str(), FORM)).collect();
    let scenario = asked(&requests);
    let back: Vec<_> = scenario.responses(2).into_iter().map(|(key, _)| key).collect();
    assert_eq!(back, keys);
}

#[test]
fn k10_a_hundred_thousand_entries_are_refused_quickly() {
    let entries: Vec<_> = (0..100_000).map(|n| format!(r#""{n}":{{"method":"roots/list"}}"#)).collect();
    let json = format!(r#"{{"resultType":"input_required","inputRequests":{{{}}}}}"#, entries.join(","));
    assert_eq!(Setup::tool().server([result(&json)]).run().error().code(), "INPUT_REQUIRED_REQUESTS_EXCEEDED");
}

#[test]
fn integers_of_any_size_pass_through() {
    let big = format!("1{}", "0".repeat(21));
    let params = format!(r#"{{"name":"t","arguments":{{"n":{big},"negative":-{big}}}}}"#);
    let scenario = Setup::tool().params(&params).server([asks(&[(&big, SAMPLE)], Some(&big)), complete("x")]).run();
    assert_eq!(scenario.param(2, "arguments").unwrap(), format!(r#"{{"n":{big},"negative":-{big}}}"#));
    assert_eq!(scenario.param(2, "requestState").unwrap(), quote(&big));
    assert_eq!(scenario.responses(2)[0].0, big);
    assert_eq!(scenario.leg(2).params().get("arguments").map(Value::raw), scenario.param(1, "arguments"));
}
