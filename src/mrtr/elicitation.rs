//! `elicitation/create`: what may be asked, and whether an answer fits. Specification: client/elicitation.

mod schema;

use super::{Ask, InputMethod, broken, push_members};
use crate::json::{Kind, Path, Value, push_key};
use crate::lines;
use crate::sampling::Findings;

/// How the user is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A form made from a flat schema. A request without `mode` means this one.
    Form,
    /// A page at a URL, out of the client's sight.
    Url,
}

/// The mode of a request, if it is one of the two.
pub fn mode(params: Value<'_>) -> Option<Mode> {
    let mode = params.at("mode");
    if mode.is_missing() || mode.is_text("form") {
        return Some(Mode::Form);
    }
    mode.is_text("url").then_some(Mode::Url)
}

/// Checks an elicitation request: its mode, its message, and the schema or the URL that the mode needs.
pub fn check_request(params: Value<'_>, findings: &mut Findings) {
    check_text(params, "elicitation-message\nmessage\nexpected a string", findings);
    match mode(params) {
        None => broken(findings, &Path::Root, "elicitation-mode\nmode\nexpected form or url"),
        Some(Mode::Url) => check_text(params, "elicitation-url\nurl\nexpected a string", findings),
        Some(Mode::Form) => schema::check(params.at(SCHEMA), findings),
    }
}

fn check_text(params: Value<'_>, what: &'static str, findings: &mut Findings) {
    if !params.at(lines::at(what, 1)).is(Kind::String) {
        broken(findings, &Path::Root, what);
    }
}

/// Checks an `ElicitResult` against the request it answers: the action, and for an accepted form each field against
/// its schema.
pub fn check_result(result: Value<'_>, params: Value<'_>, findings: &mut Findings) {
    let content = result.at("content");
    let action = lines::place_in("accept\ndecline\ncancel\n", result.at("action"));
    if action == lines::NOWHERE {
        broken(findings, &Path::Root, "elicitation-action\naction\nexpected accept, decline or cancel");
    } else if accepts_form(result, params) {
        schema::check_content(content, params.at(SCHEMA), findings);
    } else if !content.is_missing() {
        let what = "elicitation-content\ncontent\nexpected no content: only an accepted form has one";
        broken(findings, &Path::Root, what);
    }
}

/// Whether this is the answer of a person who said no, or nothing.
pub fn declines(ask: &Ask, answer: Value<'_>) -> bool {
    ask.method == InputMethod::Elicit && !accepts(answer)
}

/// The answer with the defaults of the schema put in for the fields that an accepted form leaves out; nothing if there
/// is nothing to put in.
pub fn fill_defaults(result: Value<'_>, params: Value<'_>) -> Option<String> {
    let content = result.at("content");
    if !content.is_missing_or(Kind::Object) || !accepts_form(result, params) {
        return None;
    }
    let mut out = String::from("{");
    push_members(&mut out, result, &["content"]);
    push_key(&mut out, "content");
    out.push_str("{");
    push_members(&mut out, content, &[]);
    let before = out.len();
    schema::push_defaults(&mut out, content, params.at(SCHEMA));
    let filled = out.len() > before;
    out.push_str("}}");
    filled.then_some(out)
}

const SCHEMA: &str = "requestedSchema";

fn accepts(result: Value<'_>) -> bool {
    result.at("action").is_text("accept")
}

fn accepts_form(result: Value<'_>, params: Value<'_>) -> bool {
    accepts(result) && mode(params) == Some(Mode::Form)
}
