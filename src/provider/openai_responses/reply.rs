//! A reply (`Response`) and an error, in the places where it has them.

use crate::error::Error;
use crate::json::{JsonStr, Value};

use super::super::Provider;
use super::super::answer::{Answer, Closing};
use super::super::end::End;
use super::super::failure::{Failure, invalid_reply, string};
use super::super::openai::{self, Own, function_call};
use super::super::state::State;
use super::super::usage::Usage;

/// Reads a `Response`. Also one that was put together from a stream that was cancelled, which has no status.
pub(super) fn read(reply: Value<'_>, state: &State) -> Result<String, Error> {
    let Some(output) = reply.get("output") else {
        return Err(invalid_reply(state.provider, "invalid_reply", "the reply has no output", false));
    };
    let status = string(reply, "status");
    if status.is_some_and(|status| matches!(&*status.decode(), "queued" | "in_progress" | "cancelled")) {
        return Err(invalid_reply(state.provider, "incomplete", "the reply is not a finished answer", false));
    }
    let reason = reply.get("incomplete_details").and_then(|details| string(details, "reason"));
    let end = end(output, reason);
    let mut answer = Answer::new(state, end);
    let (own, count) = (Own::read(state), output.items().count());
    for (index, item) in output.items().enumerate() {
        read_item(item, index + 1 == count, &own, end, &mut answer)?;
    }
    let usage = Usage::read(
        reply.get("usage"),
        "input_tokens",
        "output_tokens",
        "input_tokens_details/cached_tokens",
        "input_tokens_details/cache_write_tokens",
    );
    let details = vec![("id", reply.get("id")), ("serviceTier", reply.get("service_tier"))];
    let model = string(reply, "model");
    let closing = Closing { end, reason: reason.or(status), model, usage: usage.without_cached_input(), details };
    Ok(answer.finish(closing))
}

/// A refusal is a part of a message; all else that is no plain end is the reason of an incomplete reply.
fn end(output: Value<'_>, reason: Option<JsonStr<'_>>) -> End {
    let mut parts = output.items().flat_map(|item| item.get("content").into_iter().flat_map(Value::items));
    if parts.any(|part| is_kind(part, "refusal")) {
        return End::Refused("refusal");
    }
    let Some(reason) = reason else { return End::Done };
    match &*reason.decode() {
        "max_output_tokens" | "max_messages" => End::Length,
        "content_filter" => End::Refused("contentFilter"),
        _ => End::Other,
    }
}

fn read_item(item: Value<'_>, last: bool, own: &Own, end: End, answer: &mut Answer<'_>) -> Result<(), Error> {
    let kind = string(item, "type").map_or("", JsonStr::raw);
    match kind {
        "message" => read_message(item, answer),
        "function_call" => {
            let is_cut = is(item, "status", "incomplete");
            if is_cut && end != End::Length {
                let name = string(item, "name").map(JsonStr::raw);
                answer.drop_block("tool_use", name, "the answer was stopped within the call");
                return Ok(());
            }
            return function_call(string(item, "call_id"), item, last || is_cut, own, answer);
        }
        "custom_tool_call" => {
            let message = "the model calls a tool that is no function, which MCP cannot say";
            return Err(invalid_reply(Provider::OpenAiResponses, "unsupported_call", message, false));
        }
        "reasoning" => answer.opaque(item.raw()),
        _ => {
            answer.opaque(item.raw());
            answer.drop_block(kind, None, "MCP has no such block; it is kept as state of the next one");
        }
    }
    Ok(())
}

fn read_message(item: Value<'_>, answer: &mut Answer<'_>) {
    for part in item.get("content").into_iter().flat_map(Value::items) {
        let is_refusal = is_kind(part, "refusal");
        let text = string(part, if is_refusal { "refusal" } else { "text" }).filter(|text| !text.is_empty());
        let Some(text) = text else { continue };
        if let Some(phase) = item.get("phase").filter(|phase| !phase.is_null()) {
            answer.opaque(["{\"phase\":", phase.raw(), "}"].concat());
        }
        answer.text(text);
        if part.get("annotations").is_some_and(|annotations| annotations.items().next().is_some()) {
            answer.drop_block("annotations", None, "MCP has no member for the annotations of a text");
        }
    }
}

fn is_kind(value: Value<'_>, kind: &str) -> bool {
    is(value, "type", kind)
}

fn is(value: Value<'_>, name: &str, word: &str) -> bool {
    string(value, name).is_some_and(|text| text == word)
}

/// Reads the error of a request, of a reply that failed, or of a stream, where it may be the event itself.
pub(super) fn failure(body: Value<'_>) -> Option<Failure<'_>> {
    if let Some(failure) = openai::failure(body) {
        return Some(failure);
    }
    if is_kind(body, "error") {
        let kind = string(body, "code").or_else(|| string(body, "type"));
        let is = |words: &[&str]| kind.is_some_and(|kind| words.iter().any(|word| kind == *word));
        return Some(Failure {
            kind,
            message: string(body, "message"),
            param: string(body, "param"),
            status: None,
            retryable: is(&["server_error", "rate_limit_exceeded"]),
            hopeless: is(&["insufficient_quota"]),
            ..Failure::default()
        });
    }
    is(body, "status", "failed").then(|| Failure { kind: string(body, "status"), ..Failure::default() })
}
