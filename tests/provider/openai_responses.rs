//! OpenAI's Responses API.

use mcp_sampling::provider::Provider;
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::anthropic::names;
use super::cases::{Suite, need, only};
use super::shared::{Said, Vendor};

const SUITE: Suite =
    Suite { provider: Provider::OpenAiResponses, folder: "openai_responses", default_model: "gpt-5.1", judge };

#[test]
fn requests() {
    SUITE.requests(include_str!("../fixtures/provider/openai_responses/requests.json"));
}

#[test]
fn replies() {
    SUITE.replies(include_str!("../fixtures/provider/openai_responses/replies.json"));
}

#[test]
fn streams() {
    SUITE.streams(include_str!("../fixtures/provider/openai_responses/streams.json"));
}

const BODY: &str = "model instructions max_output_tokens stream store include input tools tool_choice temperature \
                    metadata reasoning parallel_tool_calls prompt_cache_key";

/// What the API checks of a body: unknown keys, order, adjacency, ids, reasoning.
pub(crate) fn judge(body: &Value) -> Result<(), String> {
    only(body, BODY, "body")?;
    need(body["model"].is_string(), "model")?;
    need(body.get("max_output_tokens").is_none_or(|tokens| tokens.as_i64() > Some(0)), "max_output_tokens")?;
    need(body.get("instructions").is_none_or(Value::is_string), "instructions")?;
    let input = body["input"].as_array().ok_or("input")?;
    need(!input.is_empty(), "no input")?;
    let (mut open, mut seen): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut thought = false;
    for item in input {
        let kind = item["type"].as_str().ok_or("type")?;
        let of_model = kind == "function_call" || (kind == "message" && item["role"] == "assistant");
        need(
            !thought || of_model || kind == "reasoning" || kind.ends_with("_call"),
            "reasoning without what it led to",
        )?;
        thought = kind == "reasoning" || (thought && kind.ends_with("_search_call"));
        let of_user = kind == "message" && item["role"] == "user";
        need(open.is_empty() || !of_user, "a message of the user while calls wait")?;
        judge_item(kind, item, body["store"] == false, &mut open, &mut seen)?;
    }
    need(!thought, "reasoning at the end")?;
    need(open.is_empty(), "calls without results")?;
    tools(body)
}

fn judge_item(
    kind: &str,
    item: &Value,
    stateless: bool,
    open: &mut Vec<String>,
    seen: &mut Vec<String>,
) -> Result<(), String> {
    match kind {
        "message" if item["role"] == "assistant" => {
            only(item, "type role content phase", "assistant")?;
            need(item["content"].as_str().is_some_and(|text| !text.is_empty()), "content of the assistant")?;
            need(
                ["commentary", "final_answer"].iter().any(|phase| item["phase"] == *phase)
                    || item.get("phase").is_none(),
                "phase",
            )
        }
        "message" => {
            only(item, "type role content", "user")?;
            need(item["role"] == "user", "role")?;
            content(&item["content"], "input_text input_image")
        }
        "function_call" => {
            only(item, "type call_id name arguments", kind)?;
            let id = item["call_id"].as_str().filter(|id| (1..=64).contains(&id.len())).ok_or("call_id")?;
            let arguments = item["arguments"].as_str().ok_or("arguments")?;
            need(serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object()), "arguments")?;
            need(word(&item["name"]) && !seen.contains(&id.to_owned()), "name, or id twice")?;
            open.push(id.to_owned());
            seen.push(id.to_owned());
            Ok(())
        }
        "function_call_output" => {
            only(item, "type call_id output", kind)?;
            let id = item["call_id"].as_str().ok_or("call_id")?;
            let at = open.iter().position(|call| call == id).ok_or("a result without its call")?;
            open.remove(at);
            if item["output"].is_string() {
                Ok(())
            } else {
                content(&item["output"], "input_text input_image input_file")
            }
        }
        "reasoning" => {
            only(item, "type id summary content encrypted_content status", kind)?;
            let whole = item["encrypted_content"].is_string() || item["content"].is_array();
            need(item["summary"].is_array() && whole, "reasoning that is not stored, without its content")?;
            need(stateless == item.get("id").is_some(), "id of reasoning")
        }
        "web_search_call" => Ok(()),
        _ => Err(format!("item {kind}")),
    }
}

fn content(parts: &Value, kinds: &str) -> Result<(), String> {
    let parts = parts.as_array().ok_or("content is no list")?;
    need(!parts.is_empty(), "empty content")?;
    for part in parts {
        let kind = part["type"].as_str().ok_or("type")?;
        need(kinds.split(' ').any(|known| known == kind), "kind of part")?;
        match kind {
            "input_text" => {
                only(part, "type text", kind)?;
                need(part["text"].as_str().is_some_and(|text| !text.is_empty()), "empty text")?;
            }
            "input_image" => {
                only(part, "type image_url detail", kind)?;
                let types = ["png", "jpeg", "gif", "webp"].map(|name| format!("data:image/{name};base64,"));
                let url = part["image_url"].as_str().ok_or("image_url")?;
                need(types.iter().any(|start| url.starts_with(start)) && part["detail"] == "auto", "image_url")?;
            }
            _ => {
                only(part, "type filename file_data", kind)?;
                let data = part["file_data"].as_str().ok_or("file_data")?;
                need(data.starts_with("data:application/pdf;base64,") && part["filename"].is_string(), "file")?;
            }
        }
    }
    Ok(())
}

fn tools(body: &Value) -> Result<(), String> {
    let mut names = Vec::new();
    for tool in body.get("tools").and_then(Value::as_array).into_iter().flatten() {
        only(tool, "type name description parameters strict", "tool")?;
        need(tool["type"] == "function" && word(&tool["name"]) && tool["parameters"]["type"] == "object", "tool")?;
        need(tool["strict"] == false, "strict, which is required")?;
        need(!names.contains(&&tool["name"]), "two tools of one name")?;
        names.push(&tool["name"]);
    }
    need(body.get("tools").is_none() || !names.is_empty(), "empty tools")?;
    let choices = ["auto", "required", "none"];
    let choice = |choice: &Value| !names.is_empty() && choices.iter().any(|known| choice == known);
    need(body.get("tool_choice").is_none_or(choice), "tool_choice")?;
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
        provider: Provider::OpenAiResponses,
        options: json!({"model": "gpt-5.1"}),
        judge,
        tool_names: |body| names(&body["tools"], "/name"),
        reply,
        events,
    }
}

fn reply(said: &Said, names: &[String], turn: usize) -> Value {
    let mut output = Vec::new();
    if !said.thought.is_empty() {
        let summary = json!([{"type": "summary_text", "text": said.thought}]);
        output.push(
            json!({"type": "reasoning", "id": format!("rs_{turn}"), "summary": summary, "encrypted_content": "ZW5j"}),
        );
    }
    if !said.text.is_empty() {
        let text = json!({"type": "output_text", "text": said.text, "annotations": [], "logprobs": []});
        output.push(json!({"type": "message", "id": format!("msg_{turn}"), "role": "assistant", "status": "completed", "content": [text]}));
    }
    for (index, (tool, input)) in said.calls.iter().enumerate() {
        output.push(json!({"type": "function_call", "id": format!("fc_{turn}_{index}"), "call_id": format!("call_{turn}_{index}"),
            "name": names[*tool], "arguments": input.to_string(), "status": "completed"}));
    }
    let usage = json!({"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 17});
    json!({"id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-5.1-2025-11-13", "status": "completed",
        "error": null, "incomplete_details": null, "output": output, "usage": usage})
}

fn events(reply: &Value) -> Value {
    let mut begun = reply.clone();
    (begun["output"], begun["status"], begun["usage"]) = (json!([]), "in_progress".into(), Value::Null);
    let mut events = vec![
        json!({"type": "response.created", "response": begun}),
        json!({"type": "response.in_progress", "response": begun}),
    ];
    for (index, item) in reply["output"].as_array().unwrap().iter().enumerate() {
        let mut start = item.clone();
        for (name, value) in [
            ("content", json!([])),
            ("arguments", json!("")),
            ("summary", json!([])),
            ("encrypted_content", json!("Z")),
        ] {
            if let Some(member) = start.get_mut(name) {
                *member = value;
            }
        }
        events.push(json!({"type": "response.output_item.added", "output_index": index, "item": start}));
        let (kind, whole) = match item["type"].as_str().unwrap() {
            "message" => ("output_text", &item["content"][0]["text"]),
            "function_call" => ("function_call_arguments", &item["arguments"]),
            _ => ("reasoning_summary_text", &item["summary"][0]["text"]),
        };
        events.extend(whole.as_str().unwrap().chars().map(|piece| {
            json!({"type": format!("response.{kind}.delta"), "output_index": index, "content_index": 0, "item_id": item["id"], "delta": piece.to_string()})
        }));
        events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    }
    events.push(json!({"type": "response.completed", "response": reply}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = number.into();
    }
    events.into()
}
