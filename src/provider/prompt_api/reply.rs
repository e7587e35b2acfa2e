//! What the page got from its session, and an error that it caught instead.

use crate::error::Error;
use crate::json::{Document, JsonStr, Value, quote};

use super::super::answer::{Answer, Call, Closing};
use super::super::end::End;
use super::super::failure::{Failure, invalid_reply, string};
use super::super::state::State;
use super::super::usage::Usage;
use super::unfold::{Found, Unfold};

/// The error of an answer that the browser keeps back; no failure, but an answer that was filtered.
const FILTERED: &str = "NotReadableError";

/// Reads a whole answer: `text`, `finish`, `usage` and `model`.
pub(super) fn read(reply: Value<'_>, state: &State) -> Result<String, Error> {
    let (text, filtered) = (string(reply, "text"), error_name(reply));
    if text.is_none() && filtered.is_none() {
        return Err(invalid_reply(state.provider, "invalid_reply", "the reply has no text", false));
    }
    let reason = filtered.or_else(|| string(reply, "finish"));
    let end = if filtered.is_some() { End::Refused("contentFilter") } else { reason.map_or(End::Done, end) };
    let mut answer = Answer::new(state, end);
    match text {
        Some(text) if is_folded(state) => unfold(text, end, state, &mut answer)?,
        Some(text) => answer.text(text),
        None => {}
    }
    let usage = Usage::read(reply.get("usage"), "input_tokens", "output_tokens", "", "");
    let details = vec![("stopDetails", reply.get("error"))];
    Ok(answer.finish(Closing { end, reason, model: string(reply, "model"), usage, details }))
}

fn end(finish: JsonStr<'_>) -> End {
    match &*finish.decode() {
        "stop" => End::Done,
        "maxTokens" => End::Length,
        _ => End::Other,
    }
}

/// True if the model was made to write its answer as JSON.
pub(super) fn is_folded(state: &State) -> bool {
    let own = state.own.as_ref().and_then(|own| Document::from_text(own.clone()).ok()).unwrap_or_default();
    own.root().get("folded").and_then(Value::as_bool).unwrap_or(false)
}

/// What [`State::own`] is then.
pub(super) const FOLDED: &str = "{\"folded\":true}";

fn unfold(text: JsonStr<'_>, end: End, state: &State, answer: &mut Answer<'_>) -> Result<(), Error> {
    let mut unfold = Unfold::default();
    let found = unfold.push(&text.decode());
    if !unfold.is_known() {
        match end == End::Length && unfold.is_open() {
            true => answer.drop_block("text", None, "maxTokens cut the answer off"),
            false => answer.text(text),
        }
        return Ok(());
    }
    for found in found {
        match found {
            Found::Text(inner) => with_text(&inner, |text| answer.text(text)),
            Found::Call(json) => call(json, answer)?,
        }
    }
    if unfold.has_extra() {
        answer.drop_block("text", None, "it follows the JSON of the answer");
    }
    let Some(cut) = unfold.cut_call() else { return Ok(()) };
    if end == End::Done {
        return Err(invalid_reply(
            state.provider,
            "invalid_tool_input",
            "the model did not end its call of a tool",
            true,
        ));
    }
    let reason = if end == End::Length { "maxTokens cut the call off" } else { "the call is not complete" };
    answer.drop_block("tool_use", name_in(cut), reason);
    Ok(())
}

fn call(json: String, answer: &mut Answer<'_>) -> Result<(), Error> {
    let document = Document::from_text(json).unwrap_or_default();
    let call = document.root();
    match string(call, "name") {
        Some(name) => answer.call(Call { id: None, name, input: call.get("arguments"), last: false }),
        None => {
            answer.drop_block("tool_call", None, "the call has no name");
            Ok(())
        }
    }
}

/// The name in a call of which the end is missing.
fn name_in(cut: &str) -> Option<&str> {
    let (_, rest) = cut.split_once("\"name\"")?;
    let (name, _) = rest.trim_start_matches([' ', ':', '\n']).strip_prefix('"')?.split_once('"')?;
    (!name.contains('\\')).then_some(name)
}

/// Hands on a text that stands as if between quotes. If it is not what can stand there, it is shown as it is.
pub(super) fn with_text(inner: &str, mut take: impl FnMut(JsonStr<'_>)) {
    let document = Document::from_text(["\"", inner, "\""].concat()).or_else(|_| Document::from_text(quote(inner)));
    let document = document.unwrap_or_default();
    document.root().as_str().into_iter().for_each(&mut take);
}

fn error_name(reply: Value<'_>) -> Option<JsonStr<'_>> {
    reply.get("error").and_then(|error| string(error, "name"))
}

/// Reads the `DOMException` that the page caught.
pub(super) fn failure(reply: Value<'_>) -> Option<Failure<'_>> {
    let error = reply.get("error").filter(|error| !error.is_null())?;
    let kind = string(error, "name");
    if kind.is_some_and(|name| name == FILTERED) {
        return None;
    }
    // The model did not keep the constraint; the download failed; the rest may be anything.
    let may_pass = ["SyntaxError", "NetworkError", "OperationError", "UnknownError"];
    let retryable = kind.is_some_and(|name| may_pass.iter().any(|passing| name == *passing));
    let message = string(error, "message").or_else(|| error.as_str());
    Some(Failure { kind, message, retryable, ..Failure::default() })
}
