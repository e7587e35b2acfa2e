//! Anthropic's Messages API.

use mcp_sampling::provider::Provider;
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::cases::{Suite, need, only};
use super::shared::{Said, Vendor};

const SUITE: Suite =
    Suite { provider: Provider::Anthropic, folder: "anthropic", default_model: "claude-opus-5-5", judge };

#[test]
fn requests() {
    SUITE.requests(include_str!("../fixtures/provider/anthropic/requests.json"));
}

#[test]
fn replies() {
    SUITE.replies(include_str!("../fixtures/provider/anthropic/replies.json"));
}

#[test]
fn streams() {
    SUITE.streams(include_str!("../fixtures/provider/anthropic/streams.json"));
}

/// What the API checks of a body: unknown keys, order, adjacency, ids.
pub(crate) fn judge(body: &Value) -> Result<(), String> {
    only(
        body,
        "model max_tokens stream system messages tools tool_choice temperature stop_sequences metadata thinking top_k output_config",
        "",
    )?;
    need(
        body["model"].is_string() && body["max_tokens"].as_i64().is_some_and(|tokens| tokens > 0),
        "model, max_tokens",
    )?;
    let mut open: Vec<String> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    let messages = body["messages"].as_array().ok_or("messages")?;
    need(!messages.is_empty(), "messages are empty")?;
    let mut last_role = "";
    for message in messages {
        only(message, "role content", "message")?;
        let role = message["role"].as_str().ok_or("role")?;
        need(role != last_role, "two turns of one role")?;
        last_role = role;
        judge_turn(role, &message["content"], &mut open, &mut seen)?;
    }
    need(open.is_empty(), "tool_use without tool_result")?;
    let has_calls = !seen.is_empty();
    need(!has_calls || body["tools"].as_array().is_some_and(|tools| !tools.is_empty()), "calls without tools")?;
    judge_tools(body)
}

fn judge_turn(role: &str, content: &Value, open: &mut Vec<String>, seen: &mut Vec<String>) -> Result<(), String> {
    if content.is_string() {
        return need(open.is_empty(), "text while calls wait");
    }
    let blocks = content.as_array().ok_or("content")?;
    need(!blocks.is_empty(), "empty content")?;
    let mut answered = 0;
    for (index, block) in blocks.iter().enumerate() {
        let kind = block["type"].as_str().ok_or("type")?;
        match (role, kind) {
            ("user", "tool_result") => {
                only(block, "type tool_use_id content is_error", "tool_result")?;
                need(index == answered, "tool_result after other blocks")?;
                answered += 1;
                let id = block["tool_use_id"].as_str().ok_or("tool_use_id")?;
                let at = open.iter().position(|call| call == id).ok_or("tool_result without tool_use")?;
                open.remove(at);
                for part in block.get("content").and_then(Value::as_array).into_iter().flatten() {
                    judge_block(part, "text image document")?;
                }
            }
            ("user", _) => {
                need(open.is_empty(), "other blocks while calls wait")?;
                judge_block(block, "text image document")?;
            }
            ("assistant", "tool_use") => {
                only(block, "type id name input", "tool_use")?;
                let (id, name) = (block["id"].as_str().ok_or("id")?, block["name"].as_str().ok_or("name")?);
                need(is_word(id) && is_word(name) && name.len() <= 64 && block["input"].is_object(), "tool_use")?;
                need(!seen.contains(&id.to_owned()), "id twice")?;
                seen.push(id.to_owned());
                open.push(id.to_owned());
            }
            ("assistant", "thinking" | "redacted_thinking" | "server_tool_use" | "web_search_tool_result") => {}
            ("assistant", _) => {
                need(open.is_empty(), "text after tool_use")?;
                judge_block(block, "text")?;
            }
            _ => return Err(format!("{kind} of {role}")),
        }
    }
    Ok(())
}

fn judge_block(block: &Value, kinds: &str) -> Result<(), String> {
    let kind = block["type"].as_str().ok_or("type")?;
    need(kinds.split(' ').any(|known| known == kind), "block type")?;
    if kind == "text" {
        only(block, "type text", "text")?;
        return need(!block["text"].as_str().ok_or("text")?.trim().is_empty(), "blank text");
    }
    only(block, "type source", kind)?;
    only(&block["source"], "type media_type data", "source")?;
    let types = if kind == "image" { "image/jpeg image/png image/gif image/webp" } else { "application/pdf" };
    need(types.split(' ').any(|known| block["source"]["media_type"] == known), "media_type")?;
    let data = block["source"]["data"].as_str().ok_or("data")?;
    need(!data.is_empty() && data.len() % 4 == 0 && !data.contains(char::is_whitespace), "base64")
}

fn judge_tools(body: &Value) -> Result<(), String> {
    let mut names = Vec::new();
    for tool in body.get("tools").and_then(Value::as_array).into_iter().flatten() {
        only(tool, "name description input_schema", "tool")?;
        let name = tool["name"].as_str().ok_or("tool name")?;
        need(is_word(name) && name.len() <= 64 && tool["input_schema"]["type"] == "object", "tool")?;
        need(!names.contains(&name), "two tools of one name")?;
        names.push(name);
    }
    need(body.get("tool_choice").is_none() || !names.is_empty(), "tool_choice without tools")?;
    let stops = body.get("stop_sequences").and_then(Value::as_array).into_iter().flatten();
    for stop in stops {
        need(!stop.as_str().ok_or("stop")?.trim().is_empty(), "blank stop sequence")?;
    }
    body.get("metadata").map_or(Ok(()), |metadata| only(metadata, "user_id", "metadata"))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_ascii_alphanumeric() || "_-".contains(character))
}

pub(crate) fn vendor() -> Vendor {
    Vendor {
        provider: Provider::Anthropic,
        options: json!({"model": "claude-opus-5-5"}),
        judge,
        tool_names: |body| names(&body["tools"], "/name"),
        reply,
        events,
    }
}

pub(crate) fn names(tools: &Value, pointer: &str) -> Vec<String> {
    tools.as_array().unwrap().iter().map(|tool| tool.pointer(pointer).unwrap().as_str().unwrap().to_owned()).collect()
}

fn reply(said: &Said, names: &[String], turn: usize) -> Value {
    let mut content = Vec::new();
    if !said.thought.is_empty() {
        content.push(json!({"type": "thinking", "thinking": said.thought, "signature": "c2ln"}));
    }
    if !said.text.is_empty() {
        content.push(json!({"type": "text", "text": said.text}));
    }
    for (index, (tool, input)) in said.calls.iter().enumerate() {
        content.push(
            json!({"type": "tool_use", "id": format!("toolu_{turn}_{index}"), "name": names[*tool], "input": input}),
        );
    }
    let reason = if said.calls.is_empty() { "end_turn" } else { "tool_use" };
    let usage = json!({"input_tokens": 10, "output_tokens": 7});
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": content,
        "stop_reason": reason, "stop_sequence": null, "usage": usage})
}

fn events(reply: &Value) -> Value {
    let mut start = reply.clone();
    (start["content"], start["stop_reason"]) = (json!([]), Value::Null);
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in reply["content"].as_array().unwrap().iter().enumerate() {
        let (mut empty, deltas) = (block.clone(), deltas(block));
        for (name, value) in
            [("text", json!("")), ("thinking", json!("")), ("signature", json!("")), ("input", json!({}))]
        {
            if let Some(member) = empty.get_mut(name) {
                *member = value;
            }
        }
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        events.extend(
            deltas.into_iter().map(|delta| json!({"type": "content_block_delta", "index": index, "delta": delta})),
        );
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": reply["stop_reason"]}, "usage": reply["usage"]}),
    );
    events.push(json!({"type": "message_stop"}));
    events.into()
}

fn deltas(block: &Value) -> Vec<Value> {
    let pieces = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    match block["type"].as_str().unwrap() {
        "text" => pieces(block["text"].as_str().unwrap())
            .into_iter()
            .map(|text| json!({"type": "text_delta", "text": text}))
            .collect(),
        "thinking" => vec![
            json!({"type": "thinking_delta", "thinking": block["thinking"]}),
            json!({"type": "signature_delta", "signature": block["signature"]}),
        ],
        _ => {
            let text = block["input"].to_string();
            pieces(&text).into_iter().map(|text| json!({"type": "input_json_delta", "partial_json": text})).collect()
        }
    }
}
