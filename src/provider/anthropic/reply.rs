//! A reply (`Message`) and an error (`ErrorResponse`).

use crate::error::Error;
use crate::json::{JsonStr, Value};

use super::super::answer::{Answer, Call, Closing};
use super::super::end::End;
use super::super::failure::{Failure, invalid_reply, string};
use super::super::state::State;
use super::super::usage::Usage;

/// Reads a `Message`. Also one that was put together from a stream, where `input` is still a text.
pub(super) fn read(reply: Value<'_>, state: &State) -> Result<String, Error> {
    let Some(content) = reply.get("content") else {
        return Err(invalid_reply(state.provider, "invalid_reply", "the reply has no content", false));
    };
    let reason = string(reply, "stop_reason");
    let end = reason.map_or(End::Done, end);
    let mut answer = Answer::new(state, end);
    let count = content.items().count();
    for (index, block) in content.items().enumerate() {
        read_block(block, index + 1 == count, &mut answer)?;
    }
    let usage = Usage::read(
        reply.get("usage"),
        "input_tokens",
        "output_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
    );
    let details = vec![
        ("id", reply.get("id")),
        ("stopSequence", reply.get("stop_sequence")),
        ("stopDetails", reply.get("stop_details")),
        ("container", reply.get("container")),
    ];
    Ok(answer.finish(Closing { end, reason, model: string(reply, "model"), usage, details }))
}

fn read_block(block: Value<'_>, last: bool, answer: &mut Answer<'_>) -> Result<(), Error> {
    let (kind, text, name) = (string(block, "type"), string(block, "text"), string(block, "name"));
    let is = |name: &str| kind.is_some_and(|kind| kind == name);
    match (text, name) {
        (Some(text), _) if is("text") => {
            answer.text(text);
            if block.get("citations").is_some_and(|citations| citations.items().next().is_some()) {
                answer.drop_block("citations", None, "MCP has no member for the citations of a text");
            }
        }
        (_, Some(name)) if is("tool_use") => {
            answer.call(Call { id: string(block, "id"), name, input: block.get("input"), last })?;
        }
        _ => read_other(block, kind, answer),
    }
    Ok(())
}

/// Thoughts, and what the host's own server tools did: only the API can read them, and wants them back.
fn read_other(block: Value<'_>, kind: Option<JsonStr<'_>>, answer: &mut Answer<'_>) {
    answer.opaque(block.raw());
    let kind = kind.map_or("", JsonStr::raw);
    if !matches!(kind, "thinking" | "redacted_thinking") {
        answer.drop_block(kind, None, "MCP has no such block; it is kept as state of the next one");
    }
}

/// The reasons of `StopReason`.
fn end(reason: JsonStr<'_>) -> End {
    match &*reason.decode() {
        "end_turn" | "tool_use" => End::Done,
        "max_tokens" | "model_context_window_exceeded" => End::Length,
        "stop_sequence" => End::StopSequence,
        "refusal" => End::Refused("refusal"),
        _ => End::Other,
    }
}

/// Reads an `ErrorResponse`, in a body or in a stream.
pub(super) fn failure(body: Value<'_>) -> Option<Failure<'_>> {
    let error = body.get("error").filter(|error| !error.is_null())?;
    let kind = string(error, "type");
    let retryable = kind.is_some_and(|kind| {
        matches!(&*kind.decode(), "overloaded_error" | "rate_limit_error" | "api_error" | "timeout_error")
    });
    let message = string(error, "message").or_else(|| error.as_str());
    Some(Failure { kind, message, retryable, ..Failure::default() })
}
