//! OpenAI's Chat Completions and its relatives.

use mcp_sampling::provider::Provider;
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::anthropic::names;
use super::cases::{Suite, need, only};
use super::shared::{Said, Vendor};

const SUITE: Suite = Suite { provider: Provider::OpenAi, folder: "openai", default_model: "gpt-4o", judge };

#[test]
fn requests() {
    SUITE.requests(include_str!("../fixtures/provider/openai/requests.json"));
}

#[test]
fn replies() {
    SUITE.replies(include_str!("../fixtures/provider/openai/replies.json"));
}

#[test]
fn streams() {
    SUITE.streams(include_str!("../fixtures/provider/openai/streams.json"));
}

const BODY: &str = "model max_completion_tokens max_tokens stream stream_options messages tools tool_choice temperature stop \
                    metadata reasoning_effort parallel_tool_calls store audio modalities";

/// What the API checks of a body: unknown keys, order, adjacency, ids.
pub(crate) fn judge(body: &Value) -> Result<(), String> {
    only(body, BODY, "body")?;
    let tokens = body.get("max_completion_tokens").or_else(|| body.get("max_tokens"));
    need(tokens.and_then(Value::as_i64).is_some_and(|tokens| tokens > 0), "max tokens")?;
    need(body["model"].is_string(), "model")?;
    // WebLLM reads no calls of the history, so its results stand alone.
    let has_calls = !body["model"].as_str().is_some_and(|model| model.ends_with("-MLC"));
    let messages = body["messages"].as_array().ok_or("messages")?;
    need(!messages.is_empty(), "no messages")?;
    need(has_calls || messages.last().is_some_and(|last| last["role"] != "assistant"), "MessageOrderError")?;
    let mut open: Vec<String> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().ok_or("role")?;
        need(open.is_empty() || role == "tool", "another message while calls wait")?;
        match role {
            "system" | "developer" => {
                need(index == 0, "system message later")?;
                only(message, "role content", role)?;
                text(&message["content"])?;
            }
            "user" => {
                only(message, "role content", role)?;
                content(&message["content"], "text image_url input_audio")?;
            }
            "tool" => {
                only(message, "role content tool_call_id", role)?;
                text(&message["content"])?;
                let id = message["tool_call_id"].as_str().ok_or("tool_call_id")?;
                let at = open.iter().position(|call| call == id);
                need(at.is_some() || !has_calls, "a result without its call")?;
                at.map(|at| open.remove(at));
            }
            "assistant" => open = assistant(message)?,
            _ => return Err(format!("role {role}")),
        }
    }
    need(open.is_empty(), "calls without results")?;
    tools(body)
}

fn assistant(message: &Value) -> Result<Vec<String>, String> {
    only(message, "role content tool_calls reasoning_content reasoning", "assistant")?;
    let calls = message.get("tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
    need(message.get("tool_calls").is_none() || !calls.is_empty(), "empty tool_calls")?;
    match message.get("content") {
        None | Some(Value::Null) => need(!calls.is_empty(), "nothing said")?,
        Some(said) => content(said, "text")?,
    }
    let mut open = Vec::new();
    for call in &calls {
        only(call, "id type function extra_content", "tool_call")?;
        only(&call["function"], "name arguments", "function")?;
        let id = call["id"].as_str().filter(|id| (1..=40).contains(&id.len())).ok_or("id")?;
        need(call["type"] == "function" && word(&call["function"]["name"]), "name")?;
        let arguments = call["function"]["arguments"].as_str().ok_or("arguments")?;
        need(serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()), "arguments")?;
        need(!open.contains(&id.to_owned()), "id twice")?;
        open.push(id.to_owned());
    }
    Ok(open)
}

fn text(value: &Value) -> Result<(), String> {
    need(value.is_string(), "content is no text")
}

fn content(value: &Value, kinds: &str) -> Result<(), String> {
    let Some(parts) = value.as_array() else { return text(value) };
    need(!parts.is_empty(), "empty content")?;
    for part in parts {
        let kind = part["type"].as_str().ok_or("type")?;
        need(kinds.split(' ').any(|known| known == kind), "kind of part")?;
        only(part, &format!("type {}", if kind == "text" { "text" } else { kind }), "part")?;
        match kind {
            "text" => need(part["text"].as_str().is_some_and(|text| !text.is_empty()), "empty part")?,
            "image_url" => {
                need(part["image_url"]["url"].as_str().is_some_and(|url| url.starts_with("data:image/")), "url")?
            }
            _ => {
                let audio = &part["input_audio"];
                need(
                    (audio["format"] == "wav" || audio["format"] == "mp3") && audio["data"].is_string(),
                    "input_audio",
                )?;
            }
        }
    }
    Ok(())
}

fn tools(body: &Value) -> Result<(), String> {
    let mut names = Vec::new();
    for tool in body.get("tools").and_then(Value::as_array).into_iter().flatten() {
        only(tool, "type function", "tool")?;
        only(&tool["function"], "name description parameters", "function")?;
        need(word(&tool["function"]["name"]) && tool["function"]["parameters"]["type"] == "object", "tool")?;
        need(!names.contains(&&tool["function"]["name"]), "two tools of one name")?;
        names.push(&tool["function"]["name"]);
    }
    need(body.get("tools").is_none() || !names.is_empty(), "empty tools")?;
    need(body.get("tool_choice").is_none_or(|choice| choice.is_string() && !names.is_empty()), "tool_choice")?;
    for value in body.get("metadata").and_then(Value::as_object).into_iter().flat_map(|map| map.values()) {
        need(value.is_string(), "metadata")?;
    }
    Ok(())
}

fn word(value: &Value) -> bool {
    let fits = |text: &str| text.chars().all(|character| character.is_ascii_alphanumeric() || "_-".contains(character));
    value.as_str().is_some_and(|text| (1..=64).contains(&text.len()) && fits(text))
}

pub(crate) fn vendor() -> Vendor {
    Vendor {
        provider: Provider::OpenAi,
        options: json!({"model": "deepseek-reasoner", "profile": "deepseek"}),
        judge,
        tool_names: |body| names(&body["tools"], "/function/name"),
        reply,
        events,
    }
}

fn reply(said: &Said, names: &[String], turn: usize) -> Value {
    let call = |(index, (tool, input)): (usize, &(usize, Value))| {
        let function = json!({"name": names[*tool], "arguments": input.to_string()});
        json!({"id": format!("call_{turn}_{index}"), "type": "function", "function": function})
    };
    let calls: Vec<_> = said.calls.iter().enumerate().map(call).collect();
    let mut message = json!({"role": "assistant", "content": said.text, "reasoning_content": said.thought});
    let reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 7, "total_tokens": 17});
    let choice = json!({"index": 0, "message": message, "finish_reason": reason});
    json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "deepseek-reasoner",
        "choices": [choice], "usage": usage})
}

fn events(reply: &Value) -> Value {
    let chunk = |delta: Value, reason: &Value| {
        json!({"id": reply["id"], "object": "chat.completion.chunk", "model": reply["model"],
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
    };
    let message = &reply["choices"][0]["message"];
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), &Value::Null)];
    for name in ["reasoning_content", "content"] {
        let pieces = message[name].as_str().unwrap().chars();
        events.extend(pieces.map(|piece| chunk(json!({name: piece.to_string()}), &Value::Null)));
    }
    for (index, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
        let begin = json!({"index": index, "id": call["id"], "type": "function", "function": {"name": call["function"]["name"], "arguments": ""}});
        events.push(chunk(json!({"tool_calls": [begin]}), &Value::Null));
        for piece in call["function"]["arguments"].as_str().unwrap().chars() {
            let more = json!({"index": index, "function": {"arguments": piece.to_string()}});
            events.push(chunk(json!({"tool_calls": [more]}), &Value::Null));
        }
    }
    events.push(chunk(json!({}), &reply["choices"][0]["finish_reason"]));
    events.push(json!({"id": reply["id"], "object": "chat.completion.chunk", "model": reply["model"], "choices": [], "usage": reply["usage"]}));
    events.push("data: [DONE]\n\n".into());
    events.into()
}
