//! A reply (`ChatCompletion`) and an error, in the forms that servers give them.

use crate::error::Error;
use crate::json::{Document, JsonStr, Kind, Number, Value};

use super::super::answer::{Answer, Call, Closing};
use super::super::end::End;
use super::super::failure::{Failure, invalid_reply, string};
use super::super::state::State;
use super::super::usage::Usage;

/// What `build` wrote down for the reader.
#[derive(Debug, Default)]
pub(in super::super) struct Own {
    audio: Option<String>,
    parallel: bool,
    /// With tools the engine answers nothing but calls, and streams their JSON as if it were text.
    pub(super) text_is_calls: bool,
    /// Text is not shown while it comes, as it may turn out to be calls.
    pub(super) quiet: bool,
}

impl Own {
    pub(in super::super) fn read(state: &State) -> Self {
        let Some(document) = state.own.as_ref().and_then(|own| Document::from_text(own.clone()).ok()) else {
            return Self::default();
        };
        let flag = |name: &str| document.root().get(name).and_then(Value::as_bool).unwrap_or(false);
        let audio = string(document.root(), "audio").map(|format| format.decode().into_owned());
        let text_is_calls = flag("textIsCalls");
        Self { audio, parallel: flag("parallel"), text_is_calls, quiet: text_is_calls || flag("quiet") }
    }
}

/// Reads the first choice of a `ChatCompletion`.
pub(in super::super) fn read(reply: Value<'_>, state: &State) -> Result<String, Error> {
    let choice = reply.get("choices").and_then(|choices| choices.items().next());
    let Some((choice, message)) = choice.and_then(|choice| Some((choice, choice.get("message")?))) else {
        return Err(invalid_reply(state.provider, "invalid_reply", "the reply has no choice with a message", false));
    };
    let own = Own::read(state);
    let reason = string(choice, "finish_reason");
    let refusal = string(message, "refusal").filter(|text| !text.is_empty());
    let end = if refusal.is_some() { End::Refused("refusal") } else { reason.map_or(End::Done, end) };
    let mut answer = Answer::new(state, end);
    reasoning(message, &mut answer);
    match own.text_is_calls && (message.get("tool_calls").is_some() || end != End::Done) {
        false => content(message, &mut answer),
        true if message.get("tool_calls").is_none() => {
            let reason = if end == End::Length { "maxTokens cut the calls off" } else { "the calls are not complete" };
            answer.drop_block("text", None, reason);
        }
        true => {}
    }
    refusal.into_iter().for_each(|text| answer.text(text));
    audio(message, &own, &mut answer);
    calls(message, &own, state, &mut answer)?;
    let usage = Usage::read(
        reply.get("usage"),
        "prompt_tokens",
        "completion_tokens",
        "prompt_tokens_details/cached_tokens",
        "prompt_tokens_details/cache_creation_tokens",
    );
    let details = vec![("id", reply.get("id")), ("serviceTier", reply.get("service_tier"))];
    let model = string(reply, "model");
    Ok(answer.finish(Closing { end, reason, model, usage: usage.without_cached_input(), details }))
}

/// The reasons of `ChatCompletion.Choice.finish_reason`, and what other servers say for them.
fn end(reason: JsonStr<'_>) -> End {
    match &*reason.decode() {
        "stop" | "tool_calls" | "function_call" => End::Done,
        "length" | "model_length" | "max_tokens" => End::Length,
        "content_filter" => End::Refused("contentFilter"),
        _ => End::Other,
    }
}

/// Rides on the first block, and returns with the message by the name the server reads.
fn reasoning(message: Value<'_>, answer: &mut Answer<'_>) {
    let found = string(message, "reasoning_content").or_else(|| string(message, "reasoning"));
    if let Some(text) = found.filter(|text| !text.is_empty()) {
        answer.opaque(["{\"reasoning_content\":\"", text.raw(), "\"}"].concat());
    }
}

/// A text, or the parts that some servers send in its place.
fn content(message: Value<'_>, answer: &mut Answer<'_>) {
    let Some(content) = message.get("content") else { return };
    match content.as_str() {
        Some(text) => answer.text(text),
        None => content.items().filter_map(|part| string(part, "text")).for_each(|text| answer.text(text)),
    }
}

fn audio(message: Value<'_>, own: &Own, answer: &mut Answer<'_>) {
    let Some(audio) = message.get("audio") else { return };
    if let Some(transcript) = string(audio, "transcript").filter(|text| !text.is_empty()) {
        answer.drop_block("transcript", Some(transcript.raw()), "MCP has no member for the transcript of a sound");
    }
    let format = own.audio.as_deref().unwrap_or("wav");
    let mime_type = if format == "mp3" { "audio/mpeg".to_owned() } else { ["audio/", format].concat() };
    if let Some(data) = string(audio, "data") {
        answer.media("audio", &mime_type, data);
    }
}

fn calls(message: Value<'_>, own: &Own, state: &State, answer: &mut Answer<'_>) -> Result<(), Error> {
    let calls = message.get("tool_calls").into_iter().flat_map(Value::items);
    let count = calls.clone().count();
    for (index, call) in calls.enumerate() {
        let last = index + 1 == count;
        let Some(function) = call.get("function") else {
            let message = "the model calls a tool that is no function, which MCP cannot say";
            return Err(invalid_reply(state.provider, "unsupported_call", message, false));
        };
        if let Some(extra) = call.get("extra_content").filter(|extra| !extra.is_null()) {
            answer.opaque(["{\"extra_content\":", extra.raw(), "}"].concat());
        }
        function_call(string(call, "id"), function, last, own, answer)?;
    }
    match message.get("function_call").filter(|call| !call.is_null()) {
        Some(old) => function_call(None, old, true, own, answer),
        None => Ok(()),
    }
}

/// Adds a call: a function with its name and arguments.
pub(in super::super) fn function_call(
    id: Option<JsonStr<'_>>,
    function: Value<'_>,
    last: bool,
    own: &Own,
    answer: &mut Answer<'_>,
) -> Result<(), Error> {
    let Some(name) = string(function, "name") else {
        answer.drop_block("tool_call", None, "the call has no name");
        return Ok(());
    };
    let input = function.get("arguments");
    let is_wrapper = name == "multi_tool_use.parallel" || (name == "parallel" && !own.parallel);
    if is_wrapper && unwrapped(input, answer)? {
        return Ok(());
    }
    answer.call(Call { id, name, input, last })
}

/// Models at times write one call of a tool that nobody offered, around calls of those that were. True if this was one.
fn unwrapped(input: Option<Value<'_>>, answer: &mut Answer<'_>) -> Result<bool, Error> {
    let text = input.and_then(Value::as_str).map_or_else(String::new, |text| text.decode().into_owned());
    let Ok(document) = Document::from_text(text) else { return Ok(false) };
    let uses = document.root().get("tool_uses").filter(|uses| uses.kind() == Kind::Array);
    let inner = |call: Value<'_>| string(call, "recipient_name").is_some();
    let Some(uses) = uses.filter(|uses| uses.items().all(inner)) else { return Ok(false) };
    for call in uses.items() {
        let Some(name) = string(call, "recipient_name") else { continue };
        let token = ["\"", name.raw().strip_prefix("functions.").unwrap_or_else(|| name.raw()), "\""].concat();
        let Ok(name) = Document::from_text(token) else { continue };
        let Some(name) = name.root().as_str() else { continue };
        answer.call(Call { id: None, name, input: call.get("parameters"), last: false })?;
    }
    Ok(true)
}

/// Reads an error: an object with a message, a bare text, or what FastAPI and older servers send.
pub(in super::super) fn failure(body: Value<'_>) -> Option<Failure<'_>> {
    let error = match body.get("error").filter(|error| !error.is_null()) {
        Some(error) => error,
        None if string(body, "object").is_some_and(|object| object == "error") => body,
        None if body.get("choices").is_none() && body.get("detail").is_some() => {
            return Some(Failure { message: string(body, "detail"), ..Failure::default() });
        }
        None => return None,
    };
    let code = error.get("code");
    let kind = string(error, "type").or_else(|| code.and_then(Value::as_str));
    let status =
        code.and_then(Value::as_number).and_then(Number::as_safe_integer).and_then(|code| u16::try_from(code).ok());
    let is = |words: &[&str]| kind.is_some_and(|kind| words.iter().any(|word| kind == *word));
    Some(Failure {
        kind,
        message: string(error, "message").or_else(|| error.as_str()),
        param: string(error, "param"),
        status: status.filter(|status| (400..600).contains(status)),
        retryable: is(&[
            "server_error",
            "rate_limit_exceeded",
            "rate_limit_error",
            "overloaded_error",
            "unavailable_error",
        ]),
        hopeless: is(&["insufficient_quota"]),
        ..Failure::default()
    })
}
