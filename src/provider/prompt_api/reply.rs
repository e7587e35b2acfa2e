//! What the page got from its session, and an error that it caught instead.

use crate::error::Error;
use crate::json::{JsonStr, Value};

use super::super::answer::Answer;
use super::super::end::End;
use super::super::failure::{Failure, is_among, string};
use super::super::usage::Places;
use super::unfold::{Form, Unfold};

/// The error of an answer that the browser keeps back; no failure, but an answer that was filtered.
const FILTERED: &str = "NotReadableError";

pub(super) static PLACES: Places = Places {
    content: "text",
    missing: "",
    reason: "finish",
    ends: "stop\nmaxTokens\n",
    model: "model",
    usage: "usage",
    details: "stopDetails error",
    input: "input_tokens",
    output: "output_tokens",
    cached: "",
    created: "",
    inclusive: false,
};

/// Reads a whole answer: `text`, `finish`, `usage` and `model`.
pub(super) fn read<'r>(text: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    let filtered = string(answer.reply.at("error"), "name");
    if filtered.is_some() {
        (answer.reason, answer.end) = (filtered, End::Filtered);
    }
    match text.as_str() {
        Some(text) if answer.state.own_flag("folded") => return unfold(text, answer),
        Some(text) => answer.text(text),
        None if filtered.is_none() => return Err(answer.invalid("invalid_reply", "the reply has no text", false)),
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
            (None, Some(name)) => answer.call(None, name, found.at("arguments"), false)?,
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
    let rest = rest.strip_prefix("\"")?;
    let name = rest.get(..rest.bytes().position(|byte| byte == b'"')?)?;
    (!name.as_bytes().contains(&b'\\')).then_some(name)
}

/// Reads the `DOMException` that the page caught.
pub(super) fn failure<'r>(reply: Value<'r>, failure: &mut Failure<'r>) -> bool {
    let error = reply.at("error");
    let kind = string(error, "name");
    if error.is_null() || is_among(kind, FILTERED) {
        return false;
    }
    // The model did not keep the constraint; the download failed; the rest may be anything.
    failure.read(error, kind, "SyntaxError NetworkError OperationError UnknownError");
    true
}
