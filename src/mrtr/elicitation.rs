//! `elicitation/create`: what may be asked, and whether an answer fits. Specification: client/elicitation.

mod schema;

use super::{Ask, InputMethod};
use crate::json::{Path, Value, push_member};
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
    let Some(mode) = params.and_then(|params| params.get("mode")) else { return Some(Mode::Form) };
    one_of(mode, &["form", "url"]).map(|at| if at == 0 { Mode::Form } else { Mode::Url })
}

/// Checks an elicitation request: its mode, its message, and the schema or the URL that the mode needs.
pub fn check_request(params: Option<Value<'_>>) -> Findings {
    let mut findings = Findings::default();
    let mode = mode(params);
    check_text(params, "message", "elicitation-message", &mut findings);
    match mode {
        None => broken(&mut findings, "elicitation-mode", &Path::Root, "mode", "expected form or url"),
        Some(Mode::Url) => check_text(params, "url", "elicitation-url", &mut findings),
        Some(Mode::Form) => schema::check(schema_of(params), &mut findings),
    }
    findings
}

fn check_text(params: Option<Value<'_>>, name: &str, rule: &'static str, findings: &mut Findings) {
    if params.and_then(|params| params.get(name)?.as_str()).is_none() {
        broken(findings, rule, &Path::Root, name, "expected a string");
    }
}

/// Checks an `ElicitResult` against the request it answers: the action, and for an accepted form each field against
/// its schema.
pub fn check_result(result: Value<'_>, params: Option<Value<'_>>) -> Findings {
    let mut findings = Findings::default();
    let content = result.get("content");
    let action = action(result);
    if action.is_none() {
        let message = "expected accept, decline or cancel";
        broken(&mut findings, "elicitation-action", &Path::Root, "action", message);
    } else if action == Some(ACCEPT) && mode(params) == Some(Mode::Form) {
        schema::check_content(content, schema_of(params), &mut findings);
    } else if content.is_some() {
        let message = "expected no content: only an accepted form has one";
        broken(&mut findings, "elicitation-content", &Path::Root, "content", message);
    }
    findings
}

/// Whether this is the answer of a person who said no, or nothing.
pub fn declines(ask: &Ask, answer: Value<'_>) -> bool {
    ask.method == InputMethod::Elicit && action(answer) != Some(ACCEPT)
}

/// The answer with the defaults of the schema put in for the fields that an accepted form leaves out; nothing if there
/// is nothing to put in.
pub fn fill_defaults(result: Value<'_>, params: Option<Value<'_>>) -> Option<String> {
    if action(result) != Some(ACCEPT) || mode(params) != Some(Mode::Form) {
        return None;
    }
    let content = schema::content_with_defaults(result.get("content"), schema_of(params)?)?;
    let mut out = String::from("{");
    for (key, value) in result.members() {
        if !(key == "content") {
            push_member(&mut out, key.raw(), value.raw());
        }
    }
    push_member(&mut out, "content", &content);
    out.push('}');
    Some(out)
}

const ACCEPT: usize = 0;

/// The place of the action among those there are.
fn action(result: Value<'_>) -> Option<usize> {
    one_of(result.get("action")?, &["accept", "decline", "cancel"])
}

fn schema_of(params: Option<Value<'_>>) -> Option<Value<'_>> {
    params?.get("requestedSchema")
}

/// The place of a text among those that are known.
fn one_of(value: Value<'_>, known: &[&str]) -> Option<usize> {
    let text = value.as_str()?;
    known.iter().position(|known| text == *known)
}

fn broken(findings: &mut Findings, rule: &'static str, parent: &Path<'_>, name: &str, message: &'static str) {
    findings.push(Level::Error, rule, &parent.key(name), message);
}
