//! C: how often, in which order, and what a failure stops.

use mcp_sampling::driver::{Event, Limits, MAX_ROUNDS, ReportKind, STATE_ONLY_DELAY_MS};
use mcp_sampling::error::{Code, Error};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::{Scenario, Setup};
use super::server::{Says, complete, envelope, error, http, open_stream, result, stream};
use super::texts::{FILLED, FORM, LISTED, ROOTS, SAMPLE, SAMPLED, asks, asks_json, waits};

const THREE: [(&str, &str); 3] = [("s", SAMPLE), ("f", FORM), ("r", ROOTS)];

fn asked(requests: &[(&str, &str)]) -> Scenario {
    Setup::slow_tool().server([asks(requests, Some("s")), complete("x")]).run()
}

fn thrown(message: &str) -> Error {
    Error::new(Code::HandlerFailed, message)
}

fn endless(setup: Setup, says: &Says, cap: u32) -> Scenario {
    let mut scenario =
        setup.limits(|limits| limits.max_rounds = cap).server(std::iter::repeat_n(says.clone(), 100)).run();
    scenario.pass(60_000.0);
    scenario
}

#[test]
fn c1_requests_are_fulfilled_by_default_and_not_when_switched_off() {
    let server = [asks(&[("a", SAMPLE)], None), complete("x")];
    assert_eq!(Setup::tool().server(server.clone()).run().log, ["send 1", "ask a", "send 2", "done"]);
    let off = Setup::tool().limits(|limits| limits.set(Limits::AUTO_FULFILL, false)).server(server).run();
    assert_eq!(off.log, ["send 1", "failed UNSUPPORTED_RESULT_TYPE"]);
}

#[test]
fn c2_rounds_go_on_until_the_result_is_complete() {
    let server =
        [asks(&[("a", SAMPLE)], Some("1")), waits("2"), asks(&[("b", FORM), ("c", ROOTS)], None), complete("end")];
    let mut scenario = Setup::tool().server(server).run();
    scenario.pass(250.0);
    assert_eq!(scenario.log, ["send 1", "ask a", "send 2", "send 3", "ask b", "ask c", "send 4", "done"]);
    assert!(scenario.result().contains("end"));
}

#[test]
fn c3_the_cap_counts_what_is_sent_again() {
    for cap in [0, 1, 3, MAX_ROUNDS] {
        let scenario = endless(Setup::tool(), &asks(&[("a", SAMPLE)], None), cap);
        assert_eq!(scenario.error().code(), "INPUT_REQUIRED_ROUNDS_EXCEEDED");
        assert_eq!(scenario.legs(), 1 + cap as usize);
        assert_eq!(scenario.log.iter().filter(|what| what.starts_with("ask")).count(), cap as usize);
    }
    assert_eq!(MAX_ROUNDS, 10);
}

#[test]
fn c4_legs_with_the_state_alone_count_too() {
    assert_eq!(endless(Setup::tool(), &waits("s"), 3).legs(), 4);
}

#[test]
fn c5_the_error_of_the_cap_has_the_rounds_and_the_last_result() {
    let says = asks(&[("a", SAMPLE)], Some(r"\ud800"));
    let scenario = endless(Setup::tool(), &says, 2);
    assert_eq!(scenario.fact("rounds").unwrap(), "2");
    assert_eq!(scenario.fact("method").unwrap(), "\"tools/call\"");
    assert!(says.chunks[0].contains(&scenario.fact("lastResult").unwrap()));
}

#[test]
fn c6_all_are_asked_before_any_answers_and_answers_go_by_key() {
    let mut scenario = asked(&THREE);
    assert_eq!(scenario.open_keys(), ["s", "f", "r"]);
    scenario.answer("r", LISTED);
    scenario.answer("s", SAMPLED);
    assert_eq!(scenario.legs(), 1);
    scenario.answer("f", FILLED);
    assert_eq!(scenario.responses(2), [("s", SAMPLED), ("f", FILLED), ("r", LISTED)]);
}

#[test]
fn c7_handlers_start_in_the_order_of_the_document() {
    let keys = ["z", "10", "9", "", "1", "a", "B", "__proto__", "é", "0"];
    let requests: Vec<_> = keys.iter().map(|key| (*key, SAMPLE)).collect();
    assert_eq!(asked(&requests).open_keys(), keys);
}

#[test]
fn c8_one_failed_handler_fails_the_call_and_nothing_is_sent() {
    let mut scenario = asked(&THREE);
    scenario.answer("s", SAMPLED);
    scenario.refuse("f", thrown("no"));
    assert_eq!((scenario.error().code(), scenario.legs()), ("HANDLER_FAILED", 1));
    assert_eq!(scenario.fact("key").unwrap(), "\"f\"");
    assert_eq!(scenario.fact("method").unwrap(), "\"elicitation/create\"");
}

#[test]
fn c9_c13_a_failure_stops_all_siblings_once() {
    let mut scenario = asked(&THREE);
    scenario.refuse("f", thrown("no"));
    assert_eq!(scenario.log, ["send 1", "ask s", "ask f", "ask r", "cancel asks", "failed HANDLER_FAILED"]);
}

/// The state machine is told before its effects were taken: what had not begun does not begin.
#[test]
fn c9_c12_what_had_not_begun_does_not_begin() {
    let mut scenario = Setup::slow_tool().run();
    let reply = scenario.reply(&asks(&THREE, None));
    scenario.call.handle(reply, 0.0);
    scenario.call.handle(Event::Abort, 0.0);
    scenario.handle(Event::Tick);
    assert_eq!(scenario.log, ["send 1", "cancel asks"]);
}

#[test]
fn c10_an_abort_before_the_retry_left_keeps_it_here() {
    let mut scenario = asked(&[("a", SAMPLE)]);
    let answered = scenario.answered("a", SAMPLED);
    scenario.call.handle(answered, 0.0);
    scenario.handle(Event::Abort);
    assert_eq!(scenario.legs(), 1);
}

#[test]
fn c10_an_abort_reaches_handlers_and_the_wait() {
    let mut asking = asked(&THREE);
    asking.handle(Event::Abort);
    assert_eq!(asking.log.last().unwrap(), "cancel asks");
    let mut waiting = Setup::tool().server([waits("s")]).run();
    waiting.handle(Event::Abort);
    waiting.pass(10_000.0);
    assert_eq!((waiting.legs(), waiting.call.deadline()), (1, None));
}

#[test]
fn c11_a_call_aborted_before_it_began_sends_nothing() {
    let mut scenario = Setup::tool().idle();
    scenario.handle(Event::Abort);
    scenario.handle(Event::Start);
    assert!(scenario.log.is_empty());
}

#[test]
fn c12_the_first_failure_is_the_one_reported() {
    let mut scenario = asked(&THREE);
    let late = scenario.answered("s", "[]");
    scenario.refuse("r", thrown("first"));
    scenario.handle(late);
    scenario.refuse("f", thrown("second"));
    assert!(scenario.error().message().starts_with("first"));
}

#[test]
fn c14_a_leg_with_the_state_alone_waits_and_asks_nobody() {
    let mut scenario = Setup::tool().server([waits("s"), complete("x")]).run();
    assert_eq!(scenario.call.deadline(), Some(scenario.clock + STATE_ONLY_DELAY_MS));
    scenario.pass(STATE_ONLY_DELAY_MS - 1.0);
    assert_eq!(scenario.log, ["send 1"]);
    scenario.pass(1.0);
    assert_eq!(scenario.log, ["send 1", "send 2", "done"]);
}

#[test]
fn c15_the_wait_ends_with_the_total_time() {
    let mut scenario =
        Setup::tool().limits(|limits| limits.max_total_timeout_ms = 100.0).server([waits("s"), complete("x")]).run();
    scenario.pass(100.0);
    assert_eq!((scenario.fact("clock").unwrap(), scenario.legs()), ("\"total\"".to_owned(), 1));
}

#[test]
fn c17_a_key_may_come_again_and_is_a_new_question() {
    let again = || asks(&[("a", SAMPLE)], None);
    let mut scenario = Setup::slow_tool().server([again(), again(), complete("x")]).run();
    scenario.answer("a", SAMPLED);
    let late = Event::Answered { round: 1, index: 0, result: Ok(SAMPLED.to_owned()) };
    scenario.handle(late);
    assert_eq!(scenario.legs(), 2);
    scenario.answer("a", &SAMPLED.replace("Hello", "Second"));
    assert!(scenario.responses(3)[0].1.contains("Second"));
}

#[test]
fn c18_a_watcher_learns_of_everything_and_never_of_progress() {
    use ReportKind::{Answered, Asked, Done, Retried, Sent, Waiting};
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;
    let mut scenario = Setup::tool().run();
    scenario.says(&open_stream([progress]));
    scenario.pass(5.0);
    scenario.server.script.extend([waits("s"), complete("x")]);
    scenario.says(&stream([envelope(&asks_json(&[("k", SAMPLE)], None)).as_str()]));
    scenario.pass(250.0);
    assert_eq!(scenario.report_kinds(), [Sent, Asked, Answered, Retried, Waiting, Retried, Done]);
    let rounds: Vec<_> = scenario.reports.iter().map(|report| (report.round, report.leg, report.time_ms)).collect();
    let expected = [(0, 1, 0.0), (1, 1, 5.0), (1, 1, 5.0), (1, 2, 5.0), (2, 2, 5.0), (2, 3, 255.0), (2, 3, 255.0)];
    assert_eq!(rounds, expected);
    let ask = scenario.reports[1].request.clone().unwrap();
    assert_eq!((ask.key.as_str(), ask.method.as_str()), ("k", "sampling/createMessage"));
    assert_eq!(scenario.reports[2].bytes, SAMPLED.len());
    assert_eq!(scenario.reports[6].bytes, scenario.result().len());
}

#[test]
fn c18_a_watcher_learns_who_declined_and_what_failed() {
    use ReportKind::{Asked, Declined, Failed, Sent};
    let mut declined = asked(&[("a", SAMPLE)]);
    declined.refuse("a", Error::new(Code::SamplingDeclined, "no"));
    assert_eq!(declined.report_kinds(), [Sent, Asked, Declined, Failed]);
    let mut failed = asked(&[("a", SAMPLE)]);
    failed.refuse("a", thrown("no"));
    assert_eq!(failed.report_kinds(), [Sent, Asked, Failed]);
    for scenario in [declined, failed] {
        assert_eq!(scenario.reports.last().unwrap().request.as_ref().unwrap().key, "a");
    }
}

#[test]
fn c19_an_error_on_a_retry_ends_the_call_unchanged() {
    for first in [asks(&[("a", SAMPLE)], Some("s")), waits("s")] {
        let mut scenario = Setup::tool().server([first, error(-32002, "gone \u{e9}")]).run();
        scenario.pass(250.0);
        assert_eq!(scenario.error().peer_code(), Some(-32002));
        assert_eq!((scenario.error().message(), scenario.legs()), ("gone \u{e9}", 2));
    }
}

#[test]
fn c20_nothing_is_sent_again_after_a_broken_leg() {
    let cut = r#"{"jsonrpc":"2.0","id":$ID,"resu"#;
    for broken in
        [http(200, "text/event-stream", ""), http(200, "application/json", cut), http(503, "text/html", "busy")]
    {
        let mut scenario = Setup::tool().server([asks(&[("a", SAMPLE)], Some("s")), broken, complete("x")]).run();
        scenario.pass(1e9);
        assert!(!scenario.error().code().is_empty());
        assert_eq!(scenario.legs(), 2);
    }
}

#[test]
fn c21_the_last_result_passes_the_same_checks_as_a_first_one() {
    for (last, code) in [
        (r#"{"resultType":"odd"}"#, "UNSUPPORTED_RESULT_TYPE"),
        (r#"{"resultType":1}"#, "INVALID_RESULT"),
        ("[]", "INVALID_RESULT"),
    ] {
        let scenario = Setup::tool().server([asks(&[("a", SAMPLE)], None), result(last)]).run();
        assert_eq!(scenario.error().code(), code, "{last}");
    }
    let scenario = Setup::tool().server([asks(&[("a", SAMPLE)], None), result(r#"{"content":[]}"#)]).run();
    assert_eq!(scenario.warnings[0].0, "result-type");
}
