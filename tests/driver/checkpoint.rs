//! Calls that go on in another process: what a checkpoint keeps, and which ones are refused.

use mcp_sampling::driver::{Call, Event, Limits, ReportKind};
use mcp_sampling::error::{Code, Error, Initiator};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::{Scenario, Setup};
use super::server::{complete, error, stream};
use super::texts::{FILLED, FORM, LISTED, ROOTS, SAMPLE, SAMPLED, asks, waits};

const STATE: &str = r"a\/b\u0041\ud800 ";
const KEY: &str = r"__proto__\ud800\/";

/// A call whose checkpoint holds an answer, an open question, a state, and texts that are easily damaged.
fn half_answered() -> Scenario {
    let params = r#"{"name":"t","arguments":{"n":1000000000000000000000, "f":1.0,"s":"\u0041\ud800"},"_meta":{"a":1}}"#;
    let server = [asks(&[(KEY, SAMPLE), ("f", FORM)], Some(STATE)), complete("x")];
    let mut scenario = Setup::slow_tool().params(params).server(server).run();
    let key = scenario.open[0].key.clone();
    scenario.answer(&key, &SAMPLED.replace("Hello", r"\u0048\/"));
    scenario
}

fn saving(setup: Setup) -> Setup {
    setup.limits(|limits| limits.set(Limits::SAVES, true))
}

fn refusal(checkpoint: &str) -> Error {
    Call::resume(checkpoint, Limits::default()).expect_err(checkpoint)
}

/// What a store does that parses and writes again: other order, other spelling.
fn through_a_store(checkpoint: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(checkpoint).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

#[test]
fn before_the_first_round_there_is_nothing_to_keep() {
    let scenario = Setup::tool().run();
    assert_eq!(scenario.call.checkpoint(), None);
}

#[test]
fn a_round_is_saved_before_its_answers_leave() {
    let mut scenario = saving(Setup::tool()).server([asks(&[("a", SAMPLE)], Some("s")), complete("x")]).run();
    assert_eq!(scenario.log, ["send 1", "ask a", "save"]);
    assert_eq!(Some(&scenario.saved[0]), scenario.call.checkpoint().as_ref());
    scenario.handle(Event::Saved);
    scenario.handle(Event::Saved);
    assert_eq!(scenario.log, ["send 1", "ask a", "save", "send 2", "done"]);
}

#[test]
fn only_the_total_time_bounds_the_saving() {
    let mut patient = saving(Setup::tool()).server([asks(&[("a", SAMPLE)], None)]).run();
    patient.pass(1e9);
    assert!(patient.is_open());
    let limited = saving(Setup::tool()).limits(|limits| limits.max_total_timeout_ms = 100.0);
    let mut limited = limited.server([asks(&[("a", SAMPLE)], None)]).run();
    limited.pass(100.0);
    limited.handle(Event::Saved);
    assert_eq!((limited.error().code(), limited.legs()), ("REQUEST_TIMEOUT", 1));
}

#[test]
fn an_abort_while_saving_sends_nothing() {
    let mut scenario = saving(Setup::tool()).server([asks(&[("a", SAMPLE)], None)]).run();
    scenario.handle(Event::Abort);
    scenario.handle(Event::Saved);
    assert_eq!(scenario.log, ["send 1", "ask a", "save"]);
}

#[test]
fn an_answered_round_goes_out_without_asking_again() {
    let mut before =
        saving(Setup::tool()).server([asks(&[("a", SAMPLE), ("r", ROOTS)], Some(STATE)), complete("x")]).run();
    let saved = before.saved.remove(0);
    let after = Setup::slow_tool().resume(before, &saved);
    assert_eq!(after.log, ["send 1", "done"]);
    assert_eq!(after.responses(2), [("a", SAMPLED), ("r", LISTED)]);
    assert_eq!(after.param(2, "requestState"), Some(format!("\"{STATE}\"").as_str()));
    assert_eq!(after.report_kinds(), [ReportKind::Retried, ReportKind::Done]);
}

#[test]
fn what_was_answered_is_not_asked_again_and_what_was_not_is() {
    let before = half_answered();
    let checkpoint = through_a_store(&before.call.checkpoint().unwrap());
    let mut after = Setup::slow_tool().resume(before, &checkpoint);
    assert_eq!(after.open_keys(), ["f"]);
    assert_eq!(after.open[0].params().unwrap().get("message").unwrap().raw(), "\"Who?\"");
    after.answer("f", FILLED);
    assert_eq!(after.responses(2), [(KEY, SAMPLED.replace("Hello", r"\u0048\/").as_str()), ("f", FILLED)]);
    assert_eq!(after.param(2, "requestState"), Some(format!("\"{STATE}\"").as_str()));
    assert_eq!(after.leg(2).meta("a"), Some("1"));
    assert!(after.result().contains("\"x\""));
}

#[test]
fn answers_that_were_paid_for_survive_a_broken_leg() {
    for broken in [stream([]), error(-32603, "restarting")] {
        let server = [asks(&[("a", SAMPLE)], Some("s")), broken];
        let mut before = Setup::tool().server(server).run();
        assert!(!before.error().code().is_empty());
        before.server.script.push_back(complete("x"));
        let checkpoint = before.call.checkpoint().unwrap();
        let after = Setup::slow_tool().resume(before, &checkpoint);
        assert_eq!((after.log.join(" "), after.responses(3)), ("send 1 done".to_owned(), vec![("a", SAMPLED)]));
    }
}

#[test]
fn answers_survive_a_sibling_that_failed() {
    let mut before = half_answered();
    before.refuse("f", Error::new(Code::HandlerFailed, "no"));
    let checkpoint = before.call.checkpoint().unwrap();
    assert_eq!(Setup::slow_tool().resume(before, &checkpoint).open_keys(), ["f"]);
}

#[test]
fn a_wait_can_be_resumed_too() {
    let before = Setup::tool().server([waits(STATE), complete("x")]).run();
    let checkpoint = before.call.checkpoint().unwrap();
    let after = Setup::slow_tool().resume(before, &checkpoint);
    assert_eq!(after.param(2, "requestState"), Some(format!("\"{STATE}\"").as_str()));
    assert_eq!(after.param(2, "inputResponses"), None);
    assert!(!after.is_open());
}

#[test]
fn a_checkpoint_can_be_resumed_from_a_checkpoint() {
    let before = half_answered();
    let first = before.call.checkpoint().unwrap();
    let mut between = Setup::slow_tool().resume(before, &first);
    assert_eq!(between.call.checkpoint().unwrap(), first);
    between.answer("f", FILLED);
    assert_eq!(between.legs(), 2);
}

#[test]
fn rounds_go_on_counting() {
    let mut before = Setup::tool().server([waits("1"), waits("2"), asks(&[("a", SAMPLE)], None)]).run();
    before.pass(250.0);
    before.pass(250.0);
    before.server.script.push_back(asks(&[("b", SAMPLE)], None));
    let checkpoint = before.call.checkpoint().unwrap();
    let limits = |limits: &mut Limits| limits.max_rounds = 3;
    let after = Setup::tool().limits(limits).resume(before, &checkpoint);
    assert_eq!(after.error().code(), "INPUT_REQUIRED_ROUNDS_EXCEEDED");
    assert_eq!(after.fact("rounds").unwrap(), "3");
    assert!(after.reports.iter().all(|report| report.round == 3));
}

#[test]
fn the_clocks_start_anew() {
    let mut before = half_answered();
    before.pass(1e7);
    let checkpoint = before.call.checkpoint().unwrap();
    let mut after = Setup::slow_tool().limits(|limits| limits.max_total_timeout_ms = 100.0).resume(before, &checkpoint);
    after.pass(99.0);
    assert!(after.is_open());
    after.pass(1.0);
    assert_eq!((after.error().code(), after.legs()), ("REQUEST_TIMEOUT", 1));
}

#[test]
fn stale_fields_of_the_caller_do_not_come_back() {
    let params = r#"{"name":"t","requestState":"old","inputResponses":{"old":{}}}"#;
    let before = Setup::tool().params(params).server([waits("new"), complete("x")]).run();
    let checkpoint = before.call.checkpoint().unwrap();
    // Not even for a host that goes on by hand.
    for setup in [Setup::tool(), Setup::tool().limits(|limits| limits.set(Limits::ALLOW_INPUT_REQUIRED, true))] {
        let before = Setup::tool().params(params).server([waits("new"), complete("x")]).run();
        let after = setup.resume(before, &checkpoint);
        assert_eq!(after.param(2, "requestState"), Some("\"new\""));
        assert_eq!(after.param(2, "inputResponses"), None);
    }
}

#[test]
fn another_version_is_refused() {
    let checkpoint = half_answered().call.checkpoint().unwrap();
    for version in ["0", "2", "999999"] {
        let error = refusal(&checkpoint.replace("\"version\":1", &format!("\"version\":{version}")));
        assert_eq!((error.code(), error.initiator()), ("INVALID_CHECKPOINT", Initiator::Caller));
        assert_eq!(error.data(), format!("{{\"version\":{version}}}"));
    }
    for version in ["null", "\"1\"", "[1]", "1.5", "1e400"] {
        assert_eq!(
            refusal(&checkpoint.replace("\"version\":1", &format!("\"version\":{version}"))).code(),
            "INVALID_CHECKPOINT"
        );
    }
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    for text in ["", "null", "[]", "{}", "7", "undefined", r#"{"version":1}"#, r#"{"version":1,"method":"tools/call"}"#]
    {
        assert_eq!(refusal(text).code(), "INVALID_CHECKPOINT", "{text}");
    }
}

#[test]
fn a_checkpoint_that_was_changed_by_hand_is_refused() {
    let checkpoint = half_answered().call.checkpoint().unwrap();
    for (from, to) in [
        ("tools/call", "prompts/get"),
        (r#"\"name\":\"t\""#, r#"\"name\":\"delete\""#),
        ("\"round\":1", "\"round\":0"),
        ("Who?", "Sure?"),
        ("assistant", "user"),
        (r#""key":"f""#, r#""key":"g""#),
        ("elicitation/create", "roots/list"),
        (r#"\"a\\/b"#, r#"\"b\\/b"#),
        ("resultJson", "result"),
        ("requestStateJson", "x"),
        ("checksum", "check"),
    ] {
        let changed = checkpoint.replacen(from, to, 1);
        assert_ne!(changed, checkpoint, "{from}");
        assert_eq!(refusal(&changed).code(), "INVALID_CHECKPOINT", "{from}");
    }
}

#[test]
fn requests_cannot_be_swapped_removed_or_added() {
    let checkpoint = half_answered().call.checkpoint().unwrap();
    let value: serde_json::Value = serde_json::from_str(&checkpoint).unwrap();
    let with = |change: &dyn Fn(&mut Vec<serde_json::Value>)| {
        let mut changed = value.clone();
        change(changed["requests"].as_array_mut().unwrap());
        refusal(&changed.to_string()).code()
    };
    assert_eq!(with(&|requests| requests.swap(0, 1)), "INVALID_CHECKPOINT");
    assert_eq!(with(&|requests| drop(requests.pop())), "INVALID_CHECKPOINT");
    assert_eq!(with(&|requests| requests.push(requests[1].clone())), "INVALID_CHECKPOINT");
    assert_eq!(with(&|requests| requests.clear()), "INVALID_CHECKPOINT");
}

/// Whatever byte is changed: it is refused, or it meant nothing.
#[test]
fn no_changed_byte_goes_unnoticed() {
    let checkpoint = half_answered().call.checkpoint().unwrap();
    let mut changed = checkpoint.clone().into_bytes();
    for at in 0..changed.len() {
        let original = changed[at];
        for byte in [b'0', b'"', b'x', b'\\', b' '] {
            changed[at] = byte;
            let resumed =
                std::str::from_utf8(&changed).ok().and_then(|text| Call::resume(text, Limits::default()).ok());
            if let Some(call) = resumed {
                assert_eq!(call.checkpoint().unwrap(), checkpoint, "{}", String::from_utf8_lossy(&changed));
            }
        }
        changed[at] = original;
    }
}
