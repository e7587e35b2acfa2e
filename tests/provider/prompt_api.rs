//! The Prompt API of browsers.

use mcp_sampling::provider::Provider;
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::cases::{Suite, need, only};
use super::shared::{Said, Vendor};

const SUITE: Suite =
    Suite { provider: Provider::PromptApi, folder: "prompt_api", default_model: "chrome/gemini-nano", judge };

#[test]
fn requests() {
    SUITE.requests(include_str!("../fixtures/provider/prompt_api/requests.json"));
}

#[test]
fn replies() {
    SUITE.replies(include_str!("../fixtures/provider/prompt_api/replies.json"));
}

#[test]
fn streams() {
    SUITE.streams(include_str!("../fixtures/provider/prompt_api/streams.json"));
}

const DESCRIPTOR: &str = "initialPrompts expectedInputs expectedOutputs samplingMode temperature topK prompt responseConstraint \
                          omitResponseConstraintInput stream maxTokens";
const MODES: &str = "most-predictable predictable balanced creative most-creative";

/// What the API throws at, once the page has done its part.
pub(crate) fn judge(body: &Value) -> Result<(), String> {
    only(body, DESCRIPTOR, "descriptor")?;
    let mode = body.get("samplingMode").and_then(Value::as_str);
    need(mode.is_none_or(|mode| MODES.split(' ').any(|known| known == mode)), "samplingMode")?;
    let has_numbers = body.get("temperature").or_else(|| body.get("topK")).is_some();
    need(mode.is_none() || !has_numbers, "TypeError: samplingMode beside numbers")?;
    need(body["temperature"].as_f64().is_none_or(|temperature| temperature >= 0.0), "RangeError: temperature")?;
    need(body.get("maxTokens").is_none_or(|tokens| tokens.as_i64().is_some_and(|tokens| tokens > 0)), "maxTokens")?;
    let expected: Vec<_> = list(&body["expectedInputs"]).iter().filter_map(|input| input["type"].as_str()).collect();
    // An empty list means an empty message of the user.
    need(body.get("initialPrompts").is_none_or(|prompts| !list(prompts).is_empty()), "empty initialPrompts")?;
    need(!list(&body["prompt"]).is_empty(), "empty prompt")?;
    let all: Vec<_> = list(&body["initialPrompts"]).iter().chain(list(&body["prompt"])).collect();
    for (index, message) in all.iter().enumerate() {
        only(message, "role content prefix", "message")?;
        let role = message["role"].as_str().ok_or("role")?;
        need(["system", "user", "assistant"].contains(&role), "role")?;
        need(
            role != "system" || index == 0 && body.get("initialPrompts").is_some(),
            "TypeError: system message later",
        )?;
        let is_last = index + 1 == all.len();
        need(message.get("prefix").is_none() || role == "assistant" && is_last, "SyntaxError: prefix")?;
        content(role, &message["content"], &expected)?;
    }
    let omits = body.get("omitResponseConstraintInput").is_some();
    need(!omits || body.get("responseConstraint").is_some(), "TypeError: nothing to omit")?;
    body.get("responseConstraint").map_or(Ok(()), schema)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn content(role: &str, content: &Value, expected: &[&str]) -> Result<(), String> {
    if content.is_string() {
        return need(content != "", "empty content");
    }
    let parts = content.as_array().filter(|parts| !parts.is_empty()).ok_or("content")?;
    let mut after_text = false;
    for part in parts {
        only(part, "type value", "content")?;
        let kind = part["type"].as_str().ok_or("type")?;
        if kind == "text" {
            need(part["value"].as_str().is_some_and(|text| !text.is_empty()), "TypeError: text")?;
            need(!after_text, "texts that would run together")?;
        } else {
            need(role == "user" && expected.contains(&kind), "NotSupportedError")?;
            only(&part["value"], "mimeType base64", "bytes")?;
            let (mime, data) = (part["value"]["mimeType"].as_str(), part["value"]["base64"].as_str().ok_or("base64")?);
            need(mime.is_some_and(|mime| mime.starts_with(&format!("{kind}/"))), "mimeType")?;
            need(!data.is_empty() && data.len() % 4 == 0 && !data.contains(char::is_whitespace), "base64")?;
        }
        after_text = kind == "text";
    }
    Ok(())
}

/// Fails on keywords that an engine for constraints may not know.
fn schema(schema: &Value) -> Result<(), String> {
    const KNOWN: &str = "type properties required additionalProperties items anyOf const enum minItems maxItems minimum \
                         maximum minLength maxLength title description default examples deprecated readOnly";
    if schema.is_boolean() {
        return Ok(());
    }
    only(schema, KNOWN, "NotSupportedError")?;
    let properties = schema.get("properties").and_then(Value::as_object);
    let inner = properties.into_iter().flat_map(|map| map.values()).chain(list(&schema["anyOf"]));
    inner.chain(schema.get("items")).chain(schema.get("additionalProperties")).try_for_each(self::schema)
}

pub(crate) fn vendor() -> Vendor {
    Vendor {
        provider: Provider::PromptApi,
        options: json!({"model": "chrome/gemini-nano"}),
        judge,
        tool_names: |body| {
            let calls = body.pointer("/responseConstraint/anyOf/1/properties/tool_calls/items/anyOf").unwrap();
            list(calls).iter().map(|call| call["properties"]["name"]["const"].as_str().unwrap().to_owned()).collect()
        },
        reply,
        events,
    }
}

fn reply(said: &Said, names: &[String], _turn: usize) -> Value {
    let mut answer = json!({});
    if !said.text.is_empty() {
        answer["text"] = said.text.into();
    }
    let calls: Vec<_> =
        said.calls.iter().map(|(tool, input)| json!({"name": names[*tool], "arguments": input})).collect();
    if !calls.is_empty() {
        answer["tool_calls"] = calls.into();
    }
    json!({"text": answer.to_string(), "finish": "stop", "usage": {"input_tokens": 10, "output_tokens": 7}})
}

fn events(reply: &Value) -> Value {
    let pieces = reply["text"].as_str().unwrap().chars().map(|piece| json!({"text": piece.to_string()}));
    pieces.chain([json!({"finish": reply["finish"], "usage": reply["usage"]})]).collect()
}
