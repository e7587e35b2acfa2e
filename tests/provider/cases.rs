//! Runs the tables of fixtures.
//!
//! `shared.json`: requests that every provider has in its table. `requests.json`: `{name, options, params, body, warnings}` or `error` in place of the last two; `params` lacks
//! `maxTokens` (100) and `messages` (a "Hi") if they do not matter. `replies.json`: `{name, state?, status?, reply, result}`
//! or `error`. `streams.json`: `{name, state?, events, deltas, result}` or `error`; an event is its data, or a text that
//! is sent as it is. `UPDATE=1 cargo test` fills in what is expected, to be read before it is committed.

use mcp_sampling::error::Error;
use mcp_sampling::json::Document;
use mcp_sampling::provider::{self, Accumulator, BuildOptions, Built, Provider};
use serde_json::{Map, Value, json};

/// What a provider brings to the tables.
pub(crate) struct Suite {
    pub(crate) provider: Provider,
    pub(crate) folder: &'static str,
    pub(crate) default_model: &'static str,
    /// Judges a body as the vendor does.
    pub(crate) judge: fn(&Value) -> Result<(), String>,
}

pub(crate) fn document(value: &Value) -> Document {
    Document::from_text(value.to_string()).unwrap()
}

pub(crate) fn build(provider: Provider, params: &Value, options: &Value) -> Result<Built, Error> {
    let options = BuildOptions::from_json(document(options).root())?;
    provider::build(provider, document(params).root(), &options)
}

pub(crate) fn json_of(text: impl AsRef<[u8]>) -> Value {
    serde_json::from_slice(text.as_ref()).unwrap()
}

pub(crate) fn with_defaults(mut params: Value) -> Value {
    let object = params.as_object_mut().unwrap();
    object.entry("maxTokens").or_insert_with(|| json!(100));
    let hello = || json!([{"role": "user", "content": {"type": "text", "text": "Hi"}}]);
    object.entry("messages").or_insert_with(hello);
    params
}

fn error_of(error: &Error) -> Value {
    let mut out = Map::new();
    out.insert("code".into(), error.code().into());
    let data: Value = serde_json::from_str(error.data()).unwrap_or_default();
    for name in ["type", "status", "retryable", "path", "message", "param", "option", "rule"] {
        out.extend(data.get(name).filter(|value| !value.is_null()).map(|value| (name.to_owned(), value.clone())));
    }
    if let Some(first) = data.pointer("/findings/errors/0") {
        out.insert("rule".into(), first["rule"].clone());
        out.insert("path".into(), first["path"].clone());
    }
    out.into()
}

fn warnings_of(built: &Built) -> Value {
    built.warnings.iter().map(|warning| json!([warning.path, warning.fate.as_str()])).collect()
}

impl Suite {
    pub(crate) fn requests(&self, table: &str) {
        self.run("requests", table, |suite, case| {
            let params = with_defaults(case["params"].clone());
            let mut options = case.get("options").cloned().unwrap_or_else(|| json!({}));
            options.as_object_mut().unwrap().entry("model").or_insert_with(|| suite.default_model.into());
            match build(suite.provider, &params, &options) {
                Ok(built) => suite.built(&built),
                Err(error) => json!({"error": error_of(&error)}),
            }
        });
    }

    fn built(&self, built: &Built) -> Value {
        let body = json_of(&built.body);
        if let Err(reason) = (self.judge)(&body) {
            panic!("the vendor would refuse: {reason}\n{body:#}");
        }
        let mut out = json!({"body": body, "warnings": warnings_of(built)});
        let state: Value = json_of(&built.state);
        for name in ["stops", "names"] {
            if state[name].as_array().is_some_and(|list| !list.is_empty())
                || state[name].as_object().is_some_and(|map| !map.is_empty())
            {
                out[name] = state[name].clone();
            }
        }
        if state["required"] == true {
            out["required"] = true.into();
        }
        out
    }

    fn state(&self, case: &Value) -> String {
        let mut state = json!({"v": 1, "provider": self.provider.as_str(), "model": self.default_model, "turn": 1});
        for (name, value) in case.get("state").and_then(Value::as_object).into_iter().flatten() {
            state[name] = value.clone();
        }
        state.to_string()
    }

    pub(crate) fn replies(&self, table: &str) {
        self.run("replies", table, |suite, case| {
            let bytes = match &case["reply"] {
                Value::String(text) => text.clone().into_bytes(),
                value => value.to_string().into_bytes(),
            };
            let status = case.get("status").and_then(Value::as_u64).map(|status| status as u16);
            match provider::parse(bytes, status, &suite.state(case)) {
                Ok(result) => json!({"result": suite.result(&result, case)}),
                Err(error) => json!({"error": error_of(&error)}),
            }
        });
    }

    fn result(&self, result: &str, _case: &Value) -> Value {
        json_of(result)
    }

    /// Each stream whole, at every two-way split, and byte by byte: always the same deltas and the same result.
    pub(crate) fn streams(&self, table: &str) {
        self.run("streams", table, |suite, case| {
            let bytes = sse(&case["events"]);
            let whole = suite.accumulate(case, &[&bytes]);
            for at in 0..=bytes.len() {
                let (left, right) = bytes.split_at(at);
                assert_eq!(suite.accumulate(case, &[left, right]), whole, "split at {at}");
            }
            let single: Vec<_> = bytes.chunks(1).collect();
            assert_eq!(suite.accumulate(case, &single), whole, "byte by byte");
            whole
        });
    }

    fn accumulate(&self, case: &Value, chunks: &[&[u8]]) -> Value {
        let mut accumulator = Accumulator::new(&self.state(case)).unwrap();
        let mut deltas = Vec::new();
        for chunk in chunks {
            match accumulator.push(chunk) {
                Ok(more) => deltas.extend(json_of(more).as_array().unwrap().clone()),
                Err(error) => return json!({"error": error_of(&error)}),
            }
        }
        match accumulator.finish() {
            Ok(result) => json!({"deltas": deltas, "result": json_of(result)}),
            Err(error) => json!({"error": error_of(&error)}),
        }
    }

    /// Every provider has the shared requests in its table, each with its own outcome.
    fn take_shared(&self, cases: &mut Vec<Value>, update: bool) {
        let shared: Vec<Value> = serde_json::from_str(include_str!("../fixtures/provider/shared.json")).unwrap();
        for given in shared {
            match cases.iter_mut().find(|case| case["name"] == given["name"]) {
                Some(case) => {
                    let same = case["params"] == given["params"] && case.get("options") == given.get("options");
                    assert!(same, "{}: {} differs from shared.json", self.folder, given["name"]);
                }
                None if update => cases.push(given),
                None => panic!("{} lacks the shared case {}", self.folder, given["name"]),
            }
        }
    }

    fn run(&self, name: &str, table: &str, outcome: impl Fn(&Self, &Value) -> Value) {
        let mut cases: Vec<Value> = serde_json::from_str(table).unwrap();
        let update = cfg!(not(target_arch = "wasm32")) && std::env::var_os("UPDATE").is_some();
        if name == "requests" {
            self.take_shared(&mut cases, update);
        }
        for case in &mut cases {
            let found = outcome(self, case);
            let given = ["name", "note", "options", "params", "state", "status", "reply", "events"];
            let mut expected = case.clone();
            expected.as_object_mut().unwrap().retain(|name, _| !given.contains(&name.as_str()));
            if update {
                case.as_object_mut().unwrap().retain(|name, _| given.contains(&name.as_str()));
                case.as_object_mut().unwrap().extend(found.as_object().unwrap().clone());
            } else {
                assert_eq!(found, expected, "{}: {}\nfound {found:#}", self.folder, case["name"]);
            }
        }
        if update {
            let path = format!("{}/tests/fixtures/provider/{}/{name}.json", env!("CARGO_MANIFEST_DIR"), self.folder);
            std::fs::write(path, pretty(&cases)).unwrap();
        }
    }
}

/// One case a paragraph, one of its members a line: readable, and short in a diff.
fn pretty(cases: &[Value]) -> String {
    let order = ["name", "note", "options", "params", "state", "status", "reply", "events"];
    let one = |case: &Value| {
        let object = case.as_object().unwrap();
        let rest = object.keys().map(String::as_str).filter(|key| !order.contains(key));
        let keys = order.iter().copied().filter(|key| object.contains_key(*key)).chain(rest);
        let lines: Vec<_> = keys.map(|key| format!("    {}: {}", json!(key), case[key])).collect();
        format!("  {{\n{}\n  }}", lines.join(",\n"))
    };
    format!("[\n{}\n]\n", cases.iter().map(one).collect::<Vec<_>>().join(",\n"))
}

/// Events as bytes: an object with its `type` as the event's name, if it has one; a text as it stands.
pub(crate) fn sse(events: &Value) -> Vec<u8> {
    let mut out = String::new();
    for event in events.as_array().unwrap() {
        match event {
            Value::String(text) => out += text,
            event => {
                if let Some(name) = event["type"].as_str() {
                    out += &format!("event: {name}\n");
                }
                out += &format!("data: {event}\n\n");
            }
        }
    }
    out.into_bytes()
}

/// Fails on a key that the vendor does not know.
pub(crate) fn only(value: &Value, keys: &str, place: &str) -> Result<(), String> {
    let object = value.as_object().ok_or_else(|| format!("{place} is no object"))?;
    match object.keys().find(|key| !keys.split(' ').any(|known| known == key.as_str())) {
        Some(key) => Err(format!("{place}: extra key {key}")),
        None => Ok(()),
    }
}

pub(crate) fn need(fine: bool, what: &str) -> Result<(), String> {
    if fine { Ok(()) } else { Err(what.to_owned()) }
}
