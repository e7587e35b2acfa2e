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
    (plain, prop::option::of(text())).prop_map(|(mut block, meta)| {
        if let Some(meta) = meta {
            block["_meta"] = json!({"io.github.mcp-sampling/state": {"provider": "anthropic", "family": "claude-opus-5", "items": [{"x": meta}]}});
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
        _ => &[
            r#"{"model":"gpt-4o"}"#,
            r#"{"model":"m","profile":"ollama"}"#,
            r#"{"model":"hermes-3-llama-3.1-8b","profile":"webllm"}"#,
        ],
    };
    let read = |text: &&str| BuildOptions::from_json(Document::from_text((*text).into()).unwrap().root()).unwrap();
    all.iter().map(read).collect()
}

const STREAMS: [&str; 2] = [
    include_str!("../fixtures/provider/anthropic/streams.json"),
    include_str!("../fixtures/provider/openai/streams.json"),
];

proptest! {
    #[test]
    fn bodies_and_states_are_json(params in params()) {
        let document = Document::from_text(params.to_string()).unwrap();
        for provider in Provider::ALL {
            for options in options(*provider) {
                let Ok(built) = provider::build(*provider, document.root(), &options) else { continue };
                let body: Value = serde_json::from_slice(&built.body).unwrap();
                prop_assert!(body["messages"].is_array());
                prop_assert!(Accumulator::new(&built.state).is_ok(), "{}", built.state);
            }
        }
    }

    #[test]
    fn no_stream_makes_it_panic(
        which in 0..2_usize,
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
            let state = json!({"v": 1, "provider": provider.as_str(), "model": "m", "tools": true}).to_string();
            if let Ok(result) = provider::parse(reply.to_string().into_bytes(), status, &state) {
                prop_assert!(serde_json::from_str::<Value>(&result).is_ok(), "{}", result);
            }
        }
    }
}

fn read<'b>(state: &str, chunks: impl Iterator<Item = &'b [u8]>) -> Result<(String, String), String> {
    let mut accumulator = Accumulator::new(state).unwrap();
    let mut deltas = String::new();
    for chunk in chunks {
        for delta in accumulator.push(chunk).map_err(|error| error.to_string())? {
            deltas += &delta.to_json();
        }
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
