//! Whatever comes: no panic, and bodies and results that are JSON.

use mcp_sampling::json::Document;
use mcp_sampling::provider::{self, Accumulator, BuildOptions, Provider};
use proptest::prelude::*;
use serde_json::{Value, json};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,12}",
        Just(String::new()),
        Just(" \n".into()),
        Just("AAAA".into()),
        Just("image/png".into()),
        Just("a.b".into())
    ]
}

fn block() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        text().prop_map(|text| json!({"type": "text", "text": text})),
        (text(), text()).prop_map(|(data, mime)| json!({"type": "image", "data": data, "mimeType": mime})),
        Just(json!({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"})),
        text().prop_map(|uri| json!({"type": "resource_link", "uri": uri, "name": "n"})),
        (text(), text()).prop_map(|(uri, text)| json!({"type": "resource", "resource": {"uri": uri, "text": text}})),
    ];
    let owners = [("anthropic", "claude-opus-5"), ("openaiResponses", "gpt-5"), ("gemini", "gemini-3")];
    let kept = (prop::sample::select(owners.to_vec()), prop::sample::select(vec!["x", "thoughtSignature"]), text());
    (plain, prop::option::of(kept)).prop_map(|(mut block, kept)| {
        if let Some(((provider, family), name, value)) = kept {
            block["_meta"] = json!({"io.github.mcp-sampling/state": {"provider": provider, "family": family, "items": [{name: value}]}});
        }
        block
    })
}

/// A user, calls, their results: requests that pass the checks often enough.
fn params() -> impl Strategy<Value = Value> {
    let ids = prop::collection::btree_set(text(), 1..4);
    let turn = (ids, text(), prop::collection::vec(block(), 0..3));
    (prop::collection::vec(turn, 0..4), prop::collection::vec(block(), 0..3), text(), any::<bool>()).prop_map(
        |(turns, first, name, tools)| {
            let mut first: Vec<_> =
                first.into_iter().filter(|block| !block["type"].as_str().unwrap().starts_with("res")).collect();
            first.push(json!({"type": "text", "text": "x"}));
            let mut messages = vec![json!({"role": "user", "content": first})];
            for (ids, said, parts) in turns {
                let calls =
                    ids.iter().map(|id| json!({"type": "tool_use", "id": id, "name": name, "input": {"a": said}}));
                let results = ids.iter().map(|id| json!({"type": "tool_result", "toolUseId": id, "content": parts}));
                messages.push(json!({"role": "assistant", "content": calls.collect::<Vec<_>>()}));
                messages.push(json!({"role": "user", "content": results.collect::<Vec<_>>()}));
            }
            let mut params =
                json!({"maxTokens": 9, "messages": messages, "stopSequences": [name, "\n"], "metadata": {"a": name}});
            if tools {
                params["tools"] = json!([{"name": name, "inputSchema": {"type": "object"}}]);
            }
            params
        },
    )
}

fn options(provider: Provider) -> Vec<BuildOptions> {
    let all: &[&str] = match provider {
        Provider::Anthropic => {
            &[r#"{"model":"claude-opus-5-5"}"#, r#"{"model":"claude-opus-4-5","hoistAssistantMedia":true}"#]
        }
        Provider::OpenAiResponses => &[r#"{"model":"gpt-5"}"#, r#"{"model":"gpt-4o","hoistAssistantMedia":true}"#],
        Provider::Gemini => &[r#"{"model":"gemini-3.8-flash"}"#, r#"{"model":"gemma-4-31b-it"}"#],
        Provider::PromptApi => &[r#"{"model":"m"}"#, r#"{"model":"m","hoistAssistantMedia":true,"continuation":"c"}"#],
        Provider::WorkersAi => &[
            r#"{"model":"@cf/moonshotai/kimi-k2.7-code"}"#,
            r#"{"model":"@cf/meta/llama-4-scout-17b-16e-instruct"}"#,
            r#"{"model":"m","profile":"openai"}"#,
        ],
        _ => &[
            r#"{"model":"gpt-4o"}"#,
            r#"{"model":"m","profile":"ollama"}"#,
            r#"{"model":"hermes-3-llama-3.1-8b","profile":"webllm"}"#,
        ],
    };
    let read = |text: &&str| BuildOptions::from_json(Document::from_text((*text).into()).unwrap().root()).unwrap();
    all.iter().map(read).collect()
}

const STREAMS: [&str; 6] = [
    include_str!("../fixtures/provider/anthropic/streams.json"),
    include_str!("../fixtures/provider/openai/streams.json"),
    include_str!("../fixtures/provider/openai_responses/streams.json"),
    include_str!("../fixtures/provider/gemini/streams.json"),
    include_str!("../fixtures/provider/prompt_api/streams.json"),
    include_str!("../fixtures/provider/workers_ai/streams.json"),
];

proptest! {
    #[test]
    fn bodies_and_states_are_json(params in params()) {
        let document = Document::from_text(params.to_string()).unwrap();
        for provider in Provider::ALL {
            for options in options(*provider) {
                let Ok(built) = provider::build(*provider, document.root(), &options) else { continue };
                let body: Value = serde_json::from_slice(&built.body).unwrap();
                prop_assert!(!super::shared::history(&body).is_empty());
                prop_assert!(Accumulator::new(&built.state).is_ok(), "{}", built.state);
            }
        }
    }

    #[test]
    fn no_vendor_refuses(mut params in params()) {
        forget(&mut params);
        for vendor in super::shared::vendors() {
            let Ok(built) = super::cases::build(vendor.provider, &params, &vendor.options) else { continue };
            let body: Value = serde_json::from_slice(&built.body).unwrap();
            let judged = (vendor.judge)(&body);
            prop_assert!(judged.is_ok(), "{:?}: {:?}\n{:#}", vendor.provider, judged, body);
        }
    }

    #[test]
    fn no_stream_makes_it_panic(
        which in 0..STREAMS.len(),
        case in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let cases: Vec<Value> = serde_json::from_str(STREAMS[which]).unwrap();
        let case = case.get(&cases);
        let mut bytes = super::cases::sse(&case["events"]);
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let provider = Provider::ALL[which].as_str();
        let mut state = json!({"v": 1, "provider": provider, "model": "m", "stops": ["e"], "names": {"f": "a.b"}});
        for (name, value) in case.get("state").and_then(Value::as_object).into_iter().flatten() {
            state[name] = value.clone();
        }
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let chunked = read(&state.to_string(), cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]));
        prop_assert_eq!(&chunked, &read(&state.to_string(), [&bytes[..]].into_iter()));
        if let Ok((_, result)) = chunked {
            prop_assert!(serde_json::from_str::<Value>(&result).is_ok(), "{}", result);
        }
    }

    #[test]
    fn no_reply_makes_it_panic(reply in any_json(), status in prop::option::of(100..600_u16)) {
        for provider in Provider::ALL {
            let own = json!({"folded": true, "forced": ["id"]});
            let state = json!({"v": 1, "provider": provider.as_str(), "model": "m", "tools": true, "own": own}).to_string();
            if let Ok(result) = provider::parse(reply.to_string().into_bytes(), status, &state) {
                prop_assert!(serde_json::from_str::<Value>(&result).is_ok(), "{}", result);
            }
        }
    }
}

/// Without state, which nobody but a provider writes.
fn forget(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("_meta");
            members.values_mut().for_each(forget);
        }
        Value::Array(items) => items.iter_mut().for_each(forget),
        _ => {}
    }
}

fn read<'b>(state: &str, chunks: impl Iterator<Item = &'b [u8]>) -> Result<(String, String), String> {
    let mut accumulator = Accumulator::new(state).unwrap();
    let mut deltas = String::new();
    for chunk in chunks {
        let new = accumulator.push(chunk).map_err(|error| error.to_string())?;
        deltas += new[1..new.len() - 1].replace("},{", "}{").as_str();
    }
    accumulator.finish().map(|result| (deltas, result)).map_err(|error| error.to_string())
}

/// Words of the APIs in strange places.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let words = [
        "content",
        "choices",
        "message",
        "tool_calls",
        "function",
        "arguments",
        "name",
        "type",
        "text",
        "tool_use",
        "usage",
        "error",
        "finish_reason",
        "stop_reason",
        "input",
        "id",
        "refusal",
        "audio",
        "delta",
        "index",
        "response",
        "result",
        "success",
        "errors",
        "code",
        "finish",
        "output",
        "function_call",
        "output_text",
        "call_id",
        "reasoning",
        "status",
        "item",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "thought",
        "thoughtSignature",
        "inlineData",
        "finishReason",
        "promptFeedback",
    ];
    let word = prop::sample::select(words.to_vec());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Into::into),
        word.clone().prop_map(Into::into),
        ".{0,6}".prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 60, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::vec((word.clone(), inner), 0..5).prop_map(|members| Value::Object(
                members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}
