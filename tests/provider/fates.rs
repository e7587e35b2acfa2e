//! The table of fates in `docs/providers.md`, made from what the code does. `UPDATE=1 cargo test` writes it anew.

use std::fmt::Write;

use mcp_sampling::provider::{Fate, Provider, Rules};
use serde_json::{Value, json};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::cases::{build, json_of, with_defaults};

const DOCS: &str = include_str!("../../docs/providers.md");
const BEGIN: &str = "<!-- fates: made by tests/provider/fates.rs -->\n";
const END: &str = "<!-- end of fates -->";

/// The columns: a provider as most use it. One of an older kind too, where that takes more.
fn columns() -> Vec<(&'static str, Provider, Value)> {
    vec![
        ("Anthropic", Provider::Anthropic, json!({"model": "claude-opus-5-5"})),
        ("Anthropic, before 4.6", Provider::Anthropic, json!({"model": "claude-opus-4-5"})),
        ("OpenAI Chat, GPT-4o", Provider::OpenAi, json!({"model": "gpt-4o"})),
        ("OpenAI Chat, GPT-5", Provider::OpenAi, json!({"model": "gpt-5"})),
        ("OpenAI Responses", Provider::OpenAiResponses, json!({"model": "gpt-5"})),
        ("Gemini", Provider::Gemini, json!({"model": "gemini-3.8-flash"})),
        ("Gemini 2.5", Provider::Gemini, json!({"model": "gemini-2.5-flash"})),
        ("Ollama", Provider::OpenAi, json!({"model": "qwen3:8b", "profile": "ollama"})),
        (
            "WebLLM (Hermes)",
            Provider::OpenAi,
            json!({"model": "Hermes-3-Llama-3.1-8B-q4f16_1-MLC", "profile": "webllm"}),
        ),
        ("generic", Provider::OpenAi, json!({"model": "m", "profile": "generic"})),
        ("Workers AI", Provider::WorkersAi, json!({"model": "@cf/moonshotai/kimi-k2.7-code"})),
        ("Workers AI, older", Provider::WorkersAi, json!({"model": "@cf/meta/llama-3.3-70b-instruct-fp8-fast"})),
        ("Prompt API", Provider::PromptApi, json!({"model": "chrome/gemini-nano"})),
    ]
}

/// A field, and the params that bring it.
type Row = (&'static str, Value);

fn rows() -> Vec<Row> {
    [request_rows(), block_rows(), tool_rows(), result_rows()].concat()
}

fn request_rows() -> Vec<Row> {
    vec![
        ("`systemPrompt`", json!({"systemPrompt": "S"})),
        ("`systemPrompt` beside `tools`", json!({"systemPrompt": "S", "tools": [tool()]})),
        ("`maxTokens`", json!({})),
        ("`temperature`", json!({"temperature": 0.5})),
        ("`temperature` above 1", json!({"temperature": 1.5})),
        ("`stopSequences`", json!({"stopSequences": ["END"]})),
        ("`stopSequences`, blank", json!({"stopSequences": ["\n\n"]})),
        ("`stopSequences`, five", json!({"stopSequences": ["a", "b", "c", "d", "e"]})),
        ("`metadata.user_id`", json!({"metadata": {"user_id": "u"}})),
        ("`metadata`, other texts", json!({"metadata": {"a": "b"}})),
        ("`metadata`, other values", json!({"metadata": {"a": 1}})),
        ("unknown members", json!({"x": 1})),
    ]
}

fn block_rows() -> Vec<Row> {
    let user = |content: Value| json!({"messages": [{"role": "user", "content": content}]});
    let assistant = |content: Value| {
        json!({"messages": [
            {"role": "user", "content": {"type": "text", "text": "Hi"}},
            {"role": "assistant", "content": content},
            {"role": "user", "content": {"type": "text", "text": "Go on"}},
        ]})
    };
    vec![
        ("user: `text`", user(json!({"type": "text", "text": "a"}))),
        ("user: several `text`", user(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]))),
        ("user: `image`, PNG", user(json!({"type": "image", "data": "AAAA", "mimeType": "image/png"}))),
        ("user: `image`, GIF", user(json!({"type": "image", "data": "AAAA", "mimeType": "image/gif"}))),
        ("user: `image`, SVG", user(json!({"type": "image", "data": "AAAA", "mimeType": "image/svg+xml"}))),
        ("user: `audio`, WAV", user(json!({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}))),
        ("user: `audio`, MP3", user(json!({"type": "audio", "data": "AAAA", "mimeType": "audio/mpeg"}))),
        ("assistant: `text`", assistant(json!({"type": "text", "text": "a"}))),
        (
            "assistant: `image`",
            assistant(
                json!([{"type": "text", "text": "a"}, {"type": "image", "data": "AAAA", "mimeType": "image/png"}]),
            ),
        ),
        (
            "assistant: `audio`",
            assistant(
                json!([{"type": "text", "text": "a"}, {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]),
            ),
        ),
        (
            "assistant: last message",
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}, {"role": "assistant", "content": {"type": "text", "text": "I"}}]}),
        ),
        ("block `annotations`", user(json!({"type": "text", "text": "a", "annotations": {"priority": 1}}))),
        (
            "block `_meta`, ours",
            user(json!({"type": "text", "text": "a", "_meta": {"io.github.mcp-sampling/state": {}}})),
        ),
        ("block `_meta`, of others", user(json!({"type": "text", "text": "a", "_meta": {"x": 1}}))),
    ]
}

fn tool() -> Value {
    json!({"name": "f", "inputSchema": {"type": "object"}})
}

fn tool_with(name: &str, value: Value) -> Value {
    let mut tool = tool();
    tool[name] = value;
    json!({"tools": [tool]})
}

fn tool_rows() -> Vec<Row> {
    vec![
        ("`tools`: `name`, `description`, `inputSchema`", tool_with("description", json!("d"))),
        ("`tools`: `name` with a dot", json!({"tools": [{"name": "a.b", "inputSchema": {"type": "object"}}]})),
        ("`tools`: `title`, `annotations`, `outputSchema`, `icons`, `_meta`", tool_with("title", json!("t"))),
        ("`toolChoice` auto", json!({"tools": [tool()], "toolChoice": {"mode": "auto"}})),
        ("`toolChoice` required", json!({"tools": [tool()], "toolChoice": {"mode": "required"}})),
        ("`toolChoice` none", json!({"tools": [tool()], "toolChoice": {"mode": "none"}})),
        ("`tool_use`", result("content", json!([{"type": "text", "text": "r"}]))),
    ]
}

fn result(name: &str, value: Value) -> Value {
    let mut result = json!({"type": "tool_result", "toolUseId": "1", "content": []});
    result[name] = value;
    json!({"tools": [tool()], "messages": [
        {"role": "user", "content": {"type": "text", "text": "Hi"}},
        {"role": "assistant", "content": {"type": "tool_use", "id": "1", "name": "f", "input": {}}},
        {"role": "user", "content": result},
    ]})
}

fn embedded(mime: &str, name: &str, value: &str) -> Value {
    json!([{"type": "resource", "resource": {"uri": "file:///a", "mimeType": mime, name: value}}])
}

fn result_rows() -> Vec<Row> {
    vec![
        ("result: `text`", result("content", json!([{"type": "text", "text": "r"}]))),
        ("result: `isError`", result("isError", json!(true))),
        ("result: `structuredContent`", result("structuredContent", json!({"a": 1}))),
        ("result: `image`", result("content", json!([{"type": "image", "data": "AAAA", "mimeType": "image/png"}]))),
        (
            "result: `image`, SVG",
            result("content", json!([{"type": "image", "data": "AAAA", "mimeType": "image/svg+xml"}])),
        ),
        ("result: `audio`", result("content", json!([{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]))),
        (
            "result: `resource_link`",
            result("content", json!([{"type": "resource_link", "uri": "file:///a", "name": "a"}])),
        ),
        ("result: `resource`, text", result("content", embedded("text/plain", "text", "t"))),
        ("result: `resource`, PDF", result("content", embedded("application/pdf", "blob", "AAAA"))),
        ("result: `resource`, image", result("content", embedded("image/png", "blob", "AAAA"))),
        ("result: `resource`, other bytes", result("content", embedded("application/zip", "blob", "AAAA"))),
    ]
}

/// What becomes of the field: a word, and the reason where there is one.
fn fate(provider: Provider, options: &Value, field: &str, params: &Value) -> (String, Option<String>) {
    match build(provider, &with_defaults(params.clone()), options) {
        Err(error) => {
            assert_eq!(json_of(error.data())["type"], "unsupported", "{field}");
            let message = error.message().split_once(": ").map_or_else(|| error.message(), |(_, message)| message);
            ("**error**".into(), Some(message.split(" (/").next().unwrap().to_owned()))
        }
        Ok(built) => {
            // WebLLM reports the call in each request with a result; only one row is about it.
            // The Prompt API reports its limit and its tools in each request that has them.
            let about = |path: &str| match path {
                "/maxTokens" => field == "`maxTokens`",
                "/tools" => field.starts_with("`tools`") || field.starts_with("`toolChoice`"),
                _ => field == "`tool_use`" || !path.starts_with("/messages/1/content") || !field.starts_with("result"),
            };
            let mut warnings: Vec<_> = built.warnings.iter().filter(|warning| about(&warning.path)).collect();
            warnings.sort_by_key(|warning| warning.fate == Fate::Emulated);
            let warning = warnings.first();
            let word = warning.map_or("sent", |warning| warning.fate.as_str());
            (word.to_owned(), warning.map(|warning| warning.message.to_owned()))
        }
    }
}

fn table() -> String {
    let columns = columns();
    let mut out = String::from("| field |");
    columns.iter().for_each(|(name, ..)| write!(out, " {name} |").unwrap());
    out += &format!("\n|---|{}\n", "---|".repeat(columns.len()));
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (field, params) in rows() {
        write!(out, "| {field} |").unwrap();
        for (_, provider, options) in &columns {
            let (word, reason) = fate(*provider, options, field, &params);
            write!(out, " {word} |").unwrap();
            let Some(reason) = reason else { continue };
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, fields)) if fields.last() == Some(&field) => {}
                Some((_, fields)) => fields.push(field),
                None => reasons.push((reason, vec![field])),
            }
        }
        out.push('\n');
    }
    out += "\nWhy:\n\n";
    for (reason, fields) in reasons {
        writeln!(out, "- {}: {reason}.", fields.join("; ")).unwrap();
    }
    out
}

#[test]
fn the_table_in_the_documentation_is_true() {
    let (before, rest) = DOCS.split_once(BEGIN).expect("the mark where the table begins");
    let (written, after) = rest.split_once(END).expect("the mark where the table ends");
    let made = table();
    if cfg!(not(target_arch = "wasm32")) && std::env::var_os("UPDATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/providers.md");
        std::fs::write(path, [before, BEGIN, &made, END, after].concat()).unwrap();
    } else {
        assert_eq!(written, made, "run UPDATE=1 cargo test --test provider");
    }
}

#[test]
fn the_documentation_names_every_rule_and_fate() {
    for (name, _) in Rules::ALL {
        assert!(DOCS.contains(&format!("`{name}`")), "{name}");
    }
    for fate in Fate::ALL {
        assert!(DOCS.contains(&format!("`{}`", fate.as_str())), "{}", fate.as_str());
    }
}
