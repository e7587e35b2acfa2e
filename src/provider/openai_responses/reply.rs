//! A reply (`Response`) and an error, in the places where it has them.

use crate::error::Error;
use crate::json::{JsonStr, Value};

use super::super::answer::Answer;
use super::super::end::End;
use super::super::failure::{Failure, filled, inner, is_among, string};
use super::super::openai::{self, function_call, no_function};
use super::super::usage::places;

pub(super) const PLACES: &str = places! {
    content: "output",
    missing: "the reply has no output",
    reason: "incomplete_details/reason",
    model: "model",
    usage: "usage",
    details: "id id serviceTier service_tier",
    input: "input_tokens",
    output: "output_tokens",
    cached: "input_tokens_details/cached_tokens",
    created: "input_tokens_details/cache_write_tokens",
    inclusive: "yes",
    ends: "\nmax_output_tokens max_messages\n\n\ncontent_filter\n",
};

/// Reads the output of a `Response`. Also of one that was put together from a stream that was cancelled, which has no
/// status.
pub(super) fn read<'r>(output: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    let status = answer.reply.at("status");
    if is_among(status, "queued in_progress cancelled") {
        return Err(answer.invalid("incomplete", "the reply is not a finished answer", false));
    }
    // A refusal is a part of a message; all else that is no plain end is the reason of an incomplete reply.
    if output.items().any(has_refusal) {
        answer.end = End::Refused;
    }
    let count = output.items().count();
    for (index, item) in output.items().enumerate() {
        read_item(item, index + 1 == count, answer.end, answer)?;
    }
    answer.reason_or(status);
    Ok(())
}

fn has_refusal(item: Value<'_>) -> bool {
    item.at("content").items().any(|part| part.at("type").is_text("refusal"))
}

fn read_item(item: Value<'_>, last: bool, end: End, answer: &mut Answer<'_>) -> Result<(), Error> {
    let kind = inner(item, "type");
    match kind {
        "message" => read_message(item, answer),
        "function_call" => {
            let is_cut = item.at("status").is_text("incomplete");
            if is_cut && end != End::Length {
                let name = string(item, "name").map(JsonStr::raw);
                answer.drop_block("tool_use", name, "the answer was stopped within the call");
                return Ok(());
            }
            return function_call(item.at("call_id"), item, last || is_cut, answer);
        }
        "custom_tool_call" => return Err(no_function(answer)),
        _ => {
            answer.opaque("%r", item);
            if kind != "reasoning" {
                answer.drop_block(kind, None, "MCP has no such block; it is kept as state of the next one");
            }
        }
    }
    Ok(())
}

fn read_message(item: Value<'_>, answer: &mut Answer<'_>) {
    for part in item.at("content").items() {
        let is_refusal = part.at("type").is_text("refusal");
        let Some(text) = filled(part, if is_refusal { "refusal" } else { "text" }) else { continue };
        let phase = item.at("phase");
        if !phase.is_null() {
            answer.opaque("{\"phase\":%r}", phase);
        }
        answer.text(text);
        if part.at("annotations").items().next().is_some() {
            answer.drop_block("annotations", None, "MCP has no member for the annotations of a text");
        }
    }
}

/// Reads the error of a request, of a reply that failed, or of a stream, where it may be the event itself.
pub(super) fn failure<'r>(body: Value<'r>, failure: &mut Failure<'r>) -> bool {
    if openai::failure(body, failure) {
        return true;
    }
    if body.at("type").is_text("error") {
        failure.read_param(body, "code type", "server_error rate_limit_exceeded");
        return true;
    }
    let status = body.at("status");
    let failed = status.is_text("failed");
    if failed {
        failure.kind = status;
    }
    failed
}
