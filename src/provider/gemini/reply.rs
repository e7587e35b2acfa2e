//! A reply (`GenerateContentResponse`) and an error (`google.rpc.Status`).

use crate::error::Error;
use crate::json::{JsonStr, Kind, Value};

use super::super::answer::Answer;
use super::super::end::End;
use super::super::failure::{Failure, error_status, filled, is_among, is_true, string};
use super::super::usage::{at_place, places};

/// Words for what the model did wrong.
const MISTAKES: &str = "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MALFORMED_RESPONSE";

/// The members of a part that is a text and nothing else.
pub(super) const OF_TEXT: &str = "text thought thoughtSignature";

const NO_SIGNATURE: &str = "MISSING_THOUGHT_SIGNATURE";

pub(super) const PLACES: &str = places! {
    content: "candidates/content/parts",
    missing: "",
    reason: "candidates/finishReason",
    model: "modelVersion",
    usage: "usageMetadata",
    details: "id responseId finishMessage candidates/finishMessage promptFeedback promptFeedback \
              continuationToken candidates/continuationToken citationMetadata candidates/citationMetadata \
              groundingMetadata candidates/groundingMetadata",
    input: "promptTokenCount+toolUsePromptTokenCount",
    output: "candidatesTokenCount+thoughtsTokenCount",
    cached: "cachedContentTokenCount",
    created: "",
    inclusive: "yes",
    ends: "STOP\nMAX_TOKENS CONTINUATION\n\n\nSAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY \
           IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION MODEL_ARMOR\n",
};

/// Reads the parts of the first candidate. A prompt that was blocked has none.
pub(super) fn read<'r>(parts: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    let (reply, reason) = (answer.reply, answer.reason);
    let blocked = reply.at("promptFeedback").at("blockReason");
    let is_blocked = blocked.is(Kind::String);
    not_an_error(answer)?;
    if is_blocked && !reason.is(Kind::String) {
        answer.end = End::Filtered;
    } else if reply.at("candidates").items().next().is_none() {
        return Err(answer.invalid("invalid_reply", "the reply has no candidate", false));
    }
    for part in parts.items() {
        read_part(part, answer)?;
    }
    // In a stream that went on, the token of its first part is still there.
    answer.without = match (is_among(reason, "CONTINUATION"), is_blocked) {
        (false, false) => "continuationToken promptFeedback",
        (false, true) => "continuationToken",
        (true, false) => "promptFeedback",
        (true, true) => "",
    };
    answer.reason_or(blocked);
    Ok(())
}

/// Some reasons are errors, which the same request may not meet again.
fn not_an_error(answer: &Answer<'_>) -> Result<(), Error> {
    if is_among(answer.reason, MISTAKES) {
        let mut failure = Failure::new(answer.reply);
        (failure.kind, failure.retryable) = (answer.reason, true);
        failure.message = at_place(answer.reply, "candidates/finishMessage");
        return Err(failure.to_error(answer.state.provider, 0));
    }
    if is_among(answer.reason, NO_SIGNATURE) {
        let message = "a thought signature is missing: the server lost the _meta of its messages";
        return Err(answer.invalid(NO_SIGNATURE, message, false));
    }
    Ok(())
}

fn read_part(part: Value<'_>, answer: &mut Answer<'_>) -> Result<(), Error> {
    const SIGNATURE: &str = "{\"thoughtSignature\":%r}";
    if is_true(part.at("thought")) {
        answer.opaque("%r", part);
        return Ok(());
    }
    let (call, inline) = (part.at("functionCall"), part.at("inlineData"));
    let signature = filled(part, "thoughtSignature").map(JsonStr::value);
    let (mime_type, data, text) = (inline.at("mimeType").text(), string(inline, "data"), filled(part, "text"));
    let kind = match &mime_type {
        _ if data.is_none() => None,
        image if image.starts_with("image") => Some("image"),
        audio => audio.starts_with("audio").then_some("audio"),
    };
    if call.is_missing() && kind.is_none() && text.is_none() {
        // What the host's own server tools did, and what the API may add: only the API can read it, and wants it back.
        for (kind, _) in part.members() {
            if !is_among(kind.value(), OF_TEXT) {
                answer.opaque("%r", part);
                answer.drop_block(kind.raw(), None, "MCP has no such block; it is kept as state of the next one");
                return Ok(());
            }
        }
        // Streams bring the signature of a text after it.
        if let Some(signature) = signature {
            answer.opaque_after(SIGNATURE, signature);
        }
        return Ok(());
    }
    if let Some(signature) = signature {
        answer.opaque(SIGNATURE, signature);
    }
    match (kind, data, text) {
        _ if !call.is_missing() => return read_call(call, answer),
        (Some(kind), Some(data), _) => answer.media(kind, &mime_type, data),
        (_, _, Some(text)) => answer.text(text),
        _ => {}
    }
    Ok(())
}

/// A call comes whole, so that a limit does not cut it.
fn read_call(call: Value<'_>, answer: &mut Answer<'_>) -> Result<(), Error> {
    if !call.at("partialArgs").is_missing() {
        let message = "the arguments of a call came in pieces, which nobody asked for";
        return Err(answer.invalid("unsupported_call", message, false));
    }
    let Some(name) = string(call, "name") else {
        answer.drop_block("functionCall", None, "the call has no name");
        return Ok(());
    };
    answer.call(call.at("id"), name, call.at("args"), false)
}

/// Reads the error in a body or a chunk; in the list of a stream that was not asked for as events.
pub(super) fn failure<'r>(body: Value<'r>, failure: &mut Failure<'r>) -> bool {
    for chunk in body.one_or_items() {
        let error = chunk.at("error");
        if !error.is_null() {
            let passing = "UNAVAILABLE RESOURCE_EXHAUSTED INTERNAL DEADLINE_EXCEEDED ABORTED UNKNOWN";
            failure.read(error, "status", passing);
            failure.status = error_status(error);
            return true;
        }
    }
    false
}
