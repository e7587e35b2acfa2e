//! The shapes of the specification's examples: checked, read through the views, and kept to the byte.

use mcp_sampling::json::Value;
use mcp_sampling::sampling::{
    Block, CreateMessageRequestParams, CreateMessageResult, Findings, Role, SamplingMessage, Tool, ToolChoiceMode,
    check_result,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::support::{ALL, history, params, parse, request, walked};

const FRANCE: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Which city is the capital of France?"}}],"modelPreferences":{"hints":[{"name":"claude-3-sonnet"},{"name":"claude"}],"costPriority":0.3,"intelligencePriority":0.8,"speedPriority":0.5},"systemPrompt":"You help.","maxTokens":100}"#;

const WITH_TOOLS: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Weather in Paris and London?"}}],"tools":[{"name":"get_weather","description":"Current weather of a city","inputSchema":{"type":"object","properties":{"city":{"type":"string","description":"Its name"}},"required":["city"]}}],"toolChoice":{"mode":"auto"},"maxTokens":1000}"#;

const FOLLOW_UP: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Weather in Paris and London?"}},{"role":"assistant","content":[{"type":"tool_use","id":"call_abc123","name":"get_weather","input":{"city":"Paris"}},{"type":"tool_use","id":"call_def456","name":"get_weather","input":{"city":"London"}}]},{"role":"user","content":[{"type":"tool_result","toolUseId":"call_abc123","content":[{"type":"text","text":"Paris: 18\u00b0C"}]},{"type":"tool_result","toolUseId":"call_def456","content":[{"type":"text","text":"London: 15°C"}]}]}],"tools":[{"name":"get_weather","inputSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}],"maxTokens":1000}"#;

const TEXT_RESULT: &str = r#"{"role":"assistant","content":{"type":"text","text":"Paris.\n\n- **So** it is"},"model":"claude-3-sonnet-20240307","stopReason":"endTurn"}"#;

const USE_RESULT: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"call_abc123","name":"get_weather","input":{"city":"Paris"}},{"type":"tool_use","id":"call_def456","name":"get_weather","input":{"city":"London"}}],"model":"claude-3-sonnet-20240307","stopReason":"toolUse"}"#;

/// One of each block, with everything that the schema lets it have.
const BLOCKS: [&str; 8] = [
    r#"{"type":"text","text":"Tool result text"}"#,
    r#"{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png","annotations":{"audience":["user"],"priority":0.9}}"#,
    r#"{"type":"audio","data":"UklGRiQAAABXQVZF","mimeType":"audio/wav","_meta":{"a/b":[1.0]}}"#,
    r#"{"type":"resource_link","uri":"file:///project/src/main.rs","name":"main.rs","title":"Main","description":"Entry point","mimeType":"text/x-rust","size":120,"icons":[{"src":"data:,","mimeType":"image/png","sizes":["48x48"],"theme":"light"}],"annotations":{"priority":0}}"#,
    r#"{"type":"resource","resource":{"uri":"file:///main.rs","mimeType":"text/x-rust","text":"fn main() {\n    println!(\"Hi\");\n}"},"annotations":{"audience":["user","assistant"],"priority":0.7,"lastModified":"2025-05-03T14:30:00Z"}}"#,
    r#"{"type":"resource","resource":{"uri":"file:///example.png","mimeType":"image/png","blob":"iVBORw0KGgo=","_meta":{}}}"#,
    r#"{"type":"tool_use","id":"call_1","name":"get_weather","input":{"city":"Paris","n":12345678901234567890123},"_meta":{"cache":1}}"#,
    r#"{"type":"tool_result","toolUseId":"call_1","content":[],"structuredContent":[{"id":"1"}],"isError":true,"_meta":{"cache":2}}"#,
];

const TOOLS: [&str; 6] = [
    r#"{"name":"list_users","title":"Users","description":"All users","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}}"#,
    r#"{"name":"find","inputSchema":{"type":"object","oneOf":[{"properties":{"id":{"type":"string"}},"required":["id"]},{"properties":{"name":{}},"required":["name"]}]}}"#,
    r#"{"name":"sum","description":"Adds","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":true},"required":["a","b"]}}"#,
    r#"{"name":"sum7","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}}"#,
    r#"{"name":"time","inputSchema":{"type":"object","additionalProperties":false}}"#,
    r#"{"name":"data","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"title":"Data","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"icons":[]}"#,
];

#[test]
fn requests_and_results_pass_and_are_kept() {
    for text in [FRANCE, WITH_TOOLS, FOLLOW_UP] {
        assert_eq!(request(text, &ALL), Findings::default(), "{text}");
        assert_eq!(walked(parse(text).root()), text);
    }
    for text in [TEXT_RESULT, USE_RESULT] {
        assert_eq!(check_result(parse(text).root(), parse(WITH_TOOLS).root(), &ALL), Findings::default(), "{text}");
        assert_eq!(walked(parse(text).root()), text);
    }
}

#[test]
fn tools_pass_and_are_kept() {
    let text = format!(r#"{{"maxTokens":1,"messages":{},"tools":[{}]}}"#, history("u T"), TOOLS.join(","));
    assert_eq!(request(&text, &ALL), Findings::default());
    let document = parse(&text);
    let kept = CreateMessageRequestParams::new(document.root()).tools().unwrap().map(|tool| tool.value().raw());
    assert!(kept.eq(TOOLS));
}

#[test]
fn blocks_pass_where_they_may_stand_and_are_kept() {
    let (in_result, in_message) = ([0, 1, 2, 3, 4, 5].map(|at| BLOCKS[at]), [0, 1, 2].map(|at| BLOCKS[at]));
    let result = BLOCKS[7].replace("\"content\":[]", &format!("\"content\":[{}]", in_result.join(",")));
    let messages = format!(
        r#"[{{"role":"user","content":[{}]}},{{"role":"assistant","content":{}}},{{"role":"user","content":[{result}]}}]"#,
        in_message.join(","),
        BLOCKS[6]
    );
    assert_eq!(request(&params(&messages), &ALL), Findings::default());
    let document = parse(&params(&messages));
    let all = CreateMessageRequestParams::new(document.root()).messages().unwrap();
    let contents: Vec<_> = all.filter_map(SamplingMessage::content).collect();
    assert!(contents[0].blocks().map(raw).eq(in_message));
    let Some(Block::ToolResult(kept)) = contents[2].blocks().next() else { panic!() };
    assert!(kept.content().unwrap().map(raw).eq(in_result));
    assert_eq!((contents[1].is_array(), contents[2].is_array()), (false, true));
}

fn raw(block: Block<'_>) -> &str {
    let value = match block {
        Block::Text(block) => block.value(),
        Block::Image(block) => block.value(),
        Block::Audio(block) => block.value(),
        Block::ToolUse(block) => block.value(),
        Block::ToolResult(block) => block.value(),
        Block::ResourceLink(block) => block.value(),
        Block::Resource(block) => block.value(),
        Block::Unknown(value) => value,
    };
    value.raw()
}

#[test]
fn views_read_the_request() {
    let document = parse(FRANCE);
    let params = CreateMessageRequestParams::new(document.root());
    let preferences = params.model_preferences().unwrap();
    let hints: Vec<_> = preferences.hints().unwrap().map(|hint| hint.name().unwrap().raw()).collect();
    assert_eq!(hints, ["claude-3-sonnet", "claude"]);
    assert_eq!(preferences.cost_priority().unwrap().raw(), "0.3");
    assert_eq!(preferences.intelligence_priority().unwrap().as_unit_thousandths(), Some(800));
    assert_eq!(params.max_tokens().unwrap().as_safe_integer(), Some(100));
    assert_eq!(params.system_prompt().unwrap().decode(), "You help.");
    let message = params.messages().unwrap().next().unwrap();
    assert_eq!(message.role(), Some(Role::User));
    assert_eq!((params.include_context(), params.tools().is_none(), params.metadata().is_none()), (None, true, true));
    assert_eq!(params.tool_choice_mode(), ToolChoiceMode::Auto);
}

#[test]
fn views_read_tools_and_results() {
    let document = parse(TOOLS[5]);
    let tool = Tool::new(document.root());
    let hints = tool.annotations().unwrap();
    assert_eq!((hints.read_only_hint(), hints.destructive_hint()), (Some(true), Some(false)));
    assert_eq!((tool.name().unwrap().raw(), tool.title().is_none()), ("data", true));
    let document = parse(USE_RESULT);
    let result = CreateMessageResult::new(document.root());
    let ids = result.content().unwrap().blocks().filter_map(|block| match block {
        Block::ToolUse(use_) => use_.id().map(|id| id.raw()),
        _ => None,
    });
    assert!(ids.eq(["call_abc123", "call_def456"]));
    assert_eq!((result.stop_reason().unwrap().raw(), result.output_tokens().is_none()), ("toolUse", true));
}

#[test]
fn views_read_every_member_of_every_block() {
    let documents = BLOCKS.map(parse);
    let blocks: Vec<_> = documents.iter().map(|document| Block::new(document.root())).collect();
    let [
        _,
        Block::Image(image),
        Block::Audio(audio),
        Block::ResourceLink(link),
        Block::Resource(text),
        Block::Resource(blob),
        Block::ToolUse(use_),
        Block::ToolResult(result),
    ] = blocks[..]
    else {
        panic!()
    };
    assert_eq!((image.mime_type().unwrap().raw(), image.data().unwrap().raw()), ("image/png", "iVBORw0KGgo="));
    assert!(image.annotations().unwrap().audience().unwrap().eq([Role::User]));
    assert_eq!(audio.meta().unwrap().raw(), r#"{"a/b":[1.0]}"#);
    let icon = link.icons().unwrap().next().unwrap();
    assert_eq!(
        (icon.theme().unwrap().raw(), icon.sizes().unwrap().count(), link.size().unwrap().raw()),
        ("light", 1, "120")
    );
    let resource = text.resource().unwrap();
    assert!(resource.text().unwrap().decode().starts_with("fn main() {\n") && resource.blob().is_none());
    assert_eq!(text.annotations().unwrap().last_modified().unwrap().raw(), "2025-05-03T14:30:00Z");
    assert_eq!(blob.resource().unwrap().blob().unwrap().raw(), "iVBORw0KGgo=");
    assert_eq!(use_.input().unwrap().get("n").map(Value::raw), Some("12345678901234567890123"));
    assert_eq!((result.is_error(), result.structured_content().unwrap().raw()), (Some(true), r#"[{"id":"1"}]"#));
}
