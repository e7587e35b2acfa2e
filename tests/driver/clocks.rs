//! T: four clocks, none of which the state machine reads itself.

use mcp_sampling::driver::{Event, Limits};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::{Scenario, Setup};
use super::server::{body, complete, envelope, error, open_stream, result};
use super::texts::{FILLED, FORM, ROOTS, SAMPLE, SAMPLED, asks, waits};

const PROGRESS: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;

/// A call whose server says nothing yet.
fn silent(set: impl FnOnce(&mut Limits)) -> Scenario {
    Setup::slow_tool().limits(set).run()
}

fn assert_timed_out(scenario: &Scenario, clock: &str) {
    assert_eq!(scenario.error().code(), "REQUEST_TIMEOUT");
    assert_eq!(scenario.fact("clock").unwrap(), format!("\"{clock}\""));
    assert_eq!(scenario.fact("method").unwrap(), "\"tools/call\"");
}

#[test]
fn t1_a_leg_has_a_minute_by_default() {
    let mut scenario = silent(|_| {});
    scenario.pass(59_999.0);
    assert!(scenario.is_open());
    scenario.pass(1.0);
    assert_timed_out(&scenario, "leg");
    assert_eq!(
        (scenario.fact("timeout").unwrap(), scenario.fact("totalElapsed").unwrap()),
        ("60000".into(), "60000".into())
    );
}

#[test]
fn t1_a_leg_has_what_the_caller_gives_it() {
    let mut scenario = silent(|limits| limits.timeout_ms = 10.0);
    scenario.pass(10.0);
    assert_timed_out(&scenario, "leg");
    let mut endless = silent(|limits| limits.timeout_ms = f64::INFINITY);
    endless.pass(1e12);
    assert!(endless.is_open() && endless.call.deadline().is_none());
}

#[test]
fn t2_t3_progress_restarts_the_leg_but_never_the_total() {
    let mut scenario = silent(|limits| {
        limits.timeout_ms = 100.0;
        limits.max_total_timeout_ms = 250.0;
        limits.set(Limits::RESET_TIMEOUT_ON_PROGRESS, true);
    });
    for _ in 0..2 {
        scenario.pass(90.0);
        scenario.says(&open_stream([PROGRESS]));
    }
    assert!(scenario.is_open());
    scenario.pass(70.0);
    assert_timed_out(&scenario, "total");
    assert_eq!(scenario.fact("maxTotalTimeout").unwrap(), "250");
}

#[test]
fn t3_progress_restarts_nothing_unless_asked_to() {
    let mut scenario = silent(|limits| limits.timeout_ms = 100.0);
    scenario.pass(90.0);
    scenario.says(&open_stream([PROGRESS]));
    scenario.pass(10.0);
    assert_timed_out(&scenario, "leg");
}

#[test]
fn t4_t20_the_time_of_people_is_not_charged_to_a_leg() {
    let server = [asks(&[("a", FORM), ("b", FORM)], None)];
    let mut scenario = Setup::slow_tool().limits(|limits| limits.timeout_ms = 100.0).server(server).run();
    scenario.pass(1e9);
    scenario.answer("a", FILLED);
    scenario.pass(1e9);
    scenario.answer("b", FILLED);
    scenario.pass(99.0);
    assert_eq!((scenario.is_open(), scenario.legs()), (true, 2));
    scenario.pass(1.0);
    assert_timed_out(&scenario, "leg");
}

#[test]
fn t5_the_total_runs_through_legs_handlers_and_waits() {
    let server = [asks(&[("a", FORM)], None), waits("s")];
    let mut scenario = Setup::slow_tool().limits(|limits| limits.max_total_timeout_ms = 1_000.0).server(server).run();
    scenario.pass(500.0);
    scenario.answer("a", FILLED);
    scenario.pass(250.0);
    assert_eq!((scenario.legs(), scenario.is_open()), (3, true));
    scenario.pass(249.0);
    assert!(scenario.is_open());
    scenario.pass(1.0);
    assert_timed_out(&scenario, "total");
    assert_eq!(scenario.fact("totalElapsed").unwrap(), "1000");
}

#[test]
fn t6_a_leg_gets_no_more_than_what_is_left_of_the_total() {
    let mut scenario = Setup::slow_tool()
        .limits(|limits| limits.max_total_timeout_ms = 70_000.0)
        .server([asks(&[("a", FORM)], None)])
        .run();
    scenario.pass(50_000.0);
    scenario.answer("a", FILLED);
    assert_eq!(scenario.call.deadline(), Some(scenario.clock + 20_000.0));
    scenario.pass(20_000.0);
    assert_timed_out(&scenario, "total");
    assert_eq!(scenario.log, ["send 1", "ask a", "send 2", "cancel leg", "failed REQUEST_TIMEOUT"]);
}

#[test]
fn t6_the_total_fires_without_progress_while_a_handler_is_pending() {
    let mut scenario = Setup::slow_tool()
        .limits(|limits| limits.max_total_timeout_ms = 500.0)
        .server([asks(&[("a", SAMPLE)], None)])
        .run();
    scenario.pass(500.0);
    assert_timed_out(&scenario, "total");
}

/// A host whose timers come late, because something else held its thread.
#[test]
fn t6_no_leg_leaves_and_nobody_is_asked_after_the_total_time() {
    let set = |limits: &mut Limits| limits.max_total_timeout_ms = 500.0;
    let mut answered = Setup::slow_tool().limits(set).server([asks(&[("a", SAMPLE)], None)]).run();
    answered.clock += 501.0;
    answered.answer("a", SAMPLED);
    assert_eq!((answered.legs(), answered.log.last().unwrap().as_str()), (1, "failed REQUEST_TIMEOUT"));
    let mut replied = silent(set);
    replied.clock += 501.0;
    replied.says(&asks(&[("a", SAMPLE)], None));
    assert_timed_out(&replied, "total");
    assert!(replied.open.is_empty());
    let mut completed = silent(set);
    completed.clock += 501.0;
    completed.says(&complete("late, but there"));
    assert!(completed.result().contains("late"));
}

#[test]
fn t7_handlers_have_a_clock_of_their_own_for_each_round() {
    let server = [asks(&[("a", FORM)], None), asks(&[("b", FORM), ("c", ROOTS)], None)];
    let mut scenario = Setup::slow_tool().limits(|limits| limits.handler_timeout_ms = 600_000.0).server(server).run();
    scenario.pass(599_999.0);
    scenario.answer("a", FILLED);
    scenario.pass(599_999.0);
    scenario.answer("b", FILLED);
    assert!(scenario.is_open());
    scenario.pass(1.0);
    assert_timed_out(&scenario, "handlers");
    assert_eq!(scenario.log.last_chunk().unwrap(), &["cancel asks", "failed REQUEST_TIMEOUT"]);
}

#[test]
fn t8_a_leg_that_timed_out_is_cancelled_and_its_late_reply_ignored() {
    let mut scenario = silent(|limits| limits.timeout_ms = 10.0);
    let late = scenario.reply(&complete("late"));
    scenario.pass(10.0);
    scenario.handle(late);
    assert_eq!(scenario.log, ["send 1", "cancel leg", "failed REQUEST_TIMEOUT"]);
}

#[test]
fn t8_news_about_an_earlier_leg_is_ignored() {
    let server = [asks(&[("a", SAMPLE)], None)];
    let mut scenario = Setup::tool().server(server).run();
    let mut other = Setup::tool().run();
    let late = other.reply(&complete("for leg 1"));
    scenario.handle(late);
    scenario.handle(Event::Progress { leg: 1 });
    assert_eq!((scenario.is_open(), scenario.legs()), (true, 2));
}

#[test]
fn t9_a_progress_token_is_sent_when_progress_is_to_be_counted() {
    let setup = Setup::tool().client(|client| client.wants_progress = true).server([complete("x")]);
    assert_eq!(setup.run().leg(1).meta("progressToken"), Some("1"));
}

#[test]
fn t10_odd_progress_breaks_nothing_and_none_counts_after_the_result() {
    let mut scenario = silent(|limits| limits.set(Limits::RESET_TIMEOUT_ON_PROGRESS, true));
    let odd = [
        PROGRESS,
        r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"other","progress":-1e400}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":[]}"#,
        PROGRESS,
    ];
    scenario.says(&open_stream(odd));
    assert!(scenario.is_open());
    let done = envelope(r#"{"resultType":"complete"}"#);
    scenario.says(&open_stream([done.as_str(), PROGRESS]));
    assert_eq!(scenario.log, ["send 1", "done"]);
}

#[test]
fn t11_an_abort_on_the_wire_cancels_the_leg_and_says_nothing_else() {
    let mut scenario = silent(|_| {});
    scenario.handle(Event::Abort);
    assert_eq!(scenario.log, ["send 1", "cancel leg"]);
    scenario.pass(1e9);
    assert_eq!((scenario.log.len(), scenario.call.deadline()), (2, None));
}

#[test]
fn t11_a_leg_that_has_its_reply_is_not_cancelled() {
    for says in [error(-32603, "no"), result("7"), result(r#"{"resultType":"odd"}"#), body("{"), waits("s")] {
        let scenario = Setup::tool().limits(|limits| limits.max_rounds = 0).server([says]).run();
        assert_eq!(scenario.log.len(), 2, "{:?}", scenario.log);
    }
}

#[test]
fn t12_an_abort_between_legs_has_nothing_to_cancel_on_the_wire() {
    let mut asking = Setup::slow_tool().server([asks(&[("a", SAMPLE)], Some("s"))]).run();
    asking.handle(Event::Abort);
    assert_eq!(asking.log, ["send 1", "ask a", "cancel asks"]);
    let mut waiting = Setup::tool().server([waits("s")]).run();
    waiting.handle(Event::Abort);
    assert_eq!(waiting.log, ["send 1"]);
}

#[test]
fn t18_a_new_call_works_after_an_abort() {
    let mut first = silent(|_| {});
    first.handle(Event::Abort);
    let ids = first.client.ids.clone();
    let second = Setup::tool().client(|client| client.ids = ids).server([complete("x")]).run();
    assert_eq!((second.leg(1).id, second.legs()), (2, 1));
}

/// In sessions of 2025 a server asks in the middle of a leg.
#[test]
fn t20_whoever_is_asked_in_the_middle_of_a_leg_holds_its_clock_until_the_last_has_answered() {
    let mut scenario = silent(|limits| {
        limits.timeout_ms = 100.0;
        limits.max_total_timeout_ms = 10_000.0;
    });
    scenario.handle(Event::Paused);
    scenario.handle(Event::Paused);
    scenario.pass(1_000.0);
    scenario.handle(Event::Unpaused);
    scenario.pass(1_000.0);
    scenario.handle(Event::Unpaused);
    scenario.handle(Event::Unpaused);
    scenario.handle(Event::Paused);
    scenario.pass(1_000.0);
    scenario.handle(Event::Unpaused);
    scenario.pass(99.0);
    assert!(scenario.is_open());
    scenario.pass(1.0);
    assert_timed_out(&scenario, "leg");
}

#[test]
fn t20_the_total_runs_on_meanwhile() {
    let mut scenario = silent(|limits| limits.max_total_timeout_ms = 500.0);
    scenario.handle(Event::Paused);
    scenario.pass(500.0);
    assert_timed_out(&scenario, "total");
}

#[test]
fn the_deadline_is_the_next_of_all_clocks() {
    let mut scenario = Setup::slow_tool().limits(|limits| limits.timeout_ms = 100.0).idle();
    assert_eq!(scenario.call.deadline(), None);
    scenario.handle(Event::Start);
    let start = scenario.clock;
    assert_eq!(scenario.call.deadline(), Some(start + 100.0));
    scenario.says(&asks(&[("a", SAMPLE)], None));
    assert_eq!(scenario.call.deadline(), None);
}

#[test]
fn early_and_repeated_ticks_do_nothing() {
    let mut scenario = silent(|limits| limits.max_total_timeout_ms = 500.0);
    for _ in 0..100 {
        scenario.handle(Event::Tick);
    }
    assert_eq!(scenario.log, ["send 1"]);
}
