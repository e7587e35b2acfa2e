//! Cloudflare Workers AI.

use mcp_sampling::provider::Provider;
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::anthropic::names;
use super::cases::{Suite, need, only};
use super::openai;
use super::shared::{Said, Vendor};

const SUITE: Suite = Suite {
    provider: Provider::WorkersAi,
    folder: "workers_ai",
    default_model: "@cf/moonshotai/kimi-k2.7-code",
    judge,
};

#[test]
fn requests() {
    SUITE.requests(include_str!("../fixtures/provider/workers_ai/requests.json"));
}

#[test]
fn replies() {
    SUITE.replies(include_str!("../fixtures/provider/workers_ai/replies.json"));
}

#[test]
fn streams() {
    SUITE.streams(include_str!("../fixtures/provider/workers_ai/streams.json"));
}

const CHAT: &str = "model max_tokens max_completion_tokens stream stream_options messages tools tool_choice temperature stop metadata \
                    reasoning_effort chat_template_kwargs parallel_tool_calls response_format";
const RUN: &str = "max_tokens stream messages tools temperature top_k seed raw response_format";

/// What the checks of the inputs refuse. The body does not say which inputs it is; those with what older models do not
/// know are the newer ones.
pub(crate) fn judge(body: &Value) -> Result<(), String> {
    let is_chat = only(body, RUN, "inputs").is_err();
    only(body, if is_chat { CHAT } else { RUN }, "inputs")?;
    let tokens = body.get("max_tokens").or_else(|| body.get("max_completion_tokens"));
    need(tokens.and_then(Value::as_i64).is_some_and(|tokens| tokens > 0), "max tokens")?;
    let most = if is_chat { 2.0 } else { 5.0 };
    need(body["temperature"].as_f64().is_none_or(|temperature| (0.0..=most).contains(&temperature)), "temperature")?;
    need(list(&body["stop"]).len() <= 4, "stop")?;
    let messages = body["messages"].as_array().filter(|messages| !messages.is_empty()).ok_or("messages")?;
    let mut open: Vec<String> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().ok_or("role")?;
        need(open.is_empty() || role == "tool", "another message while calls wait")?;
        content(role, &message["content"])?;
        match role {
            "system" => need(index == 0, "system message later")?,
            "user" => only(message, "role content", role)?,
            "tool" => {
                only(
                    message,
                    if is_chat { "role content tool_call_id" } else { "role content tool_call_id name" },
                    role,
                )?;
                let at = open.iter().position(|call| message["tool_call_id"] == call.as_str());
                open.remove(at.ok_or("result without call")?);
            }
            "assistant" => open = calls(message)?,
            _ => return Err(format!("role {role}")),
        }
    }
    need(open.is_empty(), "calls without results")?;
    tools(body, is_chat)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text, and an array only where there is an image.
fn content(role: &str, content: &Value) -> Result<(), String> {
    if content.is_string() {
        return Ok(());
    }
    let parts = content.as_array().ok_or("content is null")?;
    need(role == "user" && parts.iter().any(|part| part["type"] == "image_url"), "array without an image")?;
    parts.iter().try_for_each(|part| {
        only(part, "type text image_url", "part")?;
        need(
            part["text"].is_string()
                || part["image_url"]["url"].as_str().is_some_and(|url| url.starts_with("data:image/")),
            "part",
        )
    })
}

fn calls(message: &Value) -> Result<Vec<String>, String> {
    only(message, "role content tool_calls reasoning", "assistant")?;
    let mut ids = Vec::new();
    for call in list(&message["tool_calls"]) {
        only(call, "id type function", "call")?;
        only(&call["function"], "name arguments", "function")?;
        let arguments = call["function"]["arguments"].as_str().ok_or("arguments")?;
        need(serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()), "arguments")?;
        ids.push(call["id"].as_str().filter(|id| !ids.iter().any(|known| known == id)).ok_or("id")?.to_owned());
    }
    Ok(ids)
}

fn tools(body: &Value, is_chat: bool) -> Result<(), String> {
    let tools = list(&body["tools"]);
    for tool in tools {
        only(tool, "type function", "tool")?;
        let function = &tool["function"];
        only(function, "name description parameters", "function")?;
        need(tool["type"] == "function" && function["name"].is_string(), "tool")?;
        need(function["parameters"]["type"] == "object", "parameters")?;
        let is_whole = function["description"].is_string() && function["parameters"]["properties"].is_object();
        need(is_chat || is_whole, "tool of an older model")?;
    }
    need(body.get("tools").is_none() || !tools.is_empty(), "empty tools")?;
    let choice = &body["tool_choice"];
    let known = ["auto", "none", "required"].iter().any(|word| choice == word)
        || tools.iter().any(|tool| choice["function"]["name"] == tool["function"]["name"]);
    need(choice.is_null() || known && !tools.is_empty(), "tool_choice")?;
    need(body["metadata"].is_null() || body["metadata"].is_object(), "metadata")
}

pub(crate) fn vendor() -> Vendor {
    Vendor {
        provider: Provider::WorkersAi,
        options: json!({"model": "@cf/moonshotai/kimi-k2.7-code"}),
        judge,
        tool_names: |body| names(&body["tools"], "/function/name"),
        reply,
        events: |reply| (openai::vendor().events)(reply),
    }
}

fn reply(said: &Said, names: &[String], turn: usize) -> Value {
    (openai::vendor().reply)(said, names, turn)
}

/// An older model, which answers in its own form.
pub(crate) fn older_vendor() -> Vendor {
    Vendor {
        options: json!({"model": "@cf/meta/llama-3.3-70b-instruct-fp8-fast"}),
        reply: native_reply,
        events: native_events,
        ..vendor()
    }
}

fn native_reply(said: &Said, names: &[String], _turn: usize) -> Value {
    let calls: Vec<_> =
        said.calls.iter().map(|(tool, input)| json!({"name": names[*tool], "arguments": input})).collect();
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 7, "total_tokens": 17});
    json!({"result": {"response": said.text, "tool_calls": calls, "usage": usage}, "success": true, "errors": [], "messages": []})
}

fn native_events(reply: &Value) -> Value {
    let result = &reply["result"];
    let pieces = result["response"].as_str().unwrap().chars();
    let mut events: Vec<_> = pieces.map(|piece| json!({"response": piece.to_string(), "p": "abc"})).collect();
    events.push(json!({"response": "", "tool_calls": result["tool_calls"]}));
    events.push(json!({"response": "", "usage": result["usage"]}));
    events.push("data: [DONE]\n\n".into());
    events.into()
}
