//! X: the ways a call can end badly. Each has a code, names what it is about, sends nothing again, and can be told from an
//! error that the server sent.

use mcp_sampling::driver::{Event, Limits};
use mcp_sampling::error::{Code, Error, Initiator};
use mcp_sampling::mrtr::Accepts;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::{Scenario, Setup};
use super::server::{Says, body, complete, error, http, open_stream, result, stream};
use super::texts::{SAMPLE, asks, parse, waits};

/// The same failure on the first leg and on a retry.
fn on_any_leg(says: &Says, check: impl Fn(&Scenario)) {
    check(&Setup::tool().server([says.clone(), complete("x")]).run());
    check(&Setup::tool().server([asks(&[("a", SAMPLE)], Some("s")), says.clone(), complete("x")]).run());
}

fn assert_ends(scenario: &Scenario, code: Code, initiator: Initiator) {
    let error = scenario.error();
    assert_eq!((error.kind(), error.initiator()), (code, initiator), "{error}");
    let last = scenario.log.last().unwrap();
    assert_eq!(*last, format!("failed {}", code.as_str()));
    assert!(error.data().is_empty() || parse(error.data()).text().starts_with('{'), "{}", error.data());
}

#[test]
fn x1_an_error_of_the_server_keeps_number_sentence_and_data() {
    let says =
        r#"{"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"b\u0061d","data":{"n":1.0,"__proto__":{}}}}"#;
    on_any_leg(&body(says), |scenario| {
        assert_ends(scenario, Code::Protocol(-32602), Initiator::Peer);
        assert_eq!(scenario.error().message(), "bad");
        assert_eq!(scenario.error().data(), r#"{"n":1.0,"__proto__":{}}"#);
    });
}

#[test]
fn x2_a_missing_type_in_strict_mode() {
    let setup = Setup::tool().limits(|limits| limits.set(Limits::STRICT_RESULT_TYPE, true));
    assert_ends(&setup.server([result("{}")]).run(), Code::InvalidResult, Initiator::Peer);
    on_any_leg(&result(r#"{"resultType":7}"#), |scenario| assert_ends(scenario, Code::InvalidResult, Initiator::Peer));
}

#[test]
fn x3_an_unknown_type() {
    on_any_leg(&result(r#"{"resultType":"task"}"#), |scenario| {
        assert_ends(scenario, Code::UnsupportedResultType, Initiator::Peer);
        assert_eq!(scenario.error().data(), r#"{"resultType":"task","method":"tools/call"}"#);
    });
}

#[test]
fn x4_input_required_with_fulfilling_switched_off() {
    let setup = Setup::tool().limits(|limits| limits.set(Limits::AUTO_FULFILL, false));
    let scenario = setup.server([waits("s")]).run();
    assert_eq!((scenario.error().code(), scenario.legs()), ("UNSUPPORTED_RESULT_TYPE", 1));
}

#[test]
fn x5_nothing_usable_in_a_request_for_input() {
    for json in [
        r#"{"resultType":"input_required"}"#,
        r#"{"resultType":"input_required","requestState":7}"#,
        r#"{"resultType":"input_required","inputRequests":[],"requestState":"s"}"#,
        r#"{"resultType":"input_required","inputRequests":{"a":7}}"#,
        r#"{"resultType":"input_required","inputRequests":{"a":{"method":"ping"}}}"#,
    ] {
        on_any_leg(&result(json), |scenario| {
            assert_ends(scenario, Code::InvalidResult, Initiator::Peer);
            assert_eq!(scenario.fact("method").unwrap(), "\"tools/call\"");
        });
    }
}

#[test]
fn x6_input_required_where_it_may_not_be() {
    let scenario = Setup::new("prompts/list", "").server([waits("s")]).run();
    assert_ends(&scenario, Code::InvalidResult, Initiator::Peer);
    assert!(scenario.error().message().contains("prompts/list"));
}

#[test]
fn x7_nobody_there_to_answer() {
    let setup = Setup::tool().handlers(Accepts::default());
    let scenario = setup.server([asks(&[("k", SAMPLE)], None)]).run();
    assert_ends(&scenario, Code::CapabilityNotSupported, Initiator::Caller);
    assert!(
        scenario.error().message().contains("sampling/createMessage") && scenario.error().message().contains("'k'")
    );
}

#[test]
fn x8_a_handler_that_threw_or_refused() {
    for code in [Code::HandlerFailed, Code::SamplingDeclined, Code::ProviderError] {
        let mut scenario = Setup::slow_tool().server([asks(&[("k", SAMPLE)], None)]).run();
        scenario.refuse("k", Error::new(code, "the model is away"));
        assert_ends(&scenario, code, Initiator::Handler);
        assert_eq!(scenario.error().data(), r#"{"key":"k","method":"sampling/createMessage"}"#);
    }
}

#[test]
fn x9_an_answer_that_does_not_fit_is_a_local_error() {
    let mut scenario = Setup::slow_tool().server([asks(&[("k", SAMPLE)], None)]).run();
    scenario.answer("k", r#"{"role":"assistant"}"#);
    assert_ends(&scenario, Code::InvalidSamplingResult, Initiator::Handler);
    assert_eq!(scenario.error().peer_code(), None);
    assert!(scenario.fact("findings").unwrap().contains("\"rule\":\"result-content\""));
}

#[test]
fn x10_the_cap_of_rounds() {
    let mut scenario = Setup::tool().server(std::iter::repeat_n(waits("s"), 20)).run();
    scenario.pass(60_000.0);
    assert_ends(&scenario, Code::InputRequiredRoundsExceeded, Initiator::Limit);
    assert_eq!(scenario.fact("rounds").unwrap(), "10");
}

#[test]
fn x11_a_clock_says_which_one_it_was() {
    for (leg, total, clock) in [(10.0, 20.0, "\"leg\""), (20.0, 10.0, "\"total\""), (10.0, 10.0, "\"total\"")] {
        let setup = Setup::tool().limits(|limits| (limits.timeout_ms, limits.max_total_timeout_ms) = (leg, total));
        let mut scenario = setup.run();
        scenario.pass(20.0);
        assert_ends(&scenario, Code::RequestTimeout, Initiator::Limit);
        assert_eq!(
            (scenario.fact("clock").unwrap().as_str(), scenario.fact("totalElapsed").unwrap().as_str()),
            (clock, "10")
        );
    }
}

/// The reason is the caller's own object, which only the shell has.
#[test]
fn x12_an_abort_is_not_an_error_of_this_library() {
    let mut scenario = Setup::tool().run();
    scenario.handle(Event::Abort);
    assert!(scenario.is_open() && scenario.log.iter().all(|what| !what.starts_with("failed")));
}

#[test]
fn x13_a_stream_that_ends_early_is_a_closed_connection() {
    let notice = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#;
    for says in
        [stream([]), stream([notice]), Says { ends: true, ..open_stream([r#"{"jsonrpc":"2.0","method":"x"}"#]) }]
    {
        on_any_leg(&says, |scenario| {
            assert_ends(scenario, Code::ConnectionClosed, Initiator::Transport);
        });
    }
}

#[test]
fn x13_what_the_shell_says_about_a_lost_connection_stays() {
    let mut scenario = Setup::tool().run();
    let error = Error::new(Code::SendFailed, "no way").with("method", "tools/call").with_number("leg", 1);
    scenario.handle(Event::LegFailed { leg: 1, error });
    assert_eq!(scenario.error().data(), r#"{"method":"tools/call","leg":1}"#);
}

#[test]
fn x14_a_status_without_a_message() {
    for (status, code, initiator) in [
        (401, Code::ClientHttpAuthentication, Initiator::Caller),
        (403, Code::ClientHttpForbidden, Initiator::Caller),
        (404, Code::ClientHttpNotImplemented, Initiator::Peer),
        (500, Code::ClientHttpNotImplemented, Initiator::Peer),
        (302, Code::ClientHttpNotImplemented, Initiator::Peer),
    ] {
        on_any_leg(&http(status, "text/plain", "Go \"away\""), |scenario| {
            assert_ends(scenario, code, initiator);
            assert_eq!(scenario.fact("status").unwrap(), status.to_string());
            assert_eq!(scenario.fact("text").unwrap(), r#""Go \"away\"""#);
        });
    }
}

#[test]
fn x16_a_header_mismatch_is_the_servers_error() {
    on_any_leg(&http(400, "application/json", &error(-32020, "mismatch").chunks[0]), |scenario| {
        assert_ends(scenario, Code::Protocol(-32020), Initiator::Peer);
    });
}

#[test]
fn x17_a_body_or_event_that_cannot_be_read_says_where() {
    for (says, media_type, offset) in [
        (body("{\"jsonrpc\":"), "\"application/json\"", Some("11")),
        (body("<html>"), "\"application/json\"", Some("0")),
        (stream(["{}", "[1,"]), "\"text/event-stream\"", None),
        (stream(["[1,"]), "\"text/event-stream\"", Some("3")),
        (body("[]"), "\"application/json\"", None),
    ] {
        on_any_leg(&says, |scenario| {
            assert_ends(scenario, Code::ParseError, Initiator::Peer);
            assert_eq!(scenario.fact("contentType").unwrap(), media_type);
            assert_eq!(scenario.fact("offset").as_deref(), offset);
        });
    }
}

#[test]
fn codes_are_stable_and_distinct() {
    let mut texts: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).chain(["PROTOCOL_ERROR"]).collect();
    assert!(texts.iter().all(|text| text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'_'))));
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), count);
}

/// Word for word, since sentences are put together from pieces.
#[test]
fn sentences_are_whole() {
    let waiting = |set: fn(&mut Limits)| {
        let mut scenario = Setup::slow_tool().limits(set).server([asks(&[("k", SAMPLE)], None)]).run();
        scenario.pass(1_000.0);
        scenario
    };
    let on_wire = |set: fn(&mut Limits)| {
        let mut scenario = Setup::tool().limits(set).run();
        scenario.pass(1_000.0);
        scenario
    };
    let asked = |requests: &[(&str, &str)], set: fn(&mut Limits)| {
        Setup::tool().limits(set).server([asks(requests, None), complete("x")]).run()
    };
    let unchanged: fn(&mut Limits) = |_| {};
    for (scenario, sentence) in [
        (on_wire(|limits| limits.timeout_ms = 20.0), "Request timed out: no reply to tools/call within 20 ms"),
        (
            waiting(|limits| limits.handler_timeout_ms = 20.0),
            "Request timed out: a handler did not answer, for tools/call within 20 ms",
        ),
        (
            waiting(|limits| limits.max_total_timeout_ms = 20.0),
            "Maximum total timeout exceeded by tools/call within 20 ms",
        ),
        (
            asked(&[("k", SAMPLE)], |limits| limits.set(Limits::AUTO_FULFILL, false)),
            "Unsupported result type 'input_required' for tools/call: fulfilling is switched off; pass \
             allowInputRequired: true to get the request as it came",
        ),
        (
            asked(&[("k", SAMPLE)], |limits| limits.max_rounds = 0),
            "tools/call asks for input again after 0 rounds: raise inputRequired.maxRounds if that is expected",
        ),
        (
            asked(&[("k", SAMPLE)], |limits| limits.max_requests_per_round = 0),
            "tools/call asks for 1 inputs in one round: raise inputRequired.maxRequestsPerRound if that is expected",
        ),
        (
            asked(&[("100%", r#"{"method":"x"}"#)], unchanged),
            "Invalid result for tools/call: in inputRequests, entry '100%': expected its method to be \
             elicitation/create, sampling/createMessage or roots/list",
        ),
        (
            asked(&[("100%", r#"{"method":"elicitation/create"}"#)], unchanged),
            "The server's request for elicitation/create (entry '100%') cannot be used: at '/message', expected a \
             string (rule elicitation-message)",
        ),
    ] {
        assert_eq!(scenario.error().message(), sentence);
    }
}
