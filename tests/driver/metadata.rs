//! H: what stands in `_meta` and in the headers of every leg. That the envelope is there, and that the headers say what
//! the body says, the server of these tests checks on every leg (H1, H2, H7, H8).

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use mcp_sampling::driver::Limits;
use mcp_sampling::mrtr::Accepts;

use super::scenario::{Scenario, Setup};
use super::server::{complete, error, open_stream};
use super::texts::{FORM, SAMPLE, SAMPLED, asks, waits};

const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

fn two_legs(setup: Setup) -> Scenario {
    setup.server([asks(&[("a", SAMPLE)], Some("s")), complete("x")]).run()
}

#[test]
fn h1_h2_every_leg_says_version_client_and_capabilities() {
    let scenario = two_legs(Setup::tool());
    for leg in [1, 2] {
        assert_eq!(scenario.leg(leg).meta(VERSION), Some("\"2026-07-28\""));
        assert_eq!(scenario.leg(leg).meta(CAPABILITIES), Some(r#"{"sampling":{},"elicitation":{},"roots":{}}"#));
        let info = scenario.leg(leg).meta("io.modelcontextprotocol/clientInfo");
        assert_eq!(info, Some(r#"{"name":"tests","version":"1"}"#));
    }
}

#[test]
fn h1_a_client_without_handlers_declares_an_empty_object() {
    let scenario = Setup::tool().handlers(Accepts::default()).server([complete("x")]).run();
    assert_eq!(scenario.leg(1).meta(CAPABILITIES), Some("{}"));
}

#[test]
fn h3_the_envelope_is_made_anew_for_each_leg() {
    let mut scenario = Setup::slow_tool().server([asks(&[("a", SAMPLE)], None), complete("x")]).run();
    scenario.client.handlers = Accepts::SAMPLES | Accepts::ELICITS;
    scenario.answer("a", SAMPLED);
    assert_eq!(scenario.leg(1).meta(CAPABILITIES), Some(r#"{"sampling":{},"elicitation":{},"roots":{}}"#));
    assert_eq!(scenario.leg(2).meta(CAPABILITIES), Some(r#"{"sampling":{},"elicitation":{}}"#));
}

#[test]
fn h4_h6_the_callers_meta_survives_on_every_leg_and_wins() {
    let meta = r#"{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=1","baggage":"b=2","__proto__":{},"io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}"#;
    let scenario = two_legs(Setup::tool().params(&format!(r#"{{"name":"t","_meta":{meta}}}"#)));
    for leg in [1, 2] {
        assert!(scenario.param(leg, "_meta").unwrap().starts_with(meta.trim_end_matches('}')), "leg {leg}");
        assert_eq!(scenario.leg(leg).meta(CAPABILITIES), Some(r#"{"sampling":{}}"#));
    }
}

#[test]
fn h5_the_progress_token_is_new_on_each_leg_and_drops_no_other_key() {
    let setup = Setup::tool().params(r#"{"name":"t","_meta":{"progressToken":"mine","a":1}}"#);
    let scenario = two_legs(setup.client(|client| client.wants_progress = true));
    for leg in [1, 2] {
        let meta = scenario.param(leg, "_meta").unwrap();
        assert_eq!(scenario.leg(leg).meta("progressToken"), Some(scenario.leg(leg).id.to_string().as_str()));
        assert_eq!((meta.matches("progressToken").count(), scenario.leg(leg).meta("a")), (1, Some("1")));
    }
    assert_eq!(two_legs(Setup::tool()).leg(1).meta("progressToken"), None);
}

#[test]
fn h7_the_header_follows_a_version_that_the_caller_sets() {
    let meta = format!(r#"{{"name":"t","_meta":{{"{VERSION}":"2099-01-01"}}}}"#);
    let scenario = two_legs(Setup::tool().params(&meta));
    for leg in [1, 2] {
        assert_eq!(scenario.leg(leg).header("MCP-Protocol-Version"), Some("2099-01-01"));
    }
}

#[test]
fn h8_the_name_header_is_there_where_it_belongs() {
    for (method, params, expected) in [
        ("tools/call", r#"{"name":"t","uri":"u:1"}"#, Some("t")),
        ("prompts/get", r#"{"name":"p"}"#, Some("p")),
        ("resources/read", r#"{"name":"n","uri":"file:///a"}"#, Some("file:///a")),
        ("tools/list", r#"{"name":"t"}"#, None),
        ("tools/call", r#"{"name":7}"#, None),
    ] {
        let mut scenario = Setup::new(method, params).server([waits("s"), complete("x")]).run();
        scenario.pass(250.0);
        for leg in &scenario.server.legs {
            assert_eq!(leg.header("Mcp-Name"), expected, "{method} {params}");
        }
    }
}

#[test]
fn h9_no_header_comes_from_answers_or_state() {
    let scenario = two_legs(Setup::tool());
    assert_eq!(scenario.leg(1).headers, scenario.leg(2).headers);
    assert!(!scenario.leg(2).headers.contains("Hello"));
}

#[test]
fn h10_the_limits_of_a_leg_hold_for_every_leg() {
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}"#;
    let setup = Setup::slow_tool().limits(|limits| {
        limits.timeout_ms = 100.0;
        limits.set(Limits::RESET_TIMEOUT_ON_PROGRESS, true);
    });
    let mut scenario = setup.server([asks(&[("a", FORM)], None)]).run();
    scenario.answer("a", r#"{"action":"cancel"}"#);
    scenario.pass(90.0);
    scenario.says(&open_stream([progress]));
    scenario.pass(90.0);
    assert!(scenario.is_open());
    scenario.pass(10.0);
    assert_eq!((scenario.error().code(), scenario.fact("clock").unwrap()), ("REQUEST_TIMEOUT", "\"leg\"".to_owned()));
}

/// There is no cache in the core: what is asked goes out, and comes back as the server says it this time.
#[test]
fn h13_no_result_is_kept_for_another_call() {
    let read = || Setup::new("resources/read", r#"{"uri":"file:///a"}"#).answering();
    let first = two_legs(read());
    let second = read().server([complete("again")]).run();
    assert!(first.result().contains("\"x\"") && second.result().contains("again"));
    assert_eq!(second.legs(), 1);
}

#[test]
fn h14_a_header_mismatch_ends_the_call_as_the_servers_error() {
    let scenario = Setup::tool().server([asks(&[("a", SAMPLE)], Some("s")), error(-32020, "Header mismatch")]).run();
    assert_eq!((scenario.error().peer_code(), scenario.legs()), (Some(-32020), 2));
}
