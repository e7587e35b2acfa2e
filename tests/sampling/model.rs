//! The builders: what they write passes the checks, and what they cannot write they refuse.

use std::num::NonZeroU32;

use mcp_sampling::json::{Document, Value};
use mcp_sampling::sampling::build::{
    BuildError, History, Media, Parts, Preferences, RequestBuilder, ResultBuilder, ToolOutput, ToolUses, Tools,
};
use mcp_sampling::sampling::{Content, Findings, IncludeContext, ToolChoiceMode, check_request, check_result};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::support::{ALL, parse};

const HUNDRED: NonZeroU32 = NonZeroU32::new(100).unwrap();
const SCHEMA: &str = r#"{"type":"object","properties":{"z":{},"a":{}}}"#;

fn hi() -> History {
    History::new(Parts::text("Hi"))
}

fn uses(id: &str) -> ToolUses {
    ToolUses::new(id, "weather", parse(r#"{"n":1.0}"#).root()).unwrap()
}

fn accepted(text: &str) -> Document {
    let document = parse(text);
    assert_eq!(check_request(document.root(), &ALL), Findings::default(), "{text}");
    document
}

#[test]
fn a_whole_request() {
    let metadata = parse(r#"{"user":{"id":12345678901234567890123}}"#);
    let tools = Tools::new("weather", "Tells \"it\"", parse(SCHEMA).root()).unwrap();
    let image = Parts::media(Media::Image, "YQ==", "image/png").unwrap();
    let history = hi()
        .uses(uses("1").and(uses("2")).unwrap().after(Parts::text("Let me see")))
        .answer("2", ToolOutput::new(image.clone()).structured(parse("[0.10]").root()))
        .unwrap()
        .answer("1", ToolOutput::default().error())
        .unwrap()
        .finish()
        .unwrap()
        .assistant(Parts::text("Rain").and(image))
        .user(Parts::media(Media::Audio, "", "audio/wav").unwrap());
    let text = RequestBuilder::new(history, HUNDRED)
        .system_prompt("Be\nbrief")
        .temperature(1_250)
        .stop_sequence("END")
        .stop_sequence("\n")
        .metadata(metadata.root())
        .unwrap()
        .include_context(IncludeContext::None)
        .model_preferences(Preferences::new().hint("claude").priorities(Some(50), None, Some(4_000)))
        .tools(tools, ToolChoiceMode::Required)
        .build();
    let document = accepted(&text);
    let raw = |name| document.root().get(name).map(Value::raw);
    assert_eq!(raw("temperature"), Some("1.25"));
    assert_eq!(raw("metadata"), Some(metadata.text()));
    assert_eq!(raw("stopSequences"), Some(r#"["END","\n"]"#));
    let preferences = r#"{"hints":[{"name":"claude"}],"costPriority":0.05,"intelligencePriority":1}"#;
    assert_eq!(raw("modelPreferences"), Some(preferences));
    assert!(raw("tools").unwrap().contains(SCHEMA));
}

#[test]
fn each_use_wants_one_result() {
    let pending = hi().uses(uses("1").and(uses("2")).unwrap());
    assert_eq!(pending.clone().finish().unwrap_err(), BuildError::Unanswered("1".into()));
    let refused = |error| assert_eq!(error, BuildError::NotWaiting("3".into()));
    refused(pending.clone().answer("3", ToolOutput::default()).unwrap_err());
    let pending = pending.answer("1", ToolOutput::default()).unwrap();
    assert!(pending.waiting().eq(["2"]));
    assert!(pending.clone().answer("1", ToolOutput::default()).is_err());
    let history = pending.answer("2", ToolOutput::default()).unwrap().finish().unwrap();
    accepted(&RequestBuilder::new(history, HUNDRED).build());
}

#[test]
fn ids_and_names_are_taken_once() {
    assert_eq!(uses("1").and(uses("1")).unwrap_err(), BuildError::Taken("1".into()));
    let tool = || Tools::new("a", "", parse(SCHEMA).root()).unwrap();
    assert_eq!(tool().and(tool()).unwrap_err(), BuildError::Taken("a".into()));
    let escaped = parse(r#"{"type":"tool_use","id":"\u0031","name":"t","input":{}}"#);
    let escaped = ToolUses::copied(Content::new(escaped.root())).unwrap();
    assert!(matches!(uses("1").and(escaped).unwrap_err(), BuildError::Taken(_)));
}

#[test]
fn what_is_invalid_is_refused() {
    let invalid =
        |error: BuildError| assert!(matches!(&error, BuildError::Invalid(found) if !found.is_ok()), "{error}");
    invalid(ToolUses::new("1", "t", parse("[]").root()).unwrap_err());
    invalid(Tools::new("t", "", parse(r#"{"type":"array"}"#).root()).unwrap_err());
    invalid(Tools::copied(parse(r#"{"inputSchema":{"type":"object"}}"#).root()).unwrap_err());
    invalid(RequestBuilder::new(hi(), HUNDRED).metadata(parse("[]").root()).unwrap_err());
    invalid(ToolOutput::copied(parse(r#"{"content":[{"type":"tool_use"}]}"#).root()).unwrap_err());
    for content in ["[]", r#"{"type":"text"}"#, r#"{"type":"tool_use","id":"1","name":"t","input":{}}"#] {
        invalid(Parts::copied(Content::new(parse(content).root())).unwrap_err());
    }
    for content in [r#"{"type":"text","text":""}"#, r#"[{"type":"tool_result","toolUseId":"1","content":[]}]"#] {
        invalid(ToolUses::copied(Content::new(parse(content).root())).unwrap_err());
    }
    assert_eq!(Parts::media(Media::Image, "a_b-", "image/png").unwrap_err(), BuildError::NotBase64);
    assert_eq!(uses("1").and(uses("1")).unwrap_err().to_string(), "the name or id is taken: 1");
}

#[test]
fn what_is_copied_keeps_its_bytes() {
    let content = parse(
        r#"[ {"type":"text","text":"\u0041\ud800","_meta":{"k":1.0}} , {"type":"tool_use","id":"\u0031","name":"t","input":{"b":1e2},"_meta":{}} ]"#,
    );
    let call = parse(
        r#"{"content":[{"type":"resource_link","uri":"u:","name":"n"}],"structuredContent":{"x":0.10},"isError":true,"_meta":{"c":1}}"#,
    );
    let tool = parse(r#"{ "name":"t","inputSchema":{"type":"object","$defs":{}}, "x":0 }"#);
    let waiting = hi().uses(ToolUses::copied(Content::new(content.root())).unwrap());
    let history = waiting.answer("1", ToolOutput::copied(call.root()).unwrap()).unwrap().finish().unwrap();
    let text =
        RequestBuilder::new(history, HUNDRED).tools(Tools::copied(tool.root()).unwrap(), ToolChoiceMode::None).build();
    accepted(&text);
    let blocks: Vec<_> = content.root().items().map(Value::raw).collect();
    for part in
        blocks.into_iter().chain([tool.text(), r#""structuredContent":{"x":0.10},"isError":true,"_meta":{"c":1}"#])
    {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn json_strings_are_spliced() {
    let document = parse(r#"["\ud800\/","\u0031"]"#);
    let [text, id] = document.root().items().filter_map(Value::as_str).collect::<Vec<_>>()[..] else { panic!() };
    let pending = History::new(Parts::text(text)).uses(ToolUses::new(id, text, parse("{}").root()).unwrap());
    let history = pending.answer("1", ToolOutput::new(Parts::text(text))).unwrap().finish().unwrap();
    assert!(history.to_json().starts_with(r#"[{"role":"user","content":{"type":"text","text":"\ud800\/"}}"#));
    accepted(&RequestBuilder::new(history, HUNDRED).build());
}

#[test]
fn results_are_valid_and_tell_why_they_stopped() {
    let offering = RequestBuilder::new(hi(), HUNDRED)
        .tools(Tools::new("weather", "", parse(SCHEMA).root()).unwrap(), ToolChoiceMode::Auto)
        .build();
    let text = || ResultBuilder::new("m", Parts::text("Rain"));
    for (built, reason) in [
        (text(), None),
        (text().stop_reason("toolUse"), None),
        (text().stop_reason("content_filter").output_tokens(100), Some("\"content_filter\"")),
        (ResultBuilder::uses("m", uses("1").after(Parts::text("Hm"))).stop_reason("endTurn"), Some("\"toolUse\"")),
    ] {
        let json = built.build();
        let document = parse(&json);
        assert_eq!(check_result(document.root(), parse(&offering).root(), &ALL), Findings::default(), "{json}");
        assert_eq!(document.root().get("stopReason").map(Value::raw), reason);
    }
}
