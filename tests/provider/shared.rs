//! One conversation, through every provider: the MCP side must not be able to tell which.

use mcp_sampling::json::Document;
use mcp_sampling::provider::{self, Accumulator, Provider, STATE_KEY};
use mcp_sampling::revision::Revision;
use mcp_sampling::sampling::{Checks, check_request, check_result};
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::cases::{build, json_of, sse};
use super::{anthropic, gemini, openai, openai_responses, prompt_api, workers_ai};

/// What a scripted model says in one turn.
pub(crate) struct Said {
    pub(crate) thought: &'static str,
    pub(crate) text: &'static str,
    /// Which tool, by its place in the request, and its arguments.
    pub(crate) calls: Vec<(usize, Value)>,
}

/// A vendor: judges bodies, and answers in its own format.
pub(crate) struct Vendor {
    pub(crate) provider: Provider,
    pub(crate) options: Value,
    pub(crate) judge: fn(&Value) -> Result<(), String>,
    /// The names of the tools in a body.
    pub(crate) tool_names: fn(&Value) -> Vec<String>,
    /// The reply, given the names the calls have; the number makes ids differ between turns.
    pub(crate) reply: fn(&Said, &[String], usize) -> Value,
    /// The same reply as the events of a stream.
    pub(crate) events: fn(&Value) -> Value,
}

pub(crate) fn vendors() -> Vec<Vendor> {
    vec![
        anthropic::vendor(),
        openai::vendor(),
        openai_responses::vendor(),
        gemini::vendor(),
        prompt_api::vendor(),
        workers_ai::vendor(),
        workers_ai::older_vendor(),
    ]
}

/// The messages of a body, whatever the vendor calls them.
pub(crate) fn history(body: &Value) -> Vec<Value> {
    let names = ["messages", "input", "contents", "initialPrompts", "prompt"];
    names.iter().filter_map(|name| body.get(name)?.as_array()).flatten().cloned().collect()
}

/// True if the vendor's format has a place for what the model thinks.
fn tells_thoughts(vendor: &Vendor) -> bool {
    (vendor.reply)(&script()[0], &["a".into(), "b".into()], 0).to_string().contains(THOUGHTS[0])
}

const THOUGHTS: [&str; 2] = ["thought one", "thought two"];

fn script() -> [Said; 3] {
    let calls = |list: &[(usize, Value)]| list.to_vec();
    [
        Said {
            thought: THOUGHTS[0],
            text: "I look.",
            calls: calls(&[(0, json!({"path": "/a \"b\""})), (1, json!({"a": 1.5, "b": [true, null]}))]),
        },
        Said { thought: THOUGHTS[1], text: "", calls: calls(&[(1, json!({"a": 2, "b": []}))]) },
        Said { thought: "", text: "Done: é😀.", calls: Vec::new() },
    ]
}

fn results(round: usize, ids: &[Value]) -> Value {
    let result =
        |index: usize, content: Value| json!({"type": "tool_result", "toolUseId": ids[index], "content": content});
    match round {
        0 => {
            let mut failed = result(1, json!([{"type": "text", "text": "overflow"}]));
            failed["isError"] = true.into();
            json!([result(0, json!([{"type": "text", "text": "contents"}])), failed])
        }
        _ => {
            let mut data = result(0, json!([]));
            data["structuredContent"] = json!({"sum": 2});
            json!([data])
        }
    }
}

fn params() -> Value {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    json!({
        "maxTokens": 500,
        "systemPrompt": "Use the tools.",
        "messages": [{"role": "user", "content": {"type": "text", "text": "What is in a?"}}],
        "tools": [
            {"name": "fs.read", "description": "Reads", "inputSchema": schema},
            {"name": "add", "description": "Adds", "inputSchema": {"type": "object"}},
        ],
    })
}

const CHECKS: Checks = Checks { revision: Revision::LATEST, tools: true, context: true, lenient: false };

/// Runs the conversation; gives the MCP messages and the bodies.
fn run(vendor: &Vendor, keep_meta: bool) -> (Value, Vec<Value>) {
    let (mut params, mut bodies) = (params(), Vec::new());
    for (round, said) in script().iter().enumerate() {
        let built = build(vendor.provider, &params, &vendor.options).unwrap();
        let body = json_of(&built.body);
        (vendor.judge)(&body).unwrap_or_else(|reason| panic!("{:?}: {reason}\n{body:#}", vendor.provider));
        let names = (vendor.tool_names)(&body);
        bodies.push(body);
        let reply = (vendor.reply)(said, &names, round);
        let result = answer(vendor, &reply, &built.state);
        check(&params, &result);
        let ids = push(&mut params, &result, keep_meta);
        if !ids.is_empty() {
            let message = json!({"role": "user", "content": results(round, &ids)});
            params["messages"].as_array_mut().unwrap().push(message);
        }
    }
    (params["messages"].clone(), bodies)
}

/// The result of the reply, which the stream must give too.
fn answer(vendor: &Vendor, reply: &Value, state: &str) -> Value {
    let whole = json_of(provider::parse(reply.to_string().into_bytes(), Some(200), state).unwrap());
    let mut accumulator = Accumulator::new(state).unwrap();
    for chunk in sse(&(vendor.events)(reply)).chunks(7) {
        accumulator.push(chunk).unwrap();
    }
    assert_eq!(json_of(accumulator.finish().unwrap()), whole, "{:?}", vendor.provider);
    whole
}

fn check(params: &Value, result: &Value) {
    let (params, result) = (document(params), document(result));
    let findings = check_request(params.root(), &CHECKS);
    assert!(findings.is_ok(), "{findings:?}");
    let findings = check_result(result.root(), params.root(), &CHECKS);
    assert!(findings.is_ok(), "{findings:?}");
}

fn document(value: &Value) -> Document {
    Document::from_text(value.to_string()).unwrap()
}

/// Adds the answer to the history as a server does; a careless one loses the metadata. Gives the ids of the calls.
fn push(params: &mut Value, result: &Value, keep_meta: bool) -> Vec<Value> {
    let mut content = result["content"].clone();
    for block in content.as_array_mut().unwrap() {
        if !keep_meta {
            block.as_object_mut().unwrap().remove("_meta");
        }
    }
    let calls = content.as_array().unwrap().iter().filter(|block| block["type"] == "tool_use");
    let ids = calls.map(|block| block["id"].clone()).collect();
    params["messages"].as_array_mut().unwrap().push(json!({"role": "assistant", "content": content}));
    ids
}

/// The messages without what is each provider's own: ids become numbers, metadata goes.
fn plain(messages: &Value) -> Value {
    let mut ids: Vec<Value> = Vec::new();
    let mut messages = messages.clone();
    for block in
        messages.as_array_mut().unwrap().iter_mut().filter_map(|message| message["content"].as_array_mut()).flatten()
    {
        block.as_object_mut().unwrap().remove("_meta");
        for name in ["id", "toolUseId"] {
            let Some(id) = block.get(name).cloned() else { continue };
            if !ids.contains(&id) {
                ids.push(id.clone());
            }
            block[name] = ids.iter().position(|known| *known == id).into();
        }
    }
    messages
}

#[test]
fn the_messages_are_the_same_through_every_provider() {
    let expected: Value = serde_json::from_str(include_str!("../fixtures/provider/loop.json")).unwrap();
    for vendor in vendors() {
        let (messages, bodies) = run(&vendor, true);
        assert_eq!(plain(&messages), expected, "{:?}\n{:#}", vendor.provider, plain(&messages));
        if !tells_thoughts(&vendor) {
            continue;
        }
        let last = bodies[2].to_string();
        for thought in THOUGHTS {
            assert!(last.contains(thought), "{:?} does not get its {thought} back\n{last}", vendor.provider);
        }
        assert!(messages.to_string().contains(STATE_KEY));
    }
}

#[test]
fn a_server_that_loses_metadata_does_no_harm() {
    for vendor in vendors() {
        let (with, without) = (run(&vendor, true), run(&vendor, false));
        assert_eq!(plain(&with.0), plain(&without.0), "{:?}", vendor.provider);
        let last = without.1[2].to_string();
        assert!(!THOUGHTS.iter().any(|thought| last.contains(thought)), "{:?}", vendor.provider);
    }
}

#[test]
fn a_growing_history_keeps_its_prefix() {
    for vendor in vendors() {
        let (_, bodies) = run(&vendor, true);
        for pair in bodies.windows(2) {
            let (before, after) = (history(&pair[0]), history(&pair[1]));
            assert_eq!(before[..], after[..before.len()], "{:?}", vendor.provider);
        }
    }
}

/// The state of one provider in the hands of another.
#[test]
fn state_goes_only_to_its_own_provider() {
    for vendor in vendors() {
        let (messages, _) = run(&vendor, true);
        for other in vendors().iter().filter(|other| other.provider != vendor.provider) {
            let mut params = params();
            params["messages"] = messages.clone();
            params["messages"]
                .as_array_mut()
                .unwrap()
                .push(json!({"role": "user", "content": {"type": "text", "text": "And?"}}));
            let built = build(other.provider, &params, &other.options).unwrap();
            let body = json_of(&built.body);
            (other.judge)(&body).unwrap();
            let text = body.to_string();
            let leak = THOUGHTS.iter().find(|thought| text.contains(**thought));
            assert!(leak.is_none(), "{:?} to {:?}", vendor.provider, other.provider);
        }
    }
}

/// JSON can hold half of a surrogate pair, text cannot.
#[test]
fn half_characters_do_not_get_through() {
    let half = |value: &Value| value.to_string().replace("HALF", "\\ud83d");
    let tool = json!({"name": "f", "description": "HALF", "inputSchema": {"type": "object", "title": "HALF"}});
    let message = |role: &str, content: Value| json!({"role": role, "content": content});
    let params = json!({"maxTokens": 9, "systemPrompt": "HALF", "tools": [tool], "messages": [
        message("user", json!({"type": "text", "text": "HALF"})),
        message("assistant", json!([{"type": "text", "text": "HALF"}, {"type": "tool_use", "id": "HALF", "name": "f", "input": {"HALF": "HALF"}}])),
        message("user", json!({"type": "tool_result", "toolUseId": "HALF", "structuredContent": {"HALF": 1}, "content": [
            {"type": "text", "text": "HALF"}, {"type": "resource_link", "uri": "file:///HALF", "name": "HALF"}]})),
    ]});
    for vendor in vendors() {
        let options = provider::BuildOptions::from_json(document(&vendor.options).root()).unwrap();
        let params = Document::from_text(half(&params)).unwrap();
        let built = provider::build(vendor.provider, params.root(), &options).unwrap();
        let body: Value = serde_json::from_slice(&built.body).unwrap();
        (vendor.judge)(&body).unwrap_or_else(|reason| panic!("{:?}: {reason}\n{body:#}", vendor.provider));
        let told = built.warnings.iter().filter(|warning| warning.path.is_empty()).count();
        assert_eq!(told, 1, "{:?}: {:?}", vendor.provider, built.warnings);
    }
}
