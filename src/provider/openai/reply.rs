//! A reply (`ChatCompletion`) and an error, in the forms that servers give them.

use crate::error::Error;
use crate::json::{Kind, Value, concat};

use super::super::Provider;
use super::super::answer::Answer;
use super::super::end::End;
use super::super::failure::{Failure, error_status, filled, inner, invalid_reply, string};
use super::super::options::document;
use super::super::usage::places;

/// The reasons are those of `ChatCompletion.Choice.finish_reason`, and what other servers say for them.
macro_rules! chat_places {
    ($content:expr, $missing:expr, $reason:expr) => {
        places! {
            content: $content,
            missing: $missing,
            reason: $reason,
            model: "model",
            usage: "usage",
            details: "id id serviceTier service_tier",
            input: "prompt_tokens",
            output: "completion_tokens",
            cached: "prompt_tokens_details/cached_tokens",
            created: "prompt_tokens_details/cache_creation_tokens",
            inclusive: "yes",
            ends: "stop tool_calls function_call\nlength model_length max_tokens\n\n\ncontent_filter\n",
        }
    };
}
pub(in super::super) use chat_places;

pub(super) const PLACES: &str =
    chat_places!("choices/message", "the reply has no choice with a message", "choices/finish_reason");

/// Reads the message of the first choice of a `ChatCompletion`.
pub(super) fn read<'r>(message: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    read_message(&Said { message, content: message.at("content"), calls: message.at("tool_calls") }, answer)
}

/// Where a reply has its answer.
pub(in super::super) struct Said<'r> {
    pub(in super::super) message: Value<'r>,
    pub(in super::super) content: Value<'r>,
    pub(in super::super) calls: Value<'r>,
}

/// Reads an answer.
pub(in super::super) fn read_message(said: &Said<'_>, answer: &mut Answer<'_>) -> Result<(), Error> {
    let Said { message, calls, .. } = *said;
    let (state, refusal) = (answer.state, filled(message, "refusal"));
    if refusal.is_some() {
        answer.end = End::Refused;
    }
    let end = answer.end;
    // Rides on the first block, and returns with the message by the name the server reads.
    let reasoning = string(message, "reasoning_content").or_else(|| string(message, "reasoning"));
    if let Some(text) = reasoning.filter(|text| !text.is_empty()) {
        answer.opaque("{\"reasoning_content\":%r}", text.value());
    }
    // With tools the engine answers nothing but calls, and streams their JSON as if it were text.
    if !(state.own_flag("textIsCalls") && (!calls.is_missing() || end != End::Done)) {
        content(said.content, answer);
    } else if calls.is_missing() {
        let reason = if end == End::Length { "maxTokens cut the calls off" } else { "the calls are not complete" };
        answer.drop_block("text", None, reason);
    }
    if let Some(text) = refusal {
        answer.text(text);
    }
    audio(message.at("audio"), answer);
    read_calls(calls, message.at("function_call"), answer)
}

/// A text, or the parts that some servers send in its place.
fn content(content: Value<'_>, answer: &mut Answer<'_>) {
    if let Some(text) = content.as_str() {
        answer.text(text);
    }
    for part in content.items() {
        if let Some(text) = string(part, "text") {
            answer.text(text);
        }
    }
}

fn audio(audio: Value<'_>, answer: &mut Answer<'_>) {
    if let Some(transcript) = filled(audio, "transcript") {
        let message = "MCP has no member for the transcript of a sound";
        answer.drop_block("transcript", Some(transcript.raw()), message);
    }
    if let Some(data) = string(audio, "data") {
        let own = answer.state.own("audio");
        let (format, text) = (if own.is_missing() { "wav" } else { "" }, own.text());
        let mime_type = concat(&["audio/", format, if text == "mp3" { "mpeg" } else { &text }]);
        answer.media("audio", &mime_type, data);
    }
}

fn read_calls(calls: Value<'_>, old: Value<'_>, answer: &mut Answer<'_>) -> Result<(), Error> {
    let count = calls.items().count();
    for (index, call) in calls.items().enumerate() {
        let function = function_in(call, answer.state.provider);
        if function.is_missing() {
            return Err(no_function(answer));
        }
        let extra = call.at("extra_content");
        if !extra.is_null() {
            answer.opaque("{\"extra_content\":%r}", extra);
        }
        function_call(call.at("id"), function, index + 1 == count, answer)?;
    }
    if old.is_null() { Ok(()) } else { function_call(old.nothing(), old, true, answer) }
}

/// The name and the arguments of a call; Cloudflare's models have them in the call itself.
pub(super) fn function_in(call: Value<'_>, provider: Provider) -> Value<'_> {
    let function = call.at("function");
    if provider == Provider::WorkersAi && !function.is(Kind::Object) { call } else { function }
}

/// The error for a call that MCP cannot say.
pub(in super::super) fn no_function(answer: &Answer<'_>) -> Error {
    let message = "the model calls a tool that is no function, which MCP cannot say";
    invalid_reply(answer.state.provider, "unsupported_call", message, false)
}

/// Adds a call: a function with its name and arguments.
pub(in super::super) fn function_call(
    id: Value<'_>,
    function: Value<'_>,
    last: bool,
    answer: &mut Answer<'_>,
) -> Result<(), Error> {
    let Some(name) = string(function, "name") else {
        answer.drop_block("tool_call", None, "the call has no name");
        return Ok(());
    };
    let input = function.at("arguments");
    let is_wrapper = name == "multi_tool_use.parallel" || (name == "parallel" && !answer.state.own_flag("parallel"));
    if is_wrapper && unwrapped(input, answer)? {
        return Ok(());
    }
    answer.call(id, name, input, last)
}

/// Models at times write one call of a tool that nobody offered, around calls of those that were. True if this was one.
fn unwrapped(input: Value<'_>, answer: &mut Answer<'_>) -> Result<bool, Error> {
    let text = document(input.text());
    let uses = text.root().at("tool_uses");
    if !uses.is(Kind::Array) || uses.items().any(|call| string(call, "recipient_name").is_none()) {
        return Ok(false);
    }
    for call in uses.items() {
        let name = inner(call, "recipient_name");
        let token = concat(&["\"", name.strip_prefix("functions.").unwrap_or(name), "\""]);
        let name = document(token);
        if let Some(name) = name.root().as_str() {
            answer.call(call.nothing(), name, call.at("parameters"), false)?;
        }
    }
    Ok(true)
}

/// Reads an error: an object with a message, a bare text, or what FastAPI and older servers send.
pub(in super::super) fn failure<'r>(body: Value<'r>, failure: &mut Failure<'r>) -> bool {
    let mut error = body.at("error");
    if error.is_null() {
        if !body.at("object").is_text("error") {
            let is_detail = body.at("choices").is_missing() && !body.at("detail").is_missing();
            failure.message = if is_detail { body.at("detail") } else { body.nothing() };
            return is_detail;
        }
        error = body;
    }
    let passing = "server_error rate_limit_exceeded rate_limit_error overloaded_error unavailable_error";
    failure.read_param(error, "type code", passing);
    failure.status = error_status(error);
    true
}
