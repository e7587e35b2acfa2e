//! P: what the client says it can do, with every request.

use mcp_sampling::mrtr::Accepts;
use mcp_sampling::wire::Capabilities;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::Setup;
use super::server::{body, complete};
use super::texts::{ROOTS, SAMPLE, SAMPLED, asks, parse};

const NONE: Accepts = Accepts::NONE;
const SAMPLES: Accepts = Accepts::SAMPLES;
const ELICITS: Accepts = Accepts::ELICITS;
const LISTS: Accepts = Accepts::LISTS_ROOTS;

fn declared(explicit: &str, handlers: Accepts) -> String {
    let explicit = (!explicit.is_empty()).then(|| parse(explicit));
    Capabilities::new(explicit.as_ref(), handlers).json
}

#[test]
fn p1_every_leg_declares_and_only_the_newest_declaration_counts() {
    let server = [asks(&[("a", SAMPLE)], None), asks(&[("b", ROOTS)], None)];
    let mut scenario = Setup::slow_tool().server(server).run();
    scenario.client.handlers = SAMPLES;
    scenario.answer("a", SAMPLED);
    assert_eq!(scenario.error().code(), "CAPABILITY_NOT_SUPPORTED");
    assert_eq!(scenario.leg(2).meta("io.modelcontextprotocol/clientCapabilities"), Some(r#"{"sampling":{}}"#));
}

#[test]
fn p2_a_handler_declares_the_plain_form_of_its_capability() {
    for (handlers, json) in [
        (NONE, "{}"),
        (SAMPLES, r#"{"sampling":{}}"#),
        (ELICITS, r#"{"elicitation":{}}"#),
        (LISTS, r#"{"roots":{}}"#),
        (Accepts::HANDLERS, r#"{"sampling":{},"elicitation":{},"roots":{}}"#),
    ] {
        assert_eq!(declared("", handlers), json);
        assert_eq!(declared("{}", handlers), json);
    }
}

#[test]
fn p2_what_the_host_says_goes_out_as_it_says_it() {
    let own = r#"{"experimental":{"__proto__":{}},"sampling":{"tools":{},"context":{"x":1.0}},"elicitation":{"form":{},"url":{}},"extensions":{"a/b":{}}}"#;
    assert_eq!(declared(own, NONE), own);
    assert_eq!(declared(own, Accepts::HANDLERS), own.replace(r#""a/b":{}}}"#, r#""a/b":{}},"roots":{}}"#));
}

#[test]
fn p2_the_parts_of_a_capability_are_known_one_by_one() {
    for (explicit, handlers, expected) in [
        ("", Accepts::HANDLERS, "sampling form roots"),
        (r#"{"sampling":{"tools":{}}}"#, NONE, "sampling tools"),
        (r#"{"sampling":{"context":{}}}"#, NONE, "sampling context"),
        (r#"{"elicitation":{}}"#, NONE, "form"),
        (r#"{"elicitation":{"url":{}}}"#, ELICITS, "url"),
        (r#"{"elicitation":{"url":{},"form":{}}}"#, NONE, "form url"),
        (r#"{"tools":{},"roots":{}}"#, NONE, "roots"),
    ] {
        let explicit = (!explicit.is_empty()).then(|| parse(explicit));
        let found = Capabilities::new(explicit.as_ref(), handlers).accepts;
        let flags = [
            (Accepts::SAMPLING, "sampling"),
            (Accepts::SAMPLING_TOOLS, "tools"),
            (Accepts::SAMPLING_CONTEXT, "context"),
            (Accepts::ELICITATION_FORM, "form"),
            (Accepts::ELICITATION_URL, "url"),
            (Accepts::ROOTS, "roots"),
        ];
        let names: Vec<_> = flags.into_iter().filter(|(flag, _)| found.any(*flag)).map(|(_, name)| name).collect();
        assert_eq!(names.join(" "), expected);
    }
}

#[test]
fn p3_a_capability_is_an_object_or_absent() {
    for (explicit, handlers, json) in [
        (r#"{"sampling":null}"#, NONE, "{}"),
        (r#"{"sampling":null}"#, SAMPLES, r#"{"sampling":{}}"#),
        (r#"{"sampling":true,"roots":false,"elicitation":[]}"#, NONE, "{}"),
        (r#"{"sampling":true,"roots":false}"#, Accepts::HANDLERS, r#"{"sampling":{},"elicitation":{},"roots":{}}"#),
        (r#"{"experimental":null,"other":{}}"#, NONE, r#"{"other":{}}"#),
        ("null", SAMPLES, r#"{"sampling":{}}"#),
        ("[]", NONE, "{}"),
    ] {
        assert_eq!(declared(explicit, handlers), json, "{explicit}");
        let accepts = Capabilities::new(Some(&parse(explicit)), handlers).accepts;
        assert_eq!(
            (accepts.any(Accepts::SAMPLING), accepts.any(Accepts::ROOTS)),
            (handlers.any(Accepts::SAMPLES), handlers.any(Accepts::LISTS_ROOTS))
        );
    }
}

#[test]
fn p4_a_missing_capability_is_the_servers_error_and_is_not_claimed_in_a_second_try() {
    let data = r#"{"requiredCapabilities":{"sampling":{"tools":{}}}}"#;
    let says = format!(r#"{{"jsonrpc":"2.0","id":$ID,"error":{{"code":-32021,"message":"no","data":{data}}}}}"#);
    let mut scenario = Setup::tool().server([body(&says), complete("x")]).run();
    scenario.pass(1e9);
    assert_eq!((scenario.error().peer_code(), scenario.error().data()), (Some(-32021), data));
    assert_eq!(scenario.legs(), 1);
}
