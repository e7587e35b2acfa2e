//! What the page got from its session, and an error that it caught instead.

use crate::error::{Error, before};
use crate::json::{JsonStr, Kind, Value};

use super::super::answer::Answer;
use super::super::end::End;
use super::super::failure::{Failure, string};
use super::super::usage::places;
use super::unfold::{Form, Unfold};

/// The error of an answer that the browser keeps back; no failure, but an answer that was filtered.
const FILTERED: &str = "NotReadableError";

pub(super) const PLACES: &str = places! {
    content: "text",
    missing: "",
    reason: "finish",
    model: "model",
    usage: "usage",
    details: "stopDetails error",
    input: "input_tokens",
    output: "output_tokens",
    cached: "",
    created: "",
    inclusive: "",
    ends: "stop\nmaxTokens\n",
};

/// Reads a whole answer: `text`, `finish`, `usage` and `model`.
pub(super) fn read<'r>(text: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    let filtered = answer.reply.at("error").at("name");
    let is_filtered = filtered.is(Kind::String);
    if is_filtered {
        (answer.reason, answer.end) = (filtered, End::Filtered);
    }
    match text.as_str() {
        Some(text) if answer.state.own_flag("folded") => return unfold(text, answer),
        Some(text) => answer.text(text),
        None if !is_filtered => return Err(answer.invalid("invalid_reply", "the reply has no text", false)),
        None => {}
    }
    Ok(())
}

fn unfold(text: JsonStr<'_>, answer: &mut Answer<'_>) -> Result<(), Error> {
    let (end, mut unfold) = (answer.end, const { Unfold::EMPTY });
    let found = unfold.push(&text.decode());
    if !unfold.is_known {
        match end == End::Length && unfold.depth > 0 {
            true => answer.drop_block("text", None, "maxTokens cut the answer off"),
            false => answer.text(text),
        }
        return Ok(());
    }
    for found in &found {
        let found = found.root();
        match (found.as_str(), string(found, "name")) {
            (Some(text), _) => answer.text(text),
            (None, Some(name)) => answer.call(found.nothing(), name, found.at("arguments"), false)?,
            (None, None) => answer.drop_block("tool_call", None, "the call has no name"),
        }
    }
    if unfold.form == Form::Extra {
        answer.drop_block("text", None, "it follows the JSON of the answer");
    }
    if unfold.call.is_empty() {
        return Ok(());
    }
    if end == End::Done {
        return Err(answer.invalid("invalid_tool_input", "the model did not end its call of a tool", true));
    }
    let reason = if end == End::Length { "maxTokens cut the call off" } else { "the call is not complete" };
    answer.drop_block("tool_use", name_in(&unfold.call), reason);
    Ok(())
}

/// The name in a call of which the end is missing.
fn name_in(cut: &str) -> Option<&str> {
    const NAME: &str = "\"name\"";
    let mut rest = cut.get(super::super::body::find(cut, NAME)? + NAME.len()..)?;
    while let [b' ' | b':' | b'\n', ..] = rest.as_bytes() {
        rest = rest.get(1..)?;
    }
    let [b'"', ..] = rest.as_bytes() else { return None };
    let rest = rest.get(1..)?;
    let name = before(rest, "\"\\");
    if let Some(b'"') = rest.as_bytes().get(name.len()) { Some(name) } else { None }
}

/// Reads the `DOMException` that the page caught.
pub(super) fn failure<'r>(reply: Value<'r>, failure: &mut Failure<'r>) -> bool {
    let error = reply.at("error");
    if error.is_null() || error.at("name").is_text(FILTERED) {
        return false;
    }
    // The model did not keep the constraint; the download failed; the rest may be anything.
    failure.read(error, "name", "SyntaxError NetworkError OperationError UnknownError");
    true
}
