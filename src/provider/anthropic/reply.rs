//! A reply (`Message`) and an error (`ErrorResponse`).

use crate::error::Error;
use crate::json::{JsonStr, Value};

use super::super::answer::Answer;
use super::super::failure::{Failure, string};
use super::super::usage::places;

pub(super) const PLACES: &str = places! {
    content: "content",
    missing: "the reply has no content",
    reason: "stop_reason",
    model: "model",
    usage: "usage",
    details: "id id stopSequence stop_sequence stopDetails stop_details container container",
    input: "input_tokens",
    output: "output_tokens",
    cached: "cache_read_input_tokens",
    created: "cache_creation_input_tokens",
    inclusive: "",
    ends: "end_turn tool_use\nmax_tokens model_context_window_exceeded\nstop_sequence\nrefusal\n",
};

/// Reads the blocks of a `Message`. Also of one that was put together from a stream, where `input` is still a text.
pub(super) fn read<'r>(content: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    let count = content.items().count();
    for (index, block) in content.items().enumerate() {
        read_block(block, index + 1 == count, answer)?;
    }
    Ok(())
}

fn read_block(block: Value<'_>, last: bool, answer: &mut Answer<'_>) -> Result<(), Error> {
    let kind = block.at("type");
    if let Some(text) = string(block, "text").filter(|_| kind.is_text("text")) {
        answer.text(text);
        if block.at("citations").items().next().is_some() {
            answer.drop_block("citations", None, "MCP has no member for the citations of a text");
        }
        return Ok(());
    }
    if let Some(name) = string(block, "name").filter(|_| kind.is_text("tool_use")) {
        return answer.call(block.at("id"), name, block.at("input"), last);
    }
    // Thoughts, and what the host's own server tools did: only the API can read them, and wants them back.
    answer.opaque("%r", block);
    let kind = kind.as_str().map_or("", JsonStr::raw);
    if !matches!(kind, "thinking" | "redacted_thinking") {
        answer.drop_block(kind, None, "MCP has no such block; it is kept as state of the next one");
    }
    Ok(())
}

/// Reads an `ErrorResponse`, in a body or in a stream.
pub(super) fn failure<'r>(body: Value<'r>, failure: &mut Failure<'r>) -> bool {
    let error = body.at("error");
    failure.read(error, "type", "overloaded_error rate_limit_error api_error timeout_error");
    !error.is_null()
}
