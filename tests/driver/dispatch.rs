//! E: which requests reach a handler, and which answers leave.

use mcp_sampling::driver::Event;
use mcp_sampling::error::{Code, Error};
use mcp_sampling::json::{Document, ValueId};
use mcp_sampling::mrtr::{Accepts, Ask, InputMethod, Manner};
use mcp_sampling::revision::Revision;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::{Scenario, Setup};
use super::server::complete;
use super::texts::{FILLED, FORM, LISTED, ROOTS, SAMPLE, SAMPLED, URL, asks};

const ALL_CAPABILITIES: &str =
    r#"{"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}},"roots":{}}"#;

/// A call whose server asks for this one thing, under the key `k`.
fn asked(request: &str) -> Scenario {
    asked_of(Setup::slow_tool().declares(ALL_CAPABILITIES), request)
}

fn asked_of(setup: Setup, request: &str) -> Scenario {
    setup.server([asks(&[("k", request)], Some("s")), complete("x")]).run()
}

/// Nobody was asked, nothing was sent, and the error names the key.
fn assert_refused(scenario: &Scenario, code: &str) {
    assert_eq!(scenario.error().code(), code, "{}", scenario.error());
    assert_eq!((scenario.legs(), scenario.open.len()), (1, 0));
    assert_eq!(scenario.fact("key").unwrap(), "\"k\"");
    assert!(scenario.error().message().contains("'k'"), "{}", scenario.error());
}

fn elicitation(params: &str) -> String {
    format!(r#"{{"method":"elicitation/create","params":{params}}}"#)
}

fn sampling(more: &str) -> String {
    SAMPLE.replace("\"maxTokens\":9", &format!("\"maxTokens\":9,{more}"))
}

#[test]
fn e1_an_entry_is_an_object_with_a_method() {
    for entry in ["null", "[]", "\"roots/list\"", "1", "{}", r#"{"method":null}"#, r#"{"method":["roots/list"]}"#] {
        assert_refused(&asked(entry), "INVALID_RESULT");
    }
}

#[test]
fn e2_three_methods_are_known_and_no_other_handler_can_be_reached() {
    for request in [SAMPLE, FORM, URL, ROOTS] {
        assert_eq!(asked(request).open_keys(), ["k"], "{request}");
    }
    for method in ["ping", "tools/call", "sampling/createmessage", "roots/list ", "", "notifications/cancelled"] {
        let scenario = asked(&format!(r#"{{"method":"{method}"}}"#));
        assert_refused(&scenario, "INVALID_RESULT");
        assert_eq!(scenario.fact("inputMethod").unwrap(), format!("\"{method}\""));
        assert_eq!(scenario.fact("method").unwrap(), "\"tools/call\"");
    }
}

#[test]
fn e3_without_a_handler_nothing_is_guessed() {
    for (request, handlers, method) in [
        (SAMPLE, Accepts::ELICITS | Accepts::LISTS_ROOTS, "\"sampling/createMessage\""),
        (FORM, Accepts::SAMPLES | Accepts::LISTS_ROOTS, "\"elicitation/create\""),
        (ROOTS, Accepts::SAMPLES | Accepts::ELICITS, "\"roots/list\""),
    ] {
        for setup in [Setup::tool(), Setup::tool().declares(ALL_CAPABILITIES)] {
            let scenario = asked_of(setup.handlers(handlers), request);
            assert_refused(&scenario, "CAPABILITY_NOT_SUPPORTED");
            assert_eq!(scenario.fact("method").unwrap(), method);
            assert!(scenario.error().message().contains("setRequestHandler"));
        }
    }
}

#[test]
fn e4_what_was_not_declared_is_refused_although_a_handler_is_there() {
    let tools = sampling(r#""tools":[{"name":"t","inputSchema":{"type":"object"}}]"#);
    assert_refused(&asked_of(Setup::slow_tool(), &tools), "INVALID_SAMPLING_REQUEST");
    assert_eq!(asked(&tools).open_keys(), ["k"]);
    assert_refused(&asked_of(Setup::slow_tool(), URL), "CAPABILITY_NOT_SUPPORTED");
    assert_eq!(asked(URL).open_keys(), ["k"]);
}

/// A host that takes its handlers for a declaration of its own.
#[test]
fn e4_a_handler_alone_declares_nothing() {
    for (method, accepts) in [
        (InputMethod::CreateMessage, Accepts::SAMPLES),
        (InputMethod::Elicit, Accepts::ELICITS),
        (InputMethod::ListRoots, Accepts::LISTS_ROOTS),
    ] {
        let document = Document::default();
        let ask = Ask { round: 1, index: 0, key: "k".to_owned(), method, document, params: ValueId::NONE };
        let manner = Manner { revision: Revision::LATEST, lenient: true };
        assert_eq!(ask.check(accepts, manner).unwrap_err().code(), "CAPABILITY_NOT_SUPPORTED");
    }
}

#[test]
fn e4_one_bad_entry_keeps_all_handlers_unasked() {
    let server = [asks(&[("good", SAMPLE), ("k", URL)], None), complete("x")];
    assert_refused(&Setup::slow_tool().server(server).run(), "CAPABILITY_NOT_SUPPORTED");
}

#[test]
fn e5_malformed_params_fail_before_the_handler_sees_them() {
    for (request, code) in [
        (r#"{"method":"sampling/createMessage"}"#, "INVALID_SAMPLING_REQUEST"),
        (r#"{"method":"sampling/createMessage","params":{}}"#, "INVALID_SAMPLING_REQUEST"),
        (r#"{"method":"sampling/createMessage","messages":[],"maxTokens":1}"#, "INVALID_SAMPLING_REQUEST"),
        (r#"{"method":"sampling/createMessage","params":{"messages":{},"maxTokens":1}}"#, "INVALID_SAMPLING_REQUEST"),
        (r#"{"method":"elicitation/create"}"#, "INVALID_INPUT_REQUEST"),
        (r#"{"method":"elicitation/create","params":{"message":"?"}}"#, "INVALID_INPUT_REQUEST"),
        (r#"{"method":"elicitation/create","params":{"mode":"url","message":"?"}}"#, "INVALID_INPUT_REQUEST"),
        (r#"{"method":"elicitation/create","params":{"mode":"voice","message":"?"}}"#, "INVALID_INPUT_REQUEST"),
    ] {
        let scenario = asked(request);
        assert_refused(&scenario, code);
        assert_eq!(scenario.fact("code").unwrap(), "-32602");
        assert!(scenario.fact("findings").unwrap().contains("\"rule\":"), "{request}");
    }
    for params in ["null", "[]", "1", "\"x\""] {
        assert_refused(&asked(&format!(r#"{{"method":"roots/list","params":{params}}}"#)), "INVALID_RESULT");
    }
}

#[test]
fn e6_an_answer_that_breaks_a_rule_stays_here() {
    for (request, answer, code) in [
        (SAMPLE, "{}", "INVALID_SAMPLING_RESULT"),
        (SAMPLE, "[]", "INVALID_SAMPLING_RESULT"),
        (SAMPLE, r#"{"role":"assistant","content":{"type":"text"},"model":"m"}"#, "INVALID_SAMPLING_RESULT"),
        (FORM, "{}", "INVALID_HANDLER_RESULT"),
        (FORM, r#"{"action":"accepted"}"#, "INVALID_HANDLER_RESULT"),
        (FORM, r#"{"action":"accept","content":{"name":1}}"#, "INVALID_HANDLER_RESULT"),
        (ROOTS, "{}", "INVALID_HANDLER_RESULT"),
        (ROOTS, "[]", "INVALID_HANDLER_RESULT"),
    ] {
        let mut scenario = asked(request);
        scenario.answer("k", answer);
        assert_refused(&scenario, code);
        assert_eq!(scenario.fact("code").unwrap(), "-32602", "{answer}");
        assert_eq!(scenario.error().peer_code(), None);
    }
}

#[test]
fn e6_an_answer_with_a_tool_use_is_good_where_tools_were_declared() {
    let mut scenario = asked(&sampling(r#""tools":[{"name":"t","inputSchema":{"type":"object"}}]"#));
    let used = r#"{"role":"assistant","content":{"type":"tool_use","id":"1","name":"t","input":{}},"model":"m","stopReason":"toolUse"}"#;
    scenario.answer("k", used);
    assert_eq!(scenario.responses(2), [("k", used)]);
}

#[test]
fn e7_a_handler_learns_key_round_and_the_params_with_their_meta() {
    let params =
        r#"{"_meta":{"a":1.0},"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"\u0041"}}]}"#;
    let scenario = asked(&format!(r#"{{"method":"sampling/createMessage","params":{params}}}"#));
    let ask = &scenario.open[0];
    assert_eq!((ask.key.as_str(), ask.round, ask.index), ("k", 1, 0));
    assert_eq!(ask.params().unwrap().raw(), params);
}

#[test]
fn e8_the_modes_of_elicitation_are_declared_one_by_one() {
    let with_mode = FORM.replace("\"message\"", "\"mode\":\"form\",\"message\"");
    let (form, url) = (&[FORM, with_mode.as_str()][..], &[URL][..]);
    for (capabilities, open, refused) in [
        (r#"{"elicitation":{}}"#, form, url),
        (r#"{"elicitation":{"form":{}}}"#, form, url),
        (r#"{"elicitation":{"url":{}}}"#, url, form),
        ("{}", form, url),
    ] {
        let run = |request: &&str| asked_of(Setup::slow_tool().declares(capabilities), request);
        assert!(open.iter().map(run).all(|scenario| scenario.open_keys() == ["k"]), "{capabilities}");
        refused.iter().map(run).for_each(|scenario| assert_refused(&scenario, "CAPABILITY_NOT_SUPPORTED"));
    }
}

#[test]
fn e9_decline_and_cancel_are_answers() {
    for request in [FORM, URL] {
        for answer in [r#"{"action":"decline"}"#, r#"{"action":"cancel","_meta":{}}"#] {
            let mut scenario = asked(request);
            scenario.answer("k", answer);
            assert_eq!(scenario.responses(2), [("k", answer)]);
            assert!(!scenario.is_open());
        }
    }
}

#[test]
fn e10_a_refusal_to_sample_ends_the_call_here() {
    let mut scenario = asked(SAMPLE);
    scenario.refuse("k", Error::new(Code::SamplingDeclined, "the user in 'k' said no"));
    assert_refused(&scenario, "SAMPLING_DECLINED");
}

#[test]
fn e11_only_an_accepted_form_has_content() {
    let content = r#","content":{"name":"Ada"}"#;
    for (request, action, with, without) in [
        (FORM, "accept", true, false),
        (URL, "accept", false, true),
        (FORM, "decline", false, true),
        (FORM, "cancel", false, true),
        (URL, "decline", false, true),
    ] {
        for (content, good) in [(content, with), ("", without)] {
            let mut scenario = asked(request);
            scenario.answer("k", &format!(r#"{{"action":"{action}"{content}}}"#));
            assert_eq!(scenario.legs() == 2, good, "{action} {content} of {request}");
        }
    }
}

#[test]
fn e12_the_url_reaches_the_handler_as_the_server_wrote_it() {
    let url = r#"https:\/\/b\u00fccher.example@a.example/?q=%20&\u0026"#;
    let params = format!(r#"{{"mode":"url","message":"?","url":"{url}"}}"#);
    let scenario = asked(&elicitation(&params));
    assert_eq!(scenario.open[0].params().unwrap().raw(), params);
}

#[test]
fn e13_defaults_fill_what_an_accepted_form_leaves_out() {
    let schema = r#"{"type":"object","properties":{"name":{"type":"string","default":"\u0041"},"n":{"type":"number","default":1.0},"b":{"type":"boolean"}},"required":["name"]}"#;
    let request = elicitation(&format!(r#"{{"message":"?","requestedSchema":{schema}}}"#));
    for (answer, sent) in [
        (r#"{"action":"accept"}"#, r#"{"action":"accept","content":{"name":"\u0041","n":1.0}}"#),
        (r#"{"action":"accept","content":{"n":2}}"#, r#"{"action":"accept","content":{"n":2,"name":"\u0041"}}"#),
        (r#"{"action":"decline"}"#, r#"{"action":"decline"}"#),
    ] {
        let mut scenario = asked(&request);
        scenario.answer("k", answer);
        assert_eq!(scenario.responses(2), [("k", sent)]);
    }
}

#[test]
fn e14_roots_are_file_uris_and_may_be_none() {
    for (answer, good) in [
        (r#"{"roots":[{"uri":"file:/a"}]}"#, false),
        (r#"{"roots":[]}"#, true),
        (LISTED, true),
        (r#"{"roots":[{"uri":"file:///a","name":"a","_meta":{}}]}"#, true),
        (r#"{"roots":[{"uri":"http://a"}]}"#, false),
        (r#"{"roots":[{"uri":"FILE:///a"}]}"#, false),
        (r#"{"roots":[{"name":"a"}]}"#, false),
        (r#"{"roots":["file:///a"]}"#, false),
        (r#"{"roots":[{"uri":"file:///a","name":1}]}"#, false),
        (r#"{"roots":{}}"#, false),
        (r#"{"roots":null}"#, false),
    ] {
        let mut scenario = asked(ROOTS);
        scenario.answer("k", answer);
        assert_eq!(scenario.legs() == 2, good, "{answer}");
    }
}

#[test]
fn e15_the_fields_of_a_form_keep_their_order() {
    let fields = r#"{"z":{"type":"string"},"10":{"type":"number"},"2":{"type":"boolean"},"a":{"type":"integer"},"__proto__":{"type":"string"}}"#;
    let request =
        elicitation(&format!(r#"{{"message":"?","requestedSchema":{{"type":"object","properties":{fields}}}}}"#));
    let scenario = asked(&request);
    assert_eq!(
        scenario.open[0].params().unwrap().get("requestedSchema").unwrap().get("properties").unwrap().raw(),
        fields
    );
}

#[test]
fn e16_a_client_without_any_handler_fails_at_once() {
    for request in [SAMPLE, FORM, URL, ROOTS] {
        let scenario = asked_of(Setup::tool().handlers(Accepts::default()), request);
        assert_refused(&scenario, "CAPABILITY_NOT_SUPPORTED");
    }
}

#[test]
fn e17_what_is_no_json_is_no_answer() {
    for request in [SAMPLE, FORM, ROOTS] {
        for answer in ["", "undefined", "{", "[object Object]", "NaN"] {
            let mut scenario = asked(request);
            scenario.answer("k", answer);
            assert_eq!((scenario.error().code(), scenario.legs()), ("INVALID_HANDLER_RESULT", 1), "{answer:?}");
            assert_eq!(scenario.fact("key").unwrap(), "\"k\"");
        }
    }
}

#[test]
fn e18_a_handler_that_never_returns_cannot_hold_the_call() {
    let mut aborted = asked(SAMPLE);
    aborted.handle(Event::Abort);
    assert_eq!((aborted.log.last().unwrap().as_str(), aborted.call.deadline()), ("cancel asks", None));
    for (total, handlers, clock) in [(500.0, f64::INFINITY, "\"total\""), (f64::INFINITY, 500.0, "\"handlers\"")] {
        let setup = Setup::slow_tool().limits(|limits| {
            limits.max_total_timeout_ms = total;
            limits.handler_timeout_ms = handlers;
        });
        let mut scenario = asked_of(setup, SAMPLE);
        scenario.pass(500.0);
        assert_eq!(scenario.fact("clock").unwrap(), clock);
        assert_eq!(scenario.log, ["send 1", "ask k", "cancel asks", "failed REQUEST_TIMEOUT"]);
        scenario.answer("k", SAMPLED);
        assert_eq!(scenario.legs(), 1);
    }
}

#[test]
fn e18_an_answer_after_the_end_is_ignored() {
    let mut scenario = asked(FORM);
    let late = scenario.answered("k", FILLED);
    scenario.handle(Event::Abort);
    scenario.handle(late);
    assert_eq!((scenario.legs(), scenario.is_open()), (1, true));
}
