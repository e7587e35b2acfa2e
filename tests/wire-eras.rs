//! Finding out which revision a server speaks. Rule ids are those of the catalogue of client behaviours (V).

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use mcp_sampling::error::{Code, Error};
use mcp_sampling::json::Document;
use mcp_sampling::revision::Revision;
use mcp_sampling::wire::era::{Channel, Mode, Negotiation, Prior, Step, Verdicts};
use mcp_sampling::wire::http::{Body, Exchange, Incoming};
use mcp_sampling::wire::method;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const MODERN: Mode = Mode::Pin(Revision::LATEST);

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap()
}

/// A step in a word or two.
fn word(step: Step) -> String {
    match step {
        Step::Discover => "discover".to_owned(),
        Step::Initialize(revision) => format!("initialize {revision}"),
        Step::Speak(revision) => format!("speak {revision}"),
        Step::Fail(error) => match error.peer_code() {
            Some(code) => format!("fail {code}"),
            None => format!("fail {}", error.code()),
        },
    }
}

/// The verdict on a whole HTTP reply to the first question.
fn reply(negotiation: &mut Negotiation, status: u16, media_type: &str, body: &str) -> String {
    let mut exchange = Exchange::new(0);
    if exchange.head(status, media_type) == Body::Whole {
        exchange.body(body.as_bytes().to_vec());
    }
    word(match exchange.poll().unwrap() {
        Incoming::Result { document, result, .. } => negotiation.on_discovered(document.value(result)),
        Incoming::Failed(error) => negotiation.on_discover_failed(error, status),
        other => panic!("{other:?}"),
    })
}

fn verdict(mode: Mode, status: u16, body: &str) -> String {
    reply(&mut Negotiation::new(mode, Channel::Http, 0), status, "application/json", body)
}

fn result(result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":0,"result":{result}}}"#)
}

fn error(code: i64, data: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":{code},"message":"no"{data}}}}}"#)
}

fn supported(list: &str) -> String {
    error(-32022, &format!(r#","data":{{"supported":{list}}}"#))
}

const LEGACY: &str = "initialize 2025-11-25";
const SPEAK: &str = "speak 2026-07-28";
const FAIL: &str = "fail ERA_NEGOTIATION_FAILED";

#[test]
fn v1_v10_what_is_sent_first() {
    let first = |mode| word(Negotiation::new(mode, Channel::Http, 0).begin());
    assert_eq!(first(Mode::Auto), "discover");
    assert_eq!(first(MODERN), "discover");
    assert_eq!(first(Mode::Legacy), LEGACY);
    assert_eq!(first(Mode::Pin(Revision::V2025_03_26)), "initialize 2025-03-26");
}

#[test]
fn v12_a_discover_result_says_which_versions_there_are() {
    for (found, auto, pinned) in [
        (r#"{"supportedVersions":["2026-07-28","2027-01-01"],"capabilities":{}}"#, SPEAK, SPEAK),
        (r#"{"supportedVersions":["2027-01-01","2026-07-28"]}"#, SPEAK, SPEAK),
        (r#"{"supportedVersions":["2025-06-18","2024-11-05"]}"#, "initialize 2025-06-18", FAIL),
        (r#"{"supportedVersions":["2024-11-05"]}"#, LEGACY, FAIL),
        (r#"{"supportedVersions":["2027-01-01"]}"#, FAIL, FAIL),
        (r#"{"supportedVersions":[]}"#, LEGACY, FAIL),
        (r#"{"supportedVersions":"2026-07-28"}"#, LEGACY, FAIL),
        (r#"{"supportedVersions":[1]}"#, LEGACY, FAIL),
        (r#"{"ok":true}"#, LEGACY, FAIL),
        (r#"{"tools":[]}"#, LEGACY, FAIL),
        (r#"{"content":[{"text":"supportedVersions: [\"2026-07-28\"]"}]}"#, LEGACY, FAIL),
    ] {
        assert_eq!(verdict(Mode::Auto, 200, &result(found)), auto, "{found}");
        assert_eq!(verdict(MODERN, 200, &result(found)), pinned, "{found}");
    }
}

#[test]
fn v2_v3_an_unsupported_version_is_asked_for_once_more() {
    for status in [200, 400] {
        let mut negotiation = Negotiation::new(Mode::Auto, Channel::Http, 0);
        let refused = supported(r#"["2026-07-28","2025-11-25"]"#);
        assert_eq!(reply(&mut negotiation, status, "application/json", &refused), "discover");
        assert_eq!(reply(&mut negotiation, status, "application/json", &refused), "fail -32022");
    }
    let mut negotiation = Negotiation::new(MODERN, Channel::Http, 0);
    assert_eq!(reply(&mut negotiation, 400, "application/json", &supported(r#"["2026-07-28"]"#)), "discover");
    let found = result(r#"{"supportedVersions":["2026-07-28"]}"#);
    assert_eq!(reply(&mut negotiation, 200, "application/json", &found), SPEAK);
}

#[test]
fn v4_other_modern_versions_are_no_reason_for_the_handshake() {
    for (list, auto) in [
        (r#"["2027-12-31"]"#, FAIL),
        (r#"["2025-11-25","2025-06-18"]"#, LEGACY),
        (r#"["2025-03-26"]"#, "initialize 2025-03-26"),
        (r#"["2024-11-05","2027-12-31"]"#, LEGACY),
        ("[]", LEGACY),
        (r#""not-a-list""#, LEGACY),
    ] {
        assert_eq!(verdict(Mode::Auto, 400, &supported(list)), auto, "{list}");
        assert_eq!(verdict(MODERN, 400, &supported(list)), FAIL, "{list}");
    }
    assert_eq!(verdict(Mode::Auto, 400, &error(-32022, "")), LEGACY);
}

#[test]
fn v5_v6_v7_what_is_no_modern_answer_is_a_legacy_one() {
    for code in [-32601, -32602, -32600, -32000, -32001, -32042, 0, 1] {
        assert_eq!(verdict(Mode::Auto, 200, &error(code, "")), LEGACY, "{code}");
        assert_eq!(verdict(Mode::Auto, 400, &error(code, "")), LEGACY, "{code}");
        assert_eq!(verdict(Mode::Auto, 404, &error(code, "")), LEGACY, "{code}");
        assert_eq!(verdict(MODERN, 400, &error(code, "")), FAIL, "{code}");
    }
    for status in [400, 404, 405, 406, 415] {
        for body in ["", "Bad Request", "<html>", "{}", "[]"] {
            assert_eq!(verdict(Mode::Auto, status, body), LEGACY, "{status} {body}");
        }
    }
    for body in ["", "not json", "[]"] {
        assert_eq!(verdict(Mode::Auto, 200, body), LEGACY, "{body}");
    }
    assert_eq!(verdict(Mode::Auto, 202, ""), LEGACY);
}

#[test]
fn v6_v14_codes_that_only_modern_servers_know_are_errors() {
    for code in [-32020, -32021] {
        for status in [200, 400] {
            assert_eq!(verdict(Mode::Auto, status, &error(code, "")), format!("fail {code}"));
        }
    }
}

#[test]
fn v6_walls_and_outages_are_never_legacy() {
    for body in ["", "no", &error(-32000, ""), &error(-32601, "")] {
        assert_eq!(verdict(Mode::Auto, 401, body), "fail CLIENT_HTTP_AUTHENTICATION");
        assert_eq!(verdict(Mode::Auto, 403, body), "fail CLIENT_HTTP_FORBIDDEN");
        for status in [500, 502, 503, 408, 429, 302, 307] {
            assert_eq!(verdict(Mode::Auto, status, body), FAIL, "{status} {body}");
        }
    }
    assert_eq!(verdict(Mode::Auto, 0, ""), FAIL);
    let failed =
        |channel, code| word(Negotiation::new(Mode::Auto, channel, 0).on_discover_failed(Error::new(code, "no"), 0));
    for channel in [Channel::Http, Channel::Shared] {
        assert_eq!(failed(channel, Code::SendFailed), FAIL);
        assert_eq!(failed(channel, Code::ConnectionClosed), FAIL);
    }
    assert_eq!(failed(Channel::Http, Code::RequestTimeout), "fail REQUEST_TIMEOUT");
    assert_eq!(failed(Channel::Page, Code::RequestTimeout), "fail REQUEST_TIMEOUT");
    assert_eq!(failed(Channel::Shared, Code::RequestTimeout), LEGACY);
    assert_eq!(failed(Channel::Http, Code::InvalidArgument), "fail INVALID_ARGUMENT");
}

#[test]
fn v6_an_outage_says_its_status() {
    let mut negotiation = Negotiation::new(Mode::Auto, Channel::Http, 0);
    let Step::Fail(error) = negotiation.on_discover_failed(Error::protocol(-32603, "x".into(), None), 500) else {
        panic!("no failure")
    };
    assert_eq!(error.data(), r#"{"reason":"PROTOCOL_ERROR","status":500}"#);
}

#[test]
fn silence_is_asked_again_as_often_as_the_host_says() {
    let mut negotiation = Negotiation::new(Mode::Auto, Channel::Http, 2);
    let silence = || Error::new(Code::RequestTimeout, "no");
    for expected in ["discover", "discover", "fail REQUEST_TIMEOUT"] {
        assert_eq!(word(negotiation.on_discover_failed(silence(), 0)), expected);
    }
}

/// An old server may refuse the new headers to a page; the browser only says that nothing was sent.
#[test]
fn n21_in_a_page_what_was_not_sent_is_tried_the_old_way_and_else_told() {
    let unsent = |text| Error::new(Code::SendFailed, text);
    let mut negotiation = Negotiation::new(Mode::Auto, Channel::Page, 0);
    assert_eq!(word(negotiation.on_discover_failed(unsent("the first"), 0)), LEGACY);
    let Step::Fail(error) = negotiation.on_initialize_failed(unsent("the second"), 0) else { panic!("no failure") };
    assert_eq!(error.message(), "the first");
    for (code, status, expected) in [
        (Code::Protocol(-32601), 400, "fail SEND_FAILED"),
        (Code::ClientHttpAuthentication, 401, "fail CLIENT_HTTP_AUTHENTICATION"),
        (Code::ClientHttpNotImplemented, 502, "fail CLIENT_HTTP_NOT_IMPLEMENTED"),
    ] {
        let mut negotiation = Negotiation::new(Mode::Auto, Channel::Page, 0);
        negotiation.on_discover_failed(unsent("the first"), 0);
        assert_eq!(word(negotiation.on_initialize_failed(Error::new(code, "no"), status)), expected);
    }
    let mut pinned = Negotiation::new(MODERN, Channel::Page, 0);
    assert_eq!(word(pinned.on_discover_failed(unsent("no"), 0)), "fail SEND_FAILED");
}

#[test]
fn v10_a_session_is_never_of_the_new_revision() {
    let answered = |mode, version: &str| {
        let found = format!(r#"{{"protocolVersion":{version}}}"#);
        word(Negotiation::new(mode, Channel::Http, 0).on_initialized(parse(&found).root()))
    };
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        assert_eq!(answered(Mode::Auto, &format!("\"{version}\"")), format!("speak {version}"));
    }
    for version in ["\"2026-07-28\"", "\"2024-11-05\"", "\"\"", "1", "null"] {
        assert_eq!(answered(Mode::Auto, version), FAIL, "{version}");
    }
    let pinned = Mode::Pin(Revision::V2025_06_18);
    assert_eq!(answered(pinned, "\"2025-06-18\""), "speak 2025-06-18");
    assert_eq!(answered(pinned, "\"2025-11-25\""), FAIL);
}

#[test]
fn v9_a_verdict_from_earlier_holds_until_it_is_refuted() {
    let assumed = || {
        let mut negotiation = Negotiation::new(Mode::Auto, Channel::Http, 0);
        negotiation.assume_legacy();
        assert_eq!(word(negotiation.begin()), LEGACY);
        negotiation
    };
    let mut negotiation = assumed();
    assert_eq!(word(negotiation.on_initialize_failed(Error::protocol(-32601, "no".into(), None), 404)), "discover");
    assert_eq!(word(negotiation.begin()), "discover");
    let found = result(r#"{"supportedVersions":["2026-07-28"]}"#);
    assert_eq!(reply(&mut negotiation, 200, "application/json", &found), SPEAK);
    let mut odd = assumed();
    assert_eq!(word(odd.on_initialized(parse(r#"{"protocolVersion":"2026-07-28"}"#).root())), "discover");
    for (code, status) in [
        (Code::SendFailed, 0),
        (Code::RequestTimeout, 0),
        (Code::ConnectionClosed, 0),
        (Code::ClientHttpAuthentication, 401),
        (Code::ClientHttpForbidden, 403),
        (Code::ClientHttpNotImplemented, 503),
    ] {
        let step = assumed().on_initialize_failed(Error::new(code, "no"), status);
        assert_eq!(word(step), format!("fail {}", code.as_str()));
    }
    let mut said = Negotiation::new(Mode::Legacy, Channel::Http, 0);
    said.assume_legacy();
    assert_eq!(word(said.on_initialize_failed(Error::protocol(-32601, "no".into(), None), 404)), "fail -32601");
}

#[test]
fn v9_a_verdict_is_read_and_written_in_the_official_form() {
    let discover = r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#;
    let text = Prior::write(Revision::LATEST, discover);
    assert_eq!(text, format!(r#"{{"kind":"modern","discover":{discover}}}"#));
    let Ok(Prior::Modern(document)) = Prior::read(&text) else { panic!("not modern") };
    assert_eq!(document.text(), discover);
    assert!(matches!(Prior::read(&Prior::write(Revision::V2025_11_25, "{}")), Ok(Prior::Legacy)));
    for (text, code) in [
        (r#"{"kind":"modern","discover":{"supportedVersions":["2027-01-01"]}}"#, Code::EraNegotiationFailed),
        (r#"{"kind":"modern","discover":{}}"#, Code::InvalidArgument),
        (r#"{"kind":"modern"}"#, Code::InvalidArgument),
        (r#"{"kind":"other","discover":{"supportedVersions":["2026-07-28"]}}"#, Code::InvalidArgument),
        ("{}", Code::InvalidArgument),
        ("[]", Code::InvalidArgument),
        ("", Code::InvalidArgument),
    ] {
        assert_eq!(Prior::read(text).unwrap_err().kind(), code, "{text}");
    }
}

#[test]
fn v9_verdicts_are_kept_by_url_for_an_hour() {
    let mut verdicts = Verdicts::default();
    verdicts.note("a", Revision::V2025_06_18, 0.0);
    verdicts.note("b", Revision::LATEST, 0.0);
    assert!(verdicts.is_legacy("a", 3_599_999.0) && !verdicts.is_legacy("a", 3_600_000.0));
    assert!(!verdicts.is_legacy("b", 0.0));
    // Noting it again does not make it last longer: the server is asked again some day.
    verdicts.note("a", Revision::V2025_06_18, 3_000_000.0);
    assert!(!verdicts.is_legacy("a", 3_600_000.0));
    verdicts.note("a", Revision::LATEST, 3_000_000.0);
    assert!(!verdicts.is_legacy("a", 3_000_000.0));
    for number in 0..100 {
        verdicts.note(&number.to_string(), Revision::V2025_11_25, 0.0);
    }
    assert!(!verdicts.is_legacy("35", 0.0) && verdicts.is_legacy("36", 0.0) && verdicts.is_legacy("99", 0.0));
}

#[test]
fn methods_exist_in_their_revisions() {
    for (name, modern, legacy) in [
        ("ping", false, true),
        ("initialize", false, true),
        ("logging/setLevel", false, true),
        ("resources/subscribe", false, true),
        ("tasks/list", false, true),
        ("server/discover", true, false),
        ("subscriptions/listen", true, false),
        ("tools/call", true, true),
        ("tasks/get", true, true),
        ("x/own", true, true),
    ] {
        assert_eq!(method::check(name, Revision::LATEST).is_ok(), modern, "{name}");
        assert_eq!(method::check(name, Revision::V2025_03_26).is_ok(), legacy, "{name}");
    }
    let error = method::check("ping", Revision::LATEST).unwrap_err();
    assert_eq!(error.code(), "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION");
    assert_eq!(error.data(), r#"{"method":"ping","era":"modern","protocolVersion":"2026-07-28"}"#);
}
