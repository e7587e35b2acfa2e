//! M: rounds that the caller does by hand.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use mcp_sampling::driver::Limits;
use mcp_sampling::mrtr::Accepts;
use mcp_sampling::mrtr::{Outcome, ResultRules, outcome};

use super::scenario::Setup;
use super::server::{complete, result};
use super::texts::{SAMPLE, SAMPLED, asks, asks_json, parse, waits};

fn off(setup: Setup) -> Setup {
    setup.limits(|limits| limits.set(Limits::AUTO_FULFILL, false))
}

#[test]
fn m1_switched_off_a_request_for_input_is_an_error_and_nothing_is_resent() {
    for says in [asks(&[("a", SAMPLE)], Some("s")), waits("s")] {
        let mut scenario = off(Setup::tool()).server([says, complete("x")]).run();
        scenario.pass(1e9);
        assert_eq!((scenario.error().code(), scenario.legs()), ("UNSUPPORTED_RESULT_TYPE", 1));
        assert_eq!(scenario.fact("resultType").unwrap(), "\"input_required\"");
        assert!(scenario.error().message().contains("allowInputRequired"));
    }
}

#[test]
fn m2_m4_the_caller_gets_the_request_as_it_came() {
    let json = asks_json(&[("__proto__", SAMPLE), ("1", r#"{"method":"unheard/of"}"#)], Some(r"\ud800"))
        .replace("unheard/of", "roots/list");
    for setup in [Setup::tool(), off(Setup::tool())] {
        let scenario = setup.manual().server([result(&json)]).run();
        assert_eq!((scenario.result(), scenario.legs()), (json.as_str(), 1));
    }
}

#[test]
fn m2_a_complete_result_is_the_same_in_manual_mode() {
    assert!(Setup::tool().manual().server([complete("x")]).run().result().contains("complete"));
}

#[test]
fn m3_the_answers_and_the_state_of_the_caller_go_out_untouched() {
    let answers = r#"{"__proto__":{"action":"decline"}, "a":{"n":1.0}}"#;
    let params = format!(r#"{{"name":"t","inputResponses":{answers},"requestState":"\ud800\/"}}"#);
    for setup in [Setup::tool().manual(), off(Setup::tool().manual())] {
        let scenario = setup.params(&params).server([complete("x")]).run();
        assert_eq!(scenario.param(1, "inputResponses"), Some(answers));
        assert_eq!(scenario.param(1, "requestState"), Some(r#""\ud800\/""#));
        assert_eq!(scenario.param(1, "name"), Some("\"t\""));
    }
}

#[test]
fn m3_two_calls_make_a_round() {
    let first = Setup::tool().manual().server([asks(&[("a", SAMPLE)], Some("s"))]).run();
    let asked = parse(first.result());
    let state = asked.root().get("requestState").unwrap().raw();
    let params = format!(r#"{{"name":"t","inputResponses":{{"a":{SAMPLED}}},"requestState":{state}}}"#);
    let ids = first.client.ids.clone();
    let second = Setup::tool().client(|client| client.ids = ids).manual().params(&params).server([complete("x")]).run();
    assert_eq!(second.responses(1), [("a", SAMPLED)]);
    assert_ne!(first.leg(1).id, second.leg(1).id);
}

#[test]
fn m5_both_kinds_of_result_can_be_told_apart_by_the_caller() {
    for (json, wants) in [(asks_json(&[("a", SAMPLE)], None), true), (r#"{"resultType":"complete"}"#.to_owned(), false)]
    {
        let scenario = Setup::tool().manual().server([result(&json)]).run();
        let document = parse(scenario.result());
        let found = outcome("tools/call", document.root(), ResultRules::default()).unwrap();
        assert_eq!(matches!(found, Outcome::InputRequired(_)), wants);
    }
}

#[test]
fn m6_broken_results_are_refused_in_manual_mode_too() {
    for (json, code) in [
        (r#"{"resultType":"input_required"}"#, "INVALID_RESULT"),
        (r#"{"resultType":"input_required","inputRequests":{}}"#, "INVALID_RESULT"),
        (r#"{"resultType":"input_required","requestState":1}"#, "INVALID_RESULT"),
        (r#"{"resultType":"input_required","inputRequests":{"a":{"method":"ping"}}}"#, "INVALID_RESULT"),
        (r#"{"resultType":"other"}"#, "UNSUPPORTED_RESULT_TYPE"),
        (r#"{"resultType":null}"#, "INVALID_RESULT"),
    ] {
        let scenario = Setup::tool().manual().server([result(json)]).run();
        assert_eq!((scenario.error().code(), scenario.legs()), (code, 1), "{json}");
    }
    let list = Setup::new("tools/list", "").manual().server([waits("s")]).run();
    assert_eq!(list.error().code(), "INVALID_RESULT");
}

#[test]
fn p5_in_manual_mode_a_capability_needs_no_handler() {
    let setup = Setup::tool().handlers(Accepts::default()).declares(r#"{"sampling":{}}"#).manual();
    let scenario = setup.server([asks(&[("a", SAMPLE)], None)]).run();
    assert!(scenario.result().contains("inputRequests"));
    assert_eq!(scenario.leg(1).meta("io.modelcontextprotocol/clientCapabilities"), Some(r#"{"sampling":{}}"#));
}
