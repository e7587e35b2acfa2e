//! Google's Gemini API.

use mcp_sampling::json::Document;
use mcp_sampling::provider::{self, BuildOptions, Provider};
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::anthropic::names;
use super::cases::{Suite, build, document, need, only, with_defaults};
use super::shared::{Said, Vendor};

const SUITE: Suite = Suite { provider: Provider::Gemini, folder: "gemini", default_model: "gemini-3.8-flash", judge };

#[test]
fn requests() {
    SUITE.requests(include_str!("../fixtures/provider/gemini/requests.json"));
}

#[test]
fn replies() {
    SUITE.replies(include_str!("../fixtures/provider/gemini/replies.json"));
}

#[test]
fn streams() {
    SUITE.streams(include_str!("../fixtures/provider/gemini/streams.json"));
}

#[test]
fn the_model_is_in_the_path() {
    for (model, stream, path) in [
        ("gemini-3.8-flash", true, "/models/gemini-3.8-flash:streamGenerateContent?alt=sse"),
        ("models/gemini-2.5-pro", false, "/models/gemini-2.5-pro:generateContent"),
        ("tunedModels/a b?c#d:e", false, "/tunedModels/a%20b%3fc%23d%3ae:generateContent"),
    ] {
        let options = json!({"model": model, "stream": stream});
        let built = build(Provider::Gemini, &with_defaults(json!({})), &options).unwrap();
        assert_eq!(built.path, path);
        assert_eq!(built.headers, [("content-type", "application/json".to_owned())]);
    }
}

/// Very deep schemas are not looked into to their end.
#[test]
fn deep_schemas_end_somewhere() {
    let depth = 2000;
    let schema = ["{\"type\":\"object\",\"x\":0,\"items\":".repeat(depth), "{}".into(), "}".repeat(depth)].concat();
    let text = format!(
        r#"{{"maxTokens":9,"messages":[{{"role":"user","content":{{"type":"text","text":"a"}}}}],"tools":[{{"name":"f","inputSchema":{schema}}}]}}"#
    );
    let options = BuildOptions::from_json(document(&json!({"model": "gemini-3.8-flash"})).root()).unwrap();
    let built = provider::build(Provider::Gemini, Document::from_text(text).unwrap().root(), &options).unwrap();
    let body = Document::parse(built.body).unwrap();
    assert_eq!(body.text().matches("\"x\":0").count(), depth - 64);
    assert_eq!(built.warnings.len(), 64);
}

/// What the API checks of a body: unknown keys, turns, calls and results, signatures, schemas.
pub(crate) fn judge(body: &Value) -> Result<(), String> {
    only(body, "systemInstruction contents tools toolConfig generationConfig safetySettings", "body")?;
    if let Some(system) = body.get("systemInstruction") {
        only(system, "parts", "systemInstruction")?;
        need(system["parts"].as_array().is_some_and(|parts| parts.len() == 1), "systemInstruction")?;
    }
    let contents = body["contents"].as_array().ok_or("contents")?;
    need(!contents.is_empty(), "no contents")?;
    let (mut open, mut last): (Vec<&Value>, &str) = (Vec::new(), "");
    for content in contents {
        only(content, "role parts", "content")?;
        let role = content["role"].as_str().ok_or("role")?;
        need(role != last, "two turns of one role")?;
        last = role;
        let parts = content["parts"].as_array().ok_or("parts")?;
        need(!parts.is_empty(), "empty parts")?;
        match role {
            "user" => user(parts, &std::mem::take(&mut open))?,
            "model" => open = model(parts)?,
            _ => return Err(format!("role {role}")),
        }
    }
    need(open.is_empty(), "calls without results")?;
    config(body)?;
    tools(body)
}

/// As many results as calls, in their order, and first in their turn.
fn user(parts: &[Value], open: &[&Value]) -> Result<(), String> {
    let results: Vec<_> = parts.iter().filter_map(|part| part.get("functionResponse")).collect();
    need(results.len() == open.len(), "not as many results as calls")?;
    need(parts.iter().take(open.len()).all(|part| part.get("functionResponse").is_some()), "results are not first")?;
    for (result, call) in results.iter().zip(open) {
        only(result, "id name response parts", "functionResponse")?;
        need(result["name"] == call["name"] && result.get("id") == call.get("id"), "name or id of a result")?;
        need(result["response"].as_object().is_some_and(|response| response.len() == 1), "response")?;
        only(&result["response"], "output error", "response")?;
        need(!result["response"].to_string().contains("\"$ref\":"), "a reference to no attachment")?;
        for part in result.get("parts").and_then(Value::as_array).into_iter().flatten() {
            only(part, "inlineData", "part of a result")?;
            inline(&part["inlineData"], "image/png image/jpeg image/webp application/pdf")?;
        }
    }
    parts.iter().skip(open.len()).try_for_each(|part| plain(part, false))
}

/// The first call of a turn is signed, if any call is.
fn model(parts: &[Value]) -> Result<Vec<&Value>, String> {
    let mut open = Vec::new();
    let mut signed = false;
    for part in parts {
        let Some(call) = part.get("functionCall") else {
            let is_state = part["thought"] == true || part.get("executableCode").is_some();
            if !is_state {
                plain(part, true)?;
            }
            continue;
        };
        only(part, "functionCall thoughtSignature", "functionCall")?;
        only(call, "id name args", "functionCall")?;
        need(name(&call["name"]) && call["args"].is_object(), "functionCall")?;
        need(call.get("id").is_none_or(|id| id.as_str().is_some_and(|id| !id.is_empty())), "id")?;
        let signature = part.get("thoughtSignature");
        need(signature.is_none() || signed || open.is_empty(), "a call before this one is not signed")?;
        need(open.is_empty() || signature.is_none_or(|text| *text != "skip_thought_signature_validator"), "sentinel")?;
        signed |= signature.is_some();
        open.push(call);
    }
    Ok(open)
}

fn plain(part: &Value, of_model: bool) -> Result<(), String> {
    let signature = if of_model { " thoughtSignature" } else { "" };
    if let Some(data) = part.get("inlineData") {
        only(part, &format!("inlineData{signature}"), "part")?;
        return inline(
            data,
            "image/png image/jpeg image/webp image/heic image/heif audio/wav audio/mp3 audio/aiff audio/aac audio/ogg \
             audio/flac application/pdf",
        );
    }
    only(part, &format!("text{signature}"), "part")?;
    let text = part["text"].as_str().ok_or("text")?;
    need(!text.trim().is_empty() || part.get("thoughtSignature").is_some(), "blank text")
}

fn inline(data: &Value, types: &str) -> Result<(), String> {
    only(data, "mimeType data", "inlineData")?;
    need(types.split_whitespace().any(|known| data["mimeType"] == known), "mimeType")?;
    let data = data["data"].as_str().ok_or("data")?;
    need(!data.is_empty() && data.len() % 4 == 0 && !data.contains(char::is_whitespace), "base64")
}

fn config(body: &Value) -> Result<(), String> {
    let Some(config) = body.get("generationConfig") else { return Ok(()) };
    only(config, "maxOutputTokens temperature stopSequences thinkingConfig topK", "generationConfig")?;
    need(config.get("maxOutputTokens").is_none_or(|tokens| tokens.as_i64() > Some(0)), "maxOutputTokens")?;
    let fits = |temperature: &Value| temperature.as_f64().is_some_and(|value| (0.0..=2.0).contains(&value));
    need(config.get("temperature").is_none_or(fits), "temperature")?;
    let stops = config.get("stopSequences").and_then(Value::as_array);
    need(
        stops.is_none_or(|stops| (1..=5).contains(&stops.len()) && stops.iter().all(|stop| stop != "")),
        "stopSequences",
    )
}

fn tools(body: &Value) -> Result<(), String> {
    let Some(tools) = body.get("tools") else {
        return need(body.get("toolConfig").is_none(), "toolConfig without tools");
    };
    need(tools.as_array().is_some_and(|tools| tools.len() == 1), "not one entry for all tools")?;
    only(&tools[0], "functionDeclarations", "tools")?;
    let mut names = Vec::new();
    for tool in tools[0]["functionDeclarations"].as_array().ok_or("functionDeclarations")? {
        only(tool, "name description parametersJsonSchema", "tool")?;
        need(name(&tool["name"]) && tool["description"].is_string(), "name and description")?;
        need(!names.contains(&&tool["name"]), "two tools of one name")?;
        names.push(&tool["name"]);
        need(tool["parametersJsonSchema"]["type"] == "object", "schema of a tool")?;
        if tool["name"] != "whole" {
            schema(&tool["parametersJsonSchema"])?;
        }
    }
    need(!names.is_empty(), "no tools")?;
    let Some(choice) = body.get("toolConfig") else { return Ok(()) };
    only(choice, "functionCallingConfig", "toolConfig")?;
    only(&choice["functionCallingConfig"], "mode", "functionCallingConfig")?;
    need(["AUTO", "ANY", "NONE"].iter().any(|mode| choice["functionCallingConfig"]["mode"] == *mode), "mode")
}

/// The API reads a part of JSON Schema.
fn schema(schema: &Value) -> Result<(), String> {
    if !schema.is_object() {
        return need(schema.is_boolean(), "schema");
    }
    only(
        schema,
        "$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum \
         anyOf oneOf properties additionalProperties required propertyOrdering",
        "schema",
    )?;
    need(
        schema.get("$ref").is_none() || schema.as_object().unwrap().keys().all(|key| key.starts_with('$')),
        "beside $ref",
    )?;
    let maps = ["$defs", "properties"].into_iter().filter_map(|key| schema.get(key)?.as_object());
    maps.flat_map(|map| map.values()).try_for_each(self::schema)?;
    for key in ["items", "prefixItems", "anyOf", "oneOf", "additionalProperties"] {
        match schema.get(key) {
            Some(Value::Array(several)) => several.iter().try_for_each(self::schema)?,
            Some(one) => self::schema(one)?,
            None => {}
        }
    }
    Ok(())
}

fn name(value: &Value) -> bool {
    let fits =
        |text: &str| text.chars().all(|character| character.is_ascii_alphanumeric() || "_.:-".contains(character));
    let begins = |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    value.as_str().is_some_and(|text| text.len() <= 64 && begins(text) && fits(text))
}

/// Besides, Gemini 3 wants a signature on the first call of each turn.
fn judge_signatures(body: &Value) -> Result<(), String> {
    judge(body)?;
    for content in body["contents"].as_array().unwrap() {
        let first = content["parts"].as_array().unwrap().iter().find(|part| part.get("functionCall").is_some());
        need(first.is_none_or(|call| call.get("thoughtSignature").is_some()), "a missing signature")?;
    }
    Ok(())
}

pub(crate) fn vendor() -> Vendor {
    Vendor {
        provider: Provider::Gemini,
        options: json!({"model": "gemini-3.8-flash"}),
        judge: judge_signatures,
        tool_names: |body| names(&body["tools"][0]["functionDeclarations"], "/name"),
        reply,
        events,
    }
}

/// Only the first call is signed, and in the second turn calls have no ids.
fn reply(said: &Said, names: &[String], turn: usize) -> Value {
    let mut parts = Vec::new();
    if !said.thought.is_empty() {
        parts.push(json!({"text": said.thought, "thought": true}));
    }
    if !said.text.is_empty() {
        parts.push(json!({"text": said.text}));
    }
    for (index, (tool, input)) in said.calls.iter().enumerate() {
        let mut part = json!({"functionCall": {"name": names[*tool], "args": input}});
        if turn == 0 {
            part["functionCall"]["id"] = format!("c{turn}{index}").into();
        }
        if index == 0 {
            part["thoughtSignature"] = "c2ln".into();
        }
        parts.push(part);
    }
    let usage =
        json!({"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 2, "totalTokenCount": 17});
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": usage, "modelVersion": "gemini-3.8-flash", "responseId": "r1"})
}

fn events(reply: &Value) -> Value {
    let mut chunks = Vec::new();
    for part in reply["candidates"][0]["content"]["parts"].as_array().unwrap() {
        let pieces: Vec<Value> = match part["text"].as_str() {
            None => vec![part.clone()],
            Some(text) => text
                .chars()
                .map(|piece| {
                    let mut small = part.clone();
                    small["text"] = piece.to_string().into();
                    small
                })
                .collect(),
        };
        chunks.extend(pieces.into_iter().map(|part| {
            json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}],
                "usageMetadata": {"promptTokenCount": 10, "totalTokenCount": 10}, "modelVersion": reply["modelVersion"], "responseId": reply["responseId"]})
        }));
    }
    let mut last = reply.clone();
    last["candidates"][0]["content"]["parts"] = json!([{"text": ""}]);
    chunks.push(last);
    chunks.into()
}
