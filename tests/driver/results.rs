//! D: telling a finished result from one that asks for input.

use mcp_sampling::driver::Limits;
use mcp_sampling::revision::Revision;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::scenario::Setup;
use super::server::{body, complete, envelope, result, stream};
use super::texts::{SAMPLE, asks, asks_json, waits};

/// What a call of a tool with this one result ends with: `ok`, or the code. Nothing may be sent after it.
fn outcome(json: &str) -> String {
    let scenario = Setup::tool().server([result(json)]).run();
    assert_eq!(scenario.legs(), 1, "{json}");
    scenario.log.last().map(|last| last.replace("failed ", "").replace("done", "ok")).unwrap()
}

fn strict(limits: &mut Limits) {
    limits.set(Limits::STRICT_RESULT_TYPE, true);
}

#[test]
fn d1_the_type_alone_decides() {
    for json in [
        r#"{"resultType":"complete","inputRequests":{"a":{}},"requestState":"s"}"#,
        r#"{"content":[],"resultType":"complete"}"#,
        r#"{"resultType":"complete","nothing":"of the method"}"#,
    ] {
        assert_eq!(outcome(json), "ok", "{json}");
    }
    let with_content = asks_json(&[("a", SAMPLE)], None).replacen('{', r#"{"content":[],"isError":false,"#, 1);
    assert_eq!(Setup::tool().server([result(&with_content), complete("x")]).run().legs(), 2);
}

#[test]
fn d2_a_complete_result_reaches_the_caller_as_it_came() {
    let json = r#"{ "resultType":"complete","content":[ ],"n":1.0,"big":12345678901234567890123,"s":"\u0041\/" }"#;
    let scenario = Setup::tool().server([result(json)]).run();
    assert_eq!(scenario.result(), json);
    assert!(scenario.warnings.is_empty());
}

#[test]
fn d3_input_required_starts_a_round() {
    let scenario = Setup::slow_tool().server([asks(&[("a", SAMPLE)], None)]).run();
    assert!(scenario.is_open());
    assert_eq!(scenario.open_keys(), ["a"]);
}

#[test]
fn d4_d5_an_absent_type_is_complete_with_a_warning() {
    for (json, says) in [
        (r#"{"content":[]}"#, "the result has no resultType"),
        (r#"{"content":[],"inputRequests":{}}"#, "the result has inputRequests or requestState but no resultType"),
        (r#"{"requestState":"s"}"#, "the result has inputRequests or requestState but no resultType"),
    ] {
        let scenario = Setup::tool().server([result(json)]).run();
        assert_eq!((scenario.result(), scenario.legs()), (json, 1));
        let (rule, message, _) = &scenario.warnings[0];
        assert_eq!(*rule, "result-type");
        assert!(message.starts_with(says), "{message}");
    }
}

#[test]
fn d5_the_strict_rule_refuses_an_absent_type() {
    let scenario = Setup::tool().limits(strict).server([result(r#"{"content":[]}"#)]).run();
    assert_eq!(scenario.error().code(), "INVALID_RESULT");
    assert!(scenario.error().message().contains("resultType is missing"));
    assert_eq!(scenario.fact("method").unwrap(), "\"tools/call\"");
}

#[test]
fn d6_an_unknown_type_fails_at_once_and_is_named() {
    let scenario = Setup::tool().server([result(r#"{"resultType":"ta\u0073k","content":[]}"#)]).run();
    assert_eq!(scenario.error().code(), "UNSUPPORTED_RESULT_TYPE");
    assert_eq!(scenario.fact("resultType").unwrap(), "\"task\"");
    assert_eq!(scenario.fact("method").unwrap(), "\"tools/call\"");
    assert_eq!(scenario.legs(), 1);
}

#[test]
fn d6_a_type_of_a_megabyte_is_cut_in_the_message() {
    let scenario = Setup::tool().server([result(&format!(r#"{{"resultType":"{}"}}"#, "x".repeat(1 << 20)))]).run();
    assert!(scenario.error().message().len() < 300 && scenario.error().data().len() < 300);
}

#[test]
fn d7_a_type_that_is_no_string_is_an_invalid_result() {
    for value in ["null", "1", "true", "{}", "[]", r#"["input_required"]"#] {
        assert_eq!(outcome(&format!(r#"{{"resultType":{value},"requestState":"s"}}"#)), "INVALID_RESULT", "{value}");
    }
    for json in ["null", "[]", "\"complete\"", "7"] {
        assert_eq!(outcome(json), "INVALID_RESULT", "{json}");
    }
}

#[test]
fn d8_the_type_is_compared_exactly() {
    for name in ["Input_Required", "INPUT_REQUIRED", "inputRequired", "input_required ", " complete", "Complete", ""] {
        let json = format!(r#"{{"resultType":"{name}","requestState":"s"}}"#);
        assert_eq!(outcome(&json), "UNSUPPORTED_RESULT_TYPE", "{name:?}");
    }
    let escaped = result(r#"{"resultType":"input\u005frequired","requestState":"s"}"#);
    assert!(Setup::tool().server([escaped]).run().is_open());
}

#[test]
fn d9_three_methods_may_ask_and_no_other() {
    for (method, params) in
        [("tools/call", r#"{"name":"t"}"#), ("prompts/get", r#"{"name":"p"}"#), ("resources/read", r#"{"uri":"a:b"}"#)]
    {
        let server = [asks(&[("a", SAMPLE)], Some("s")), complete("x")];
        assert_eq!(Setup::new(method, params).answering().server(server).run().legs(), 2, "{method}");
    }
    for method in ["tools/list", "server/discover", "ping", "completion/complete", "Tools/call", "__proto__"] {
        let scenario = Setup::new(method, "").answering().server([asks(&[("a", SAMPLE)], Some("s"))]).run();
        assert_eq!((scenario.error().code(), scenario.legs()), ("INVALID_RESULT", 1), "{method}");
    }
}

#[test]
fn d10_neither_requests_nor_state_is_invalid() {
    for members in ["", r#","inputRequests":{}"#, r#","_meta":{}"#] {
        assert_eq!(outcome(&format!(r#"{{"resultType":"input_required"{members}}}"#)), "INVALID_RESULT", "{members}");
    }
}

#[test]
fn d11_no_requests_but_a_state_is_a_leg_with_the_state_alone() {
    let json = r#"{"resultType":"input_required","inputRequests":{},"requestState":"s"}"#;
    let mut scenario = Setup::tool().server([result(json), complete("x")]).run();
    assert!(scenario.open.is_empty());
    scenario.pass(250.0);
    assert_eq!(scenario.param(2, "requestState"), Some("\"s\""));
    assert_eq!(scenario.param(2, "inputResponses"), None);
}

#[test]
fn d12_an_empty_state_is_a_state() {
    let mut scenario = Setup::tool().server([waits(""), complete("x")]).run();
    scenario.pass(250.0);
    assert_eq!(scenario.param(2, "requestState"), Some("\"\""));
}

#[test]
fn d13_a_state_of_a_wrong_type_is_invalid() {
    for state in ["null", "0", "false", "{}", "[]", r#"["s"]"#] {
        let json =
            format!(r#"{{"resultType":"input_required","inputRequests":{{"a":{SAMPLE}}},"requestState":{state}}}"#);
        assert_eq!(outcome(&json), "INVALID_RESULT", "{state}");
    }
}

#[test]
fn d14_requests_of_a_wrong_type_are_invalid() {
    for requests in ["null", "[]", "\"a\"", "1", "true", "[{}]"] {
        let json = format!(r#"{{"resultType":"input_required","inputRequests":{requests},"requestState":"s"}}"#);
        assert_eq!(outcome(&json), "INVALID_RESULT", "{requests}");
    }
}

#[test]
fn d15_meta_changes_nothing() {
    let meta = r#"{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"},"resultType":"complete"},"#;
    let asked = asks_json(&[("a", SAMPLE)], None).replacen('{', meta, 1);
    let done = r#"{"resultType":"complete","_meta":{"resultType":"input_required"}}"#;
    let scenario = Setup::tool().server([result(&asked), result(done)]).run();
    assert_eq!((scenario.legs(), scenario.result()), (2, done));
}

#[test]
fn d16_in_a_session_of_2025_the_type_means_nothing_and_asks_for_nothing() {
    let legacy = || Setup::tool().limits(|limits| limits.revision = Revision::V2025_11_25);
    for json in ["{}", r#"{"resultType":"task"}"#, r#"{"resultType":7}"#, r#"{"requestState":"s","content":[]}"#] {
        let scenario = legacy().server([result(json)]).run();
        assert_eq!((scenario.result(), scenario.warnings.len()), (json, 0));
    }
    let asked = legacy().server([asks(&[("a", SAMPLE)], Some("s"))]).run();
    assert_eq!((asked.error().code(), asked.legs()), ("INVALID_RESULT", 1));
    assert_eq!(legacy().manual().server([waits("s")]).run().error().code(), "INVALID_RESULT");
}

#[test]
fn d17_a_response_has_a_result_or_an_error() {
    let error = r#""error":{"code":-32000,"message":"no"}"#;
    for (members, code) in [
        (format!(r#","result":{{"resultType":"complete"}},{error}"#), "PARSE_ERROR"),
        (String::new(), "PARSE_ERROR"),
        (r#","error":null"#.to_owned(), "PARSE_ERROR"),
        (r#","error":{"code":1.5,"message":"no"}"#.to_owned(), "PARSE_ERROR"),
        (r#","error":{"code":-32000}"#.to_owned(), "PARSE_ERROR"),
        (format!(",{error}"), "PROTOCOL_ERROR"),
    ] {
        let reply = body(&format!(r#"{{"jsonrpc":"2.0","id":$ID{members}}}"#));
        assert_eq!(Setup::tool().server([reply]).run().error().code(), code, "{members}");
    }
}

#[test]
fn d18_a_type_of_an_extension_is_unknown_as_no_extension_is_declared() {
    let json = r#"{"resultType":"task","task":{"taskId":"1","status":"working"}}"#;
    assert_eq!(outcome(json), "UNSUPPORTED_RESULT_TYPE");
}

#[test]
fn d19_the_leg_is_finished_by_the_result_on_its_stream() {
    let asked = envelope(&asks_json(&[("a", SAMPLE)], Some("s")));
    let late = envelope(r#"{"resultType":"complete","late":true}"#);
    let scenario = Setup::slow_tool().server([stream([asked.as_str(), &late, "not JSON"])]).run();
    assert_eq!(scenario.open_keys(), ["a"]);
    assert!(scenario.is_open());
}

#[test]
fn d20_a_repeated_member_means_the_last() {
    let twice = |first: &str, second: &str| format!(r#"{{"resultType":"{first}","resultType":"{second}"}}"#);
    assert_eq!(outcome(&twice("input_required", "complete")), "ok");
    assert_eq!(outcome(&twice("complete", "strange")), "UNSUPPORTED_RESULT_TYPE");
    let json = r#"{"resultType":"input_required","requestState":"a","requestState":"b"}"#;
    let mut scenario = Setup::tool().server([result(json)]).run();
    scenario.pass(250.0);
    assert_eq!(scenario.param(2, "requestState"), Some("\"b\""));
}

#[test]
fn d20_a_repeated_key_of_a_request_is_refused() {
    let scenario = Setup::tool().server([asks(&[("a", SAMPLE), (r"\u0061", SAMPLE)], Some("s"))]).run();
    assert_eq!(scenario.error().code(), "INVALID_RESULT");
    assert!(scenario.error().message().contains("the same key"));
    assert_eq!(scenario.legs(), 1);
}
