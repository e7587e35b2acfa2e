//! Legs that go out again as they were, and calls that stand in for others.

use mcp_sampling::driver::{Call, Effect, Event, Limits};
use mcp_sampling::error::{Code, Error};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::Setup;
use super::server::result;

/// The legs that a call wants sent.
fn sends(call: &mut Call) -> Vec<u32> {
    let leg = |effect| if let Effect::Send { leg } = effect { Some(leg) } else { None };
    std::iter::from_fn(|| call.poll()).filter_map(leg).collect()
}

fn begun(limits: Limits) -> Call {
    let mut call = Call::new("tools/call", None, limits);
    call.handle(Event::Start, 0.0);
    assert_eq!(sends(&mut call), [1]);
    call
}

#[test]
fn h14_a_leg_goes_out_again_with_its_answers_and_its_state() {
    let asks = r#"{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}},"requestState":"s"}"#;
    let mut scenario = Setup::tool().server([result(asks)]).run();
    assert_eq!(scenario.legs(), 2);
    scenario.handle(Event::Resend { leg: 2 });
    assert_eq!(scenario.legs(), 3);
    for name in ["name", "arguments", "inputResponses", "requestState"] {
        assert!(scenario.param(2, name).is_some());
        assert_eq!(scenario.param(3, name), scenario.param(2, name), "{name}");
    }
    assert_ne!(scenario.leg(3).id, scenario.leg(2).id);
}

#[test]
fn only_the_leg_on_the_wire_is_sent_again() {
    let mut call = begun(Limits::default());
    call.handle(Event::Resend { leg: 2 }, 1.0);
    assert!(sends(&mut call).is_empty());
    call.handle(Event::Resend { leg: 1 }, 1.0);
    assert_eq!(sends(&mut call), [2]);
    call.handle(Event::Resend { leg: 1 }, 2.0);
    call.handle(Event::LegFailed { leg: 1, error: Error::new(Code::SendFailed, "late") }, 2.0);
    assert!(sends(&mut call).is_empty());
    call.handle(Event::Abort, 3.0);
    call.handle(Event::Resend { leg: 2 }, 4.0);
    assert!(sends(&mut call).is_empty());
}

#[test]
fn a_leg_that_goes_out_again_has_a_clock_of_its_own_within_the_same_total() {
    let mut call = begun(Limits { timeout_ms: 100.0, max_total_timeout_ms: 150.0, ..Limits::default() });
    assert_eq!(call.deadline(), Some(100.0));
    call.handle(Event::Resend { leg: 1 }, 90.0);
    assert_eq!(sends(&mut call), [2]);
    assert_eq!(call.deadline(), Some(150.0));
    call.handle(Event::Resend { leg: 2 }, 150.0);
    assert!(sends(&mut call).is_empty() && call.deadline().is_none());
}

#[test]
fn a_call_that_is_made_another_numbers_its_legs_on_and_keeps_its_total() {
    let limits = Limits { max_total_timeout_ms: 100.0, ..Limits::default() };
    let mut call = begun(limits);
    for (method, seen) in [("tools/list", "tools/list"), ("", "tools/list"), ("prompts/list", "prompts/list")] {
        call.renew(method, None, limits);
        assert_eq!(call.method(), seen);
    }
    call.handle(Event::Start, 60.0);
    assert_eq!(sends(&mut call), [2]);
    assert_eq!(call.deadline(), Some(100.0));
}
