//! `elicitation/create`: what may be asked, which answers fit, and what the defaults of a form add.
//! Specification: client/elicitation.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use mcp_sampling::json::Document;
use mcp_sampling::mrtr::elicitation::{Mode, check_request, check_result, fill_defaults, mode};
use mcp_sampling::sampling::Findings;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Params of a form with these properties.
fn form(properties: &str) -> String {
    format!(r#"{{"message":"?","requestedSchema":{{"type":"object","properties":{properties}}}}}"#)
}

/// Rule and place of each finding.
fn places(findings: &Findings) -> Vec<String> {
    assert!(findings.warnings.is_empty());
    findings.errors.iter().map(|finding| format!("{} {}", finding.rule, finding.path)).collect()
}

fn request(params: &str) -> Vec<String> {
    let mut findings = Findings::default();
    check_request(parse(params).root(), &mut findings);
    places(&findings)
}

fn answer(params: &str, result: &str) -> Vec<String> {
    let mut findings = Findings::default();
    check_result(parse(result).root(), parse(params).root(), &mut findings);
    places(&findings)
}

/// The rule that a value breaks in a form whose only field `f` has this schema; empty if it fits.
fn value(field: &str, value: &str) -> String {
    let found =
        answer(&form(&format!(r#"{{"f":{field}}}"#)), &format!(r#"{{"action":"accept","content":{{"f":{value}}}}}"#));
    assert!(found.len() <= 1, "{found:?}");
    found.concat()
}

#[test]
fn e8_a_request_without_mode_is_a_form() {
    for (params, expected) in [
        ("{}", Some(Mode::Form)),
        (r#"{"mode":"form"}"#, Some(Mode::Form)),
        (r#"{"mode":"url"}"#, Some(Mode::Url)),
        (r#"{"mode":"ur\u006c"}"#, Some(Mode::Url)),
        (r#"{"mode":"URL"}"#, None),
        (r#"{"mode":""}"#, None),
        (r#"{"mode":null}"#, None),
        (r#"{"mode":["url"]}"#, None),
    ] {
        assert_eq!(mode(parse(params).root()), expected, "{params}");
    }
    assert_eq!(mode(parse("null").root()), Some(Mode::Form));
}

#[test]
fn requests_have_a_message_and_what_their_mode_needs() {
    for (params, expected) in [
        (form("{}").as_str(), ""),
        (r#"{"mode":"url","message":"?","url":"https://a"}"#, ""),
        (r#"{"requestedSchema":{"type":"object","properties":{}}}"#, "elicitation-message /message"),
        (r#"{"message":7,"requestedSchema":{"type":"object","properties":{}}}"#, "elicitation-message /message"),
        (r#"{"message":"?","mode":"fax"}"#, "elicitation-mode /mode"),
        (r#"{"message":"?"}"#, "elicitation-schema /requestedSchema"),
        (r#"{"message":"?","requestedSchema":{}}"#, "elicitation-schema /requestedSchema"),
        (r#"{"message":"?","requestedSchema":{"properties":{}}}"#, "elicitation-schema /requestedSchema"),
        (
            r#"{"message":"?","requestedSchema":{"type":"array","properties":{}}}"#,
            "elicitation-schema /requestedSchema",
        ),
        (
            r#"{"message":"?","requestedSchema":{"type":"object","properties":[]}}"#,
            "elicitation-schema /requestedSchema",
        ),
        (r#"{"message":"?","mode":"url"}"#, "elicitation-url /url"),
        (r#"{"message":"?","mode":"url","url":null}"#, "elicitation-url /url"),
    ] {
        assert_eq!(request(params).join(", "), expected, "{params}");
    }
    assert_eq!(request("null").len(), 2);
}

#[test]
fn the_fields_of_a_form_are_primitive() {
    for field in [
        r#"{"type":"string","format":"email","minLength":1,"title":"T"}"#,
        r#"{"type":"number"}"#,
        r#"{"type":"integer"}"#,
        r#"{"type":"boolean","default":false}"#,
        r#"{"type":"string","enum":["a","b"],"enumNames":["A","B"]}"#,
        r#"{"type":"string","oneOf":[{"const":"a","title":"A"}]}"#,
        r#"{"type":"array","items":{"type":"string","enum":["a"]}}"#,
        r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}"#,
        r#"{"type":"s\u0074ring"}"#,
    ] {
        assert!(request(&form(&format!(r#"{{"f":{field}}}"#))).is_empty(), "{field}");
    }
    for field in [
        r#"{"type":"object","properties":{}}"#,
        r#"{"type":"null"}"#,
        r#"{"type":["string","null"]}"#,
        r#"{"type":"String"}"#,
        r#"{"type":"array"}"#,
        r#"{"type":"array","items":{"type":"object"}}"#,
        r#"{"type":"array","items":{"type":"string"}}"#,
        r#"{"type":"constructor"}"#,
        r#"{"enum":["a"]}"#,
        "{}",
        "null",
        "[]",
        "true",
    ] {
        let found = request(&form(&format!(r#"{{"ok":{{"type":"string"}},"a/b":{field}}}"#)));
        assert_eq!(found, ["elicitation-schema-field /requestedSchema/properties/a~1b"], "{field}");
    }
}

#[test]
fn e11_the_action_decides_whether_there_is_content() {
    let form = form("{}");
    let url = r#"{"mode":"url","message":"?","url":"https://a"}"#;
    for (params, result, expected) in [
        (form.as_str(), r#"{"action":"accept","content":{}}"#, ""),
        (&form, r#"{"action":"decline"}"#, ""),
        (&form, r#"{"action":"c\u0061ncel"}"#, ""),
        (url, r#"{"action":"accept"}"#, ""),
        (&form, r#"{"action":"accept"}"#, "elicitation-content /content"),
        (&form, r#"{"action":"accept","content":null}"#, "elicitation-content /content"),
        (&form, r#"{"action":"accept","content":[]}"#, "elicitation-content /content"),
        (&form, r#"{"action":"decline","content":{}}"#, "elicitation-content /content"),
        (&form, r#"{"action":"cancel","content":null}"#, "elicitation-content /content"),
        (url, r#"{"action":"accept","content":{}}"#, "elicitation-content /content"),
        (&form, r#"{"action":"Accept","content":{}}"#, "elicitation-action /action"),
        (&form, r#"{"action":"reject"}"#, "elicitation-action /action"),
        (&form, r#"{"action":null}"#, "elicitation-action /action"),
        (&form, "{}", "elicitation-action /action"),
        (&form, "[]", "elicitation-action /action"),
        (&form, "\"accept\"", "elicitation-action /action"),
    ] {
        assert_eq!(answer(params, result).join(", "), expected, "{result}");
    }
}

#[test]
fn values_that_fit_their_field() {
    for (field, value_text) in [
        (r#"{"type":"string"}"#, "\"\""),
        (r#"{"type":"string","minLength":2,"maxLength":2}"#, "\"é😀\""),
        (r#"{"type":"string","maxLength":1}"#, r#""\ud83d\ude00""#),
        (r#"{"type":"string","enum":["a","\u0062"]}"#, r#""b""#),
        (r#"{"type":"string","oneOf":[{"const":"a","title":"A"}]}"#, r#""\u0061""#),
        (r#"{"type":"number","minimum":0.5,"maximum":1e3}"#, "0.50"),
        (r#"{"type":"number","minimum":0.5,"maximum":1e3}"#, "1000"),
        (r#"{"type":"number"}"#, "1e400"),
        (r#"{"type":"integer"}"#, "2.0"),
        (r#"{"type":"integer"}"#, "1000000000000000000000"),
        (r#"{"type":"integer","maximum":1000000000000000000000}"#, "1e21"),
        (r#"{"type":"boolean"}"#, "false"),
        (r#"{"type":"array","items":{"enum":["a","b"]},"minItems":1,"maxItems":2}"#, r#"["b","a"]"#),
        (r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}"#, r#"["a"]"#),
        (r#"{"type":"array","items":{"enum":["a"]}}"#, "[]"),
    ] {
        assert_eq!(value(field, value_text), "", "{value_text} in {field}");
    }
}

#[test]
fn values_that_do_not_fit_their_field() {
    for (field, value_text) in [
        (r#"{"type":"string"}"#, "null"),
        (r#"{"type":"string"}"#, "1"),
        (r#"{"type":"string","minLength":2}"#, "\"😀\""),
        (r#"{"type":"string","maxLength":1}"#, "\"ab\""),
        (r#"{"type":"string","enum":["a"]}"#, "\"A\""),
        (r#"{"type":"string","enum":[]}"#, "\"a\""),
        (r#"{"type":"string","oneOf":[{"const":"a","title":"b"}]}"#, "\"b\""),
        (r#"{"type":"number"}"#, "\"1\""),
        (r#"{"type":"number","minimum":0.5}"#, "0.4999999999999999999999"),
        (r#"{"type":"number","maximum":1e3}"#, "1000.000000000000000001"),
        (r#"{"type":"number","minimum":0}"#, "-1e-400"),
        (r#"{"type":"integer"}"#, "1.5"),
        (r#"{"type":"integer"}"#, "1e-1"),
        (r#"{"type":"integer","minimum":3}"#, "2"),
        (r#"{"type":"boolean"}"#, "\"true\""),
        (r#"{"type":"boolean"}"#, "0"),
        (r#"{"type":"array","items":{"enum":["a"]}}"#, "\"a\""),
        (r#"{"type":"array","items":{"enum":["a"]}}"#, r#"["b"]"#),
        (r#"{"type":"array","items":{"enum":["a"]}}"#, "[1]"),
        (r#"{"type":"array","items":{"enum":["a"]},"minItems":1}"#, "[]"),
        (r#"{"type":"array","items":{"enum":["a"]},"maxItems":1}"#, r#"["a","a"]"#),
        (r#"{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}"#, r#"["A"]"#),
    ] {
        assert_eq!(value(field, value_text), "elicitation-value /content/f", "{value_text} in {field}");
    }
}

#[test]
fn required_fields_are_there_and_unknown_ones_are_flat() {
    let params = r#"{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"},"__proto__":{"type":"string"}},"required":["a","__proto__","\u0062"]}}"#;
    for (content, expected) in [
        (r#"{"a":"","__proto__":"","b":1}"#, ""),
        (
            "{}",
            "elicitation-required /content/a, elicitation-required /content/__proto__, elicitation-required /content/b",
        ),
        (r#"{"a":null,"__proto__":"","b":1}"#, "elicitation-value /content/a"),
        (r#"{"a":"","__proto__":{},"b":1}"#, "elicitation-value /content/__proto__"),
        (r#"{"a":"","__proto__":"","b":["x"],"c":true}"#, ""),
        (r#"{"a":"","__proto__":"","b":null}"#, "elicitation-value /content/b"),
        (r#"{"a":"","__proto__":"","b":{"n":1}}"#, "elicitation-value /content/b"),
        (r#"{"a":"","__proto__":"","b":[1]}"#, "elicitation-value /content/b"),
    ] {
        let found = answer(params, &format!(r#"{{"action":"accept","content":{content}}}"#));
        assert_eq!(found.join(", "), expected, "{content}");
    }
}

const WITH_DEFAULTS: &str = r#"{"s":{"type":"string","default":"\u0041"},"n":{"type":"number","default":1.0},"b":{"type":"boolean","default":false},"c":{"type":"array","items":{"enum":["x"]},"default":["x"]},"e":{"type":"string","enum":["y"],"default":"y"},"none":{"type":"string"}}"#;

#[test]
fn e13_defaults_fill_only_what_is_left_out() {
    let all = r#""s":"\u0041","n":1.0,"b":false,"c":["x"],"e":"y""#;
    for (result, expected) in [
        (r#"{"action":"accept"}"#, Some(format!(r#"{{"action":"accept","content":{{{all}}}}}"#))),
        (r#"{"action":"accept","content":{}}"#, Some(format!(r#"{{"action":"accept","content":{{{all}}}}}"#))),
        (
            r#"{"content":{"e":"y","b":true,"none":"z"},"_meta":{"a":1.0},"action":"accept"}"#,
            Some(r#"{"_meta":{"a":1.0},"action":"accept","content":{"e":"y","b":true,"none":"z","s":"\u0041","n":1.0,"c":["x"]}}"#.to_owned()),
        ),
        (r#"{"action":"accept","content":{"s":"","n":0,"b":true,"c":[],"e":"y"}}"#, None),
        (r#"{"action":"accept","content":null}"#, None),
        (r#"{"action":"decline"}"#, None),
        (r#"{"action":"cancel"}"#, None),
        ("[]", None),
    ] {
        let params = form(WITH_DEFAULTS);
        assert_eq!(fill_defaults(parse(result).root(), parse(&params).root()), expected, "{result}");
    }
}

#[test]
fn e13_an_explicit_value_is_never_replaced() {
    let params = form(r#"{"\u0061":{"type":"string","default":"d"}}"#);
    let result = r#"{"action":"accept","content":{"a":null}}"#;
    assert_eq!(fill_defaults(parse(result).root(), parse(&params).root()), None);
}

#[test]
fn e13_a_default_that_does_not_fit_its_field_is_left_out() {
    let params = form(
        r#"{"n":{"type":"integer","default":"1"},"e":{"type":"string","enum":["a"],"default":"b"},"ok":{"type":"integer","default":1}}"#,
    );
    let filled = fill_defaults(parse(r#"{"action":"accept"}"#).root(), parse(&params).root()).unwrap();
    assert_eq!(filled, r#"{"action":"accept","content":{"ok":1}}"#);
    assert!(answer(&params, &filled).is_empty());
}

#[test]
fn names_are_compared_by_meaning_lone_surrogates_included() {
    let params = r#"{"message":"?","requestedSchema":{"type":"object","properties":{"\ud800":{"type":"integer"},"\ud801":{"type":"string"},"a":{"type":"string"},"\\u0061":{"type":"boolean"}},"required":["\ud800","\uD801","\u0061"]}}"#;
    for (content, expected) in [
        (r#"{"\uD800":1,"\ud801":"x","a":"y"}"#, ""),
        (r#"{"\ud801":"x","\u0061":"y"}"#, "elicitation-required /content/\u{fffd}"),
        (r#"{"\ud800":"x","\ud801":"x","a":"y"}"#, "elicitation-value /content/\u{fffd}"),
        (r#"{"\ud800":1,"\ud801":"x","a":"y","\\u0061":7}"#, "elicitation-value /content/\\u0061"),
    ] {
        let found = answer(params, &format!(r#"{{"action":"accept","content":{content}}}"#));
        assert_eq!(found.join(", "), expected, "{content}");
    }
}

#[test]
fn of_two_fields_of_one_name_the_last_counts() {
    let params = form(r#"{"a":{"type":"number"},"b":{"type":"string"},"\u0061":{"type":"string"}}"#);
    assert!(answer(&params, r#"{"action":"accept","content":{"a":"x"}}"#).is_empty());
    assert_eq!(answer(&params, r#"{"action":"accept","content":{"a":1}}"#), ["elicitation-value /content/a"]);
}

#[test]
fn a_url_has_no_defaults() {
    let params =
        r#"{"mode":"url","message":"?","url":"https://a","requestedSchema":{"properties":{"a":{"default":1}}}}"#;
    assert_eq!(fill_defaults(parse(r#"{"action":"accept"}"#).root(), parse(params).root()), None);
    assert_eq!(fill_defaults(parse(r#"{"action":"accept"}"#).root(), parse("null").root()), None);
}

#[test]
fn a_form_of_a_hundred_thousand_fields_is_checked_quickly() {
    let fields: Vec<_> = (0..100_000).map(|n| format!(r#""{n}":{{"type":"integer","default":{n}}}"#)).collect();
    let params = form(&format!("{{{}}}", fields.join(",")));
    assert!(request(&params).is_empty());
    let filled = fill_defaults(parse(r#"{"action":"accept"}"#).root(), parse(&params).root()).unwrap();
    assert!(answer(&params, &filled).is_empty());
}
