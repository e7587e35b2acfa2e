//! `elicitation/create`: what may be asked, and whether an answer fits. Specification: client/elicitation.

mod schema;

use super::{Ask, InputMethod};
use crate::json::{Document, Kind, Path, Value, push_member};
use crate::sampling::{Findings, Level};

/// How the user is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A form made from a flat schema. A request without `mode` means this one.
    Form,
    /// A page at a URL, out of the client's sight.
    Url,
}

/// The mode of a request, if it is one of the two.
pub fn mode(params: Option<Value<'_>>) -> Option<Mode> {
    match params.and_then(|params| params.get("mode")) {
        None => Some(Mode::Form),
        Some(mode) => {
            let mode = mode.as_str()?;
            if mode == "form" { Some(Mode::Form) } else { (mode == "url").then_some(Mode::Url) }
        }
    }
}

/// Checks an elicitation request: its mode, its message, and the schema or the URL that the mode needs.
pub fn check_request(params: Option<Value<'_>>) -> Findings {
    let mut findings = Findings::default();
    let root = Path::Root;
    let text =
        |name: &str| params.and_then(|params| params.get(name)).is_some_and(|value| value.kind() == Kind::String);
    if !text("message") {
        findings.push(Level::Error, "elicitation-message", &root.key("message"), "expected a string");
    }
    match mode(params) {
        None => findings.push(Level::Error, "elicitation-mode", &root.key("mode"), "expected form or url"),
        Some(Mode::Url) if !text("url") => {
            findings.push(Level::Error, "elicitation-url", &root.key("url"), "expected a string");
        }
        Some(Mode::Url) => {}
        Some(Mode::Form) => {
            schema::check(params.and_then(|params| params.get("requestedSchema")), &mut findings);
        }
    }
    findings
}

/// Checks an `ElicitResult` against the request it answers: the action, and for an accepted form each field against
/// its schema.
pub fn check_result(result: Value<'_>, params: Option<Value<'_>>) -> Findings {
    let mut findings = Findings::default();
    let root = Path::Root;
    let action = result.get("action").and_then(Value::as_str);
    let accepted = action.is_some_and(|action| action == "accept");
    let content = result.get("content");
    if !action.is_some_and(|action| accepted || action == "decline" || action == "cancel") {
        findings.push(Level::Error, "elicitation-action", &root.key("action"), "expected accept, decline or cancel");
    } else if accepted && mode(params) == Some(Mode::Form) {
        schema::check_content(content, params.and_then(|params| params.get("requestedSchema")), &mut findings);
    } else if content.is_some() {
        let message = "expected no content: only an accepted form has one";
        findings.push(Level::Error, "elicitation-content", &root.key("content"), message);
    }
    findings
}

/// Whether this is the answer of a person who said no, or nothing.
pub fn declines(ask: &Ask, answer: &str) -> bool {
    let document = (ask.method == InputMethod::Elicit).then(|| Document::from_text(answer.to_owned()).ok()).flatten();
    let action = document.as_ref().and_then(|document| document.root().get("action")?.as_str());
    action.is_some_and(|action| !(action == "accept"))
}

/// The answer with the defaults of the schema put in for the fields that an accepted form leaves out; nothing if there
/// is nothing to put in.
pub fn fill_defaults(result: Value<'_>, params: Option<Value<'_>>) -> Option<String> {
    let accepted = result.get("action").and_then(Value::as_str).is_some_and(|action| action == "accept");
    if !accepted || mode(params) != Some(Mode::Form) {
        return None;
    }
    let content = schema::content_with_defaults(result.get("content"), params?.get("requestedSchema")?)?;
    let mut out = String::from("{");
    for (key, value) in result.members().filter(|(key, _)| !(*key == "content")) {
        push_member(&mut out, key.raw(), value.raw());
    }
    push_member(&mut out, "content", &content);
    out.push('}');
    Some(out)
}
