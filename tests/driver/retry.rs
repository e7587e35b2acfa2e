//! R: the call that is sent again, byte for byte.

use std::cell::Cell;
use std::rc::Rc;

use mcp_sampling::driver::Call;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::{Scenario, Setup};
use super::server::{complete, result};
use super::texts::{FORM, LISTED, ROOTS, SAMPLE, SAMPLED, asks, asks_json, parse, waits};

/// A call that is asked once, with this state, and then completed.
fn echoed(state: &str) -> Scenario {
    Setup::tool().server([asks(&[("a", SAMPLE)], Some(state)), complete("x")]).run()
}

#[test]
fn r1_nothing_of_the_params_changes() {
    let params =
        r#"{ "name":"t\u0041","arguments":{"z":1,"a":{"b":[1.0, 2e5]},"n":12345678901234567890123},"x":null }"#;
    let scenario = Setup::tool().params(params).server([asks(&[("a", SAMPLE)], Some("s")), complete("x")]).run();
    let first = r#""name":"t\u0041","arguments":{"z":1,"a":{"b":[1.0, 2e5]},"n":12345678901234567890123},"x":null,"#;
    for leg in [1, 2] {
        assert!(scenario.leg(leg).params().raw().starts_with(&format!("{{{first}")), "leg {leg}");
    }
    assert_eq!(scenario.leg(2).body.root().get("method").unwrap().raw(), "\"tools/call\"");
}

#[test]
fn r2_every_leg_has_an_id_of_its_own() {
    let rounds = (0..10).map(|_| asks(&[("a", SAMPLE)], Some("s"))).chain([complete("x")]);
    let scenario = Setup::tool().server(rounds).run();
    let ids: Vec<_> = scenario.server.legs.iter().map(|leg| leg.id).collect();
    assert_eq!(ids, (1..=11).collect::<Vec<_>>());
}

#[test]
fn r3_r16_r17_the_state_token_comes_back_byte_for_byte() {
    for state in [
        r"a\/b\u0041\ud800 ",
        " blanks at both ends  ",
        r#"\"quoted\" {\"json\":[1.0,1e400]}"#,
        r"\u0000\u001f\u007f\uffff\udc00\ud83d\ude00",
        "ключ 🔑 \u{2028}\u{feff}",
        "YWJj+/==",
        "null",
    ] {
        assert_eq!(echoed(state).param(2, "requestState"), Some(format!("\"{state}\"").as_str()), "{state:?}");
    }
}

#[test]
fn r3_a_state_of_megabytes_is_not_cut() {
    let state = "0123456789abcdef".repeat(1 << 18);
    assert_eq!(echoed(&state).param(2, "requestState").unwrap().len(), state.len() + 2);
}

#[test]
fn r4_a_state_that_looks_like_json_stays_a_string() {
    for state in [r#"{\"round\":1,\"done\":false}"#, "[]", "12345678901234567890123", "true"] {
        assert_eq!(echoed(state).param(2, "requestState"), Some(format!("\"{state}\"").as_str()));
    }
}

#[test]
fn r5_without_a_state_in_the_result_the_retry_has_none() {
    let server = [asks(&[("a", SAMPLE)], Some("first")), asks(&[("b", SAMPLE)], None), complete("x")];
    let scenario = Setup::tool().server(server).run();
    assert_eq!(scenario.param(2, "requestState"), Some("\"first\""));
    assert_eq!(scenario.param(3, "requestState"), None);
}

#[test]
fn r6_the_newest_round_replaces_the_one_before() {
    let server = [asks(&[("a", SAMPLE)], Some("1")), asks(&[("b", ROOTS)], Some("2")), complete("x")];
    let scenario = Setup::tool().server(server).run();
    assert_eq!(scenario.responses(2), [("a", SAMPLED)]);
    assert_eq!(scenario.responses(3), [("b", LISTED)]);
    assert_eq!(scenario.param(3, "requestState"), Some("\"2\""));
}

#[test]
fn r7_no_requests_no_responses() {
    let server = [asks(&[("a", SAMPLE)], Some("1")), waits("2"), complete("x")];
    let mut scenario = Setup::tool().server(server).run();
    scenario.pass(250.0);
    assert_eq!(scenario.param(3, "inputResponses"), None);
    assert_eq!(scenario.param(3, "requestState"), Some("\"2\""));
}

#[test]
fn r8_every_key_has_its_answer_and_no_other_is_there() {
    let requests = [("z", SAMPLE), ("10", ROOTS), ("2", FORM), ("a", SAMPLE)];
    let scenario = Setup::tool().server([asks(&requests, None), complete("x")]).run();
    let keys: Vec<_> = scenario.responses(2).into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["z", "10", "2", "a"]);
}

#[test]
fn r9_r10_the_answers_are_bare_and_as_the_handlers_gave_them() {
    let mut scenario = Setup::slow_tool().server([asks(&[("a", SAMPLE), ("b", ROOTS)], None), complete("x")]).run();
    let sampled =
        r#"{"model":"m","content":{"text":"\u0041\/","type":"text","n":1.0},"role":"assistant","x":{"__proto__":1}}"#;
    scenario.answer("b", r#"{"roots":[]}"#);
    scenario.answer("a", sampled);
    assert_eq!(scenario.responses(2), [("a", sampled), ("b", r#"{"roots":[]}"#)]);
    assert!(!scenario.leg(2).params().get("inputResponses").unwrap().raw().contains("resultType"));
}

#[test]
fn r11_a_server_may_ask_again_after_all_was_answered() {
    let again = || asks(&[("a", SAMPLE), ("b", SAMPLE)], Some("s"));
    let scenario = Setup::tool().server([again(), again(), complete("x")]).run();
    assert_eq!(scenario.responses(3).len(), 2);
    assert!(!scenario.is_open());
}

#[test]
fn r12_stale_answers_and_state_of_the_caller_do_not_leak() {
    let params = r#"{"name":"t","inputResponses":{"old":{}},"requestState":"old","arguments":{"requestState":"kept"}}"#;
    let server = [asks(&[("a", SAMPLE)], None), waits("new"), complete("x")];
    let mut scenario = Setup::tool().params(params).server(server).run();
    scenario.pass(250.0);
    let states: Vec<_> = (1..=3).map(|leg| scenario.param(leg, "requestState")).collect();
    assert_eq!(states, [None, None, Some("\"new\"")]);
    let keys: Vec<Vec<_>> =
        (1..=3).map(|leg| scenario.responses(leg).into_iter().map(|(key, _)| key).collect()).collect();
    assert_eq!(keys, [vec![], vec!["a"], vec![]]);
    assert_eq!(scenario.param(3, "arguments"), Some(r#"{"requestState":"kept"}"#));
}

#[test]
fn r13_the_params_of_the_caller_are_not_changed() {
    let text = r#"{"name":"t","requestState":"old","_meta":{"a":1}}"#;
    let params = parse(text);
    let call = Call::new("tools/call", Some(params.clone()), Default::default());
    let server = [asks(&[("a", SAMPLE)], Some("s")), complete("x")];
    let scenario = Setup::tool().server(server).run_call(call);
    assert_eq!((scenario.legs(), params.text()), (2, text));
}

/// Each call answers its own question, with its own state, whatever else is in flight.
#[test]
fn r14_thousands_of_calls_at_once_keep_apart() {
    const CALLS: usize = 4_000;
    let ids = Rc::new(Cell::new(1));
    let name = |call: usize| format!("call {call}");
    let begin = |call: usize| {
        let params = format!(r#"{{"name":"t","arguments":{{"n":{call}}}}}"#);
        let server = [asks(&[("same", SAMPLE)], Some(&name(call))), complete(&name(call))];
        Setup::slow_tool().params(&params).client(|client| client.ids = Rc::clone(&ids)).server(server).run()
    };
    let mut calls: Vec<_> = (0..CALLS).map(begin).collect();
    // 1,709 and the number of calls have no common divisor: every call has its turn, far from its neighbours.
    for at in (0..CALLS).map(|turn| turn * 1_709 % CALLS) {
        calls[at].answer("same", &SAMPLED.replace("Hello", &name(at)));
    }
    for (at, call) in calls.iter().enumerate() {
        assert_eq!(call.param(2, "requestState"), Some(format!("\"{}\"", name(at)).as_str()));
        assert!(call.responses(2)[0].1.contains(&format!("\"{}\"", name(at))));
        assert!(call.result().contains(&format!("\"{}\"", name(at))));
    }
    assert_eq!(ids.get() as usize, 2 * CALLS + 1);
}

#[test]
fn r14_a_later_identical_call_knows_nothing_of_an_earlier_one() {
    let first = echoed("secret");
    let ids = Rc::clone(&first.client.ids);
    let second = Setup::tool().client(|client| client.ids = ids).server([complete("x")]).run();
    assert_eq!((second.param(1, "requestState"), second.param(1, "inputResponses")), (None, None));
    assert_ne!(first.leg(1).id, second.leg(1).id);
}

#[test]
fn r15_a_call_that_waits_for_a_person_holds_up_no_other() {
    let mut slow = Setup::slow_tool().server([asks(&[("a", FORM)], Some("s")), complete("slow")]).run();
    let ids = Rc::clone(&slow.client.ids);
    let other = Setup::tool().client(|client| client.ids = ids).server([complete("other")]).run();
    assert!(other.result().contains("other") && slow.is_open());
    slow.answer("a", r#"{"action":"decline"}"#);
    assert!(slow.result().contains("slow"));
}

#[test]
fn r18_numbers_and_spellings_of_others_survive() {
    let big = "1".repeat(22);
    let params = format!(r#"{{"name":"t","arguments":{{"big":{big},"one":1.0,"zero":-0,"far":1e999}}}}"#);
    let asked =
        asks_json(&[("a", SAMPLE)], Some("s")).replace("\"maxTokens\":9", "\"maxTokens\":9,\"metadata\":{\"n\":1.0}");
    let done = format!(r#"{{"resultType":"complete","structuredContent":{{"big":{big},"n":1.0}}}}"#);
    let mut scenario = Setup::slow_tool().params(&params).server([result(&asked), result(&done)]).run();
    assert!(scenario.open[0].params().unwrap().raw().contains("\"n\":1.0"));
    scenario.answer("a", &SAMPLED.replace("\"text\":\"Hello\"", &format!("\"text\":\"Hello\",\"big\":{big}")));
    assert_eq!(scenario.param(2, "arguments").unwrap(), format!(r#"{{"big":{big},"one":1.0,"zero":-0,"far":1e999}}"#));
    assert!(scenario.responses(2)[0].1.contains(&big));
    assert_eq!(scenario.result(), done);
}
