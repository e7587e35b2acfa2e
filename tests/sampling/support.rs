//! What several test modules use.

use mcp_sampling::json::{Document, Value, quote};
use mcp_sampling::revision::Revision;
use mcp_sampling::sampling::{Checks, Finding, Findings, check_request, check_result};

pub const ALL: Checks = Checks { revision: Revision::LATEST, tools: true, context: true, lenient: false };

pub const USER_SAYS_HI: &str = r#"{"role":"user","content":{"type":"text","text":"Hi"}}"#;

pub fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes().to_vec()).unwrap_or_else(|error| panic!("{error}: {}", cut(text)))
}

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}

pub fn request(text: &str, checks: &Checks) -> Findings {
    check_request(parse(text).root(), checks)
}

pub fn result(result: &str, params: &str, checks: &Checks) -> Findings {
    check_result(parse(result).root(), parse(params).root(), checks)
}

/// Rule and place of each error.
pub fn errors(findings: &Findings) -> Vec<(&str, &str)> {
    findings.errors.iter().map(|finding: &Finding| (finding.rule, finding.path.as_str())).collect()
}

/// Params with these messages, as the text of an array.
pub fn params(messages: &str) -> String {
    format!(r#"{{"maxTokens":1,"messages":{messages}}}"#)
}

/// The messages that notes such as `u[T] a[T,U1,U2] u R1` stand for: `T` is text, `U1` a tool use with id 1, `R1` its
/// result; without brackets the content is the block itself.
pub fn history(notes: &str) -> String {
    let mut words = notes.replace('[', " [").replace(", ", ",");
    words.push(' ');
    let words: Vec<_> = words.split_whitespace().collect();
    let messages = words.chunks(2).map(|pair| {
        let role = if pair[0] == "u" { "user" } else { "assistant" };
        format!(r#"{{"role":"{role}","content":{}}}"#, content(pair[1]))
    });
    format!("[{}]", messages.collect::<Vec<_>>().join(","))
}

fn content(notes: &str) -> String {
    match notes.strip_prefix('[').and_then(|notes| notes.strip_suffix(']')) {
        Some("") => "[]".into(),
        Some(list) => format!("[{}]", list.split(',').map(block).collect::<Vec<_>>().join(",")),
        None => block(notes),
    }
}

pub fn block(note: &str) -> String {
    let id = quote(note.get(1..).unwrap());
    match note.chars().next() {
        Some('U') => format!(r#"{{"type":"tool_use","id":{id},"name":"weather","input":{{}}}}"#),
        Some('R') => format!(r#"{{"type":"tool_result","toolUseId":{id},"content":[]}}"#),
        _ => r#"{"type":"text","text":"Hi"}"#.into(),
    }
}

/// Writes a value again from the walk; for a compact text that must be the text.
pub fn walked(value: Value<'_>) -> String {
    use mcp_sampling::json::Kind;
    match value.kind() {
        Kind::Array => format!("[{}]", value.items().map(walked).collect::<Vec<_>>().join(",")),
        Kind::Object => {
            let members = value.members().map(|(key, value)| format!("\"{}\":{}", key.raw(), walked(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        _ => value.raw().to_owned(),
    }
}
