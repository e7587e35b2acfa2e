//! One conversation, through every provider: the MCP side must not be able to tell which.

use mcp_sampling::json::Document;
use mcp_sampling::provider::{self, Accumulator, Provider, STATE_KEY};
use mcp_sampling::revision::Revision;
use mcp_sampling::sampling::{Checks, check_request, check_result};
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::cases::{build, json_of, sse};
use crate::{anthropic, openai};

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

fn vendors() -> Vec<Vendor> {
    vec![anthropic::vendor(), openai::vendor()]
}

fn script() -> [Said; 3] {
    let calls = |list: &[(usize, Value)]| list.to_vec();
    [
        Said {
            thought: "thought one",
            text: "I look.",
            calls: calls(&[(0, json!({"path": "/a \"b\""})), (1, json!({"a": 1.5, "b": [true, null]}))]),
        },
        Said { thought: "thought two", text: "", calls: calls(&[(1, json!({"a": 2, "b": []}))]) },
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
        let last = bodies[2].to_string();
        for thought in ["thought one", "thought two"] {
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
        assert!(!without.1[2].to_string().contains("thought"), "{:?}", vendor.provider);
    }
}

#[test]
fn a_growing_history_keeps_its_prefix() {
    for vendor in vendors() {
        let (_, bodies) = run(&vendor, true);
        for pair in bodies.windows(2) {
            let (before, after) = (pair[0]["messages"].as_array().unwrap(), pair[1]["messages"].as_array().unwrap());
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
            assert!(!body.to_string().contains("thought"), "{:?} to {:?}", vendor.provider, other.provider);
        }
    }
}
