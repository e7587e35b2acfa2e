//! The requests and answers that most tests use.

use mcp_sampling::json::Document;

use super::server::{Says, result};

pub const SAMPLE: &str = r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":9}}"#;
pub const FORM: &str = r#"{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}"#;
pub const URL: &str =
    r#"{"method":"elicitation/create","params":{"mode":"url","message":"Sign in","url":"https://a.example/"}}"#;
pub const ROOTS: &str = r#"{"method":"roots/list"}"#;

pub const SAMPLED: &str =
    r#"{"role":"assistant","content":{"type":"text","text":"Hello"},"model":"m","stopReason":"endTurn"}"#;
pub const FILLED: &str = r#"{"action":"accept","content":{"name":"Ada"}}"#;
pub const LISTED: &str = r#"{"roots":[{"uri":"file:///a"}]}"#;

pub fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap_or_else(|error| panic!("{error}: {:.300}", text))
}

/// A result that asks for these: keys and state are tokens without their quotes, so that a test can spell them.
pub fn asks(requests: &[(&str, &str)], state: Option<&str>) -> Says {
    result(&asks_json(requests, state))
}

pub fn asks_json(requests: &[(&str, &str)], state: Option<&str>) -> String {
    let entries: Vec<_> = requests.iter().map(|(key, request)| format!(r#""{key}":{request}"#)).collect();
    let state = state.map(|state| format!(r#","requestState":"{state}""#)).unwrap_or_default();
    format!(r#"{{"resultType":"input_required","inputRequests":{{{}}}{state}}}"#, entries.join(","))
}

/// A result that asks for nothing but to be asked again.
pub fn waits(state: &str) -> Says {
    result(&format!(r#"{{"resultType":"input_required","requestState":"{state}"}}"#))
}
