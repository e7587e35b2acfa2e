//! A reply (`GenerateContentResponse`) and an error (`google.rpc.Status`).

use crate::error::Error;
use crate::json::{Document, JsonStr, Kind, Value};

use super::super::answer::{Answer, Closing};
use super::super::end::{End, end_of};
use super::super::failure::{Failure, filled, first, invalid_reply, is_among, status_in, string};
use super::super::sink::Sink;
use super::super::state::State;
use super::super::stream::Assembly;
use super::super::usage::Places;
use super::stream::Chunks;

/// The reasons of `FinishReason` that are no errors.
const ENDS: &[(&str, End)] = &[
    ("STOP", End::Done),
    ("MAX_TOKENS CONTINUATION", End::Length),
    (
        "SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT \
         IMAGE_RECITATION MODEL_ARMOR",
        End::Refused("contentFilter"),
    ),
];

/// Words for what the model did wrong.
const MISTAKES: &str = "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MALFORMED_RESPONSE";

const NO_SIGNATURE: &str = "MISSING_THOUGHT_SIGNATURE";

static PLACES: Places = Places {
    model: "modelVersion",
    usage: "usageMetadata",
    details: "id responseId finishMessage /finishMessage promptFeedback promptFeedback continuationToken /continuationToken \
              citationMetadata /citationMetadata groundingMetadata /groundingMetadata",

    input: "promptTokenCount+toolUsePromptTokenCount",
    output: "candidatesTokenCount+thoughtsTokenCount",
    cached: "cachedContentTokenCount",
    created: "",
    inclusive: true,
};

/// Reads a reply; a list of chunks too, which is a stream that was not asked for as events.
pub(super) fn read(reply: Value<'_>, state: &State) -> Result<String, Error> {
    if reply.kind() != Kind::Array {
        return read_one(reply, state);
    }
    let (mut chunks, mut sink) = (Chunks::default(), Sink::new(State::from_json(state.text())?));
    for chunk in reply.items() {
        chunks.event(chunk, &mut sink);
    }
    let whole = Document::or_null(&chunks.reply());
    read_one(whole.root(), state)
}

/// Reads the first candidate. A prompt that was blocked has none.
fn read_one(reply: Value<'_>, state: &State) -> Result<String, Error> {
    let candidate = first(reply.at("candidates"));
    let blocked = string(reply.at("promptFeedback"), "blockReason");
    let reason = string(candidate, "finishReason");
    let end = match (reason, blocked) {
        (None, Some(_)) => End::Refused("contentFilter"),
        (None, None) if candidate.is_missing() => {
            return Err(invalid_reply(state.provider, "invalid_reply", "the reply has no candidate", false));
        }
        _ => {
            not_an_error(reason, candidate, state)?;
            end_of(reason, ENDS)
        }
    };
    let mut answer = Answer::new(state, end);
    for part in candidate.at("content").at("parts").items() {
        read_part(part, &mut answer)?;
    }
    // In a stream that went on, the token of its first part is still there.
    let token = if is_among(reason, "CONTINUATION") { "" } else { "continuationToken" };
    let feedback = if blocked.is_some() { "" } else { "promptFeedback" };
    let without = [token, feedback];
    let reason = reason.or(blocked);
    Ok(answer.finish(&Closing { end, reason, reply, choice: candidate, places: &PLACES, without }))
}

/// Some reasons are errors, which the same request may not meet again.
fn not_an_error(reason: Option<JsonStr<'_>>, candidate: Value<'_>, state: &State) -> Result<(), Error> {
    if is_among(reason, MISTAKES) {
        let message = string(candidate, "finishMessage");
        let failure = Failure { kind: reason, message, retryable: true, ..Failure::default() };
        return Err(failure.into_error(state.provider, None));
    }
    if is_among(reason, NO_SIGNATURE) {
        let message = "a thought signature is missing: the server lost the _meta of its messages";
        return Err(invalid_reply(state.provider, NO_SIGNATURE, message, false));
    }
    Ok(())
}

fn read_part(part: Value<'_>, answer: &mut Answer<'_>) -> Result<(), Error> {
    const SIGNATURE: &str = "{\"thoughtSignature\":\"%r\"}";
    if part.at("thought").raw() == "true" {
        answer.opaque("%r", part.raw());
        return Ok(());
    }
    let signature = filled(part, "thoughtSignature").map_or("", JsonStr::raw);
    let (call, media, text) = (part.at("functionCall"), media(part.at("inlineData")), filled(part, "text"));
    let is_ours = !call.is_missing() || media.is_some() || text.is_some();
    if !is_ours {
        // Streams bring the signature of a text after it.
        let is_empty = part.members().all(|(name, _)| name == "thoughtSignature" || name == "text");
        if !signature.is_empty() && is_empty {
            answer.opaque_after(SIGNATURE, signature);
        } else {
            read_other(part, answer);
        }
        return Ok(());
    }
    if !signature.is_empty() {
        answer.opaque(SIGNATURE, signature);
    }
    if !call.is_missing() {
        return read_call(call, answer);
    }
    match (media, text) {
        (Some((kind, mime_type, data)), _) => answer.media(kind, &mime_type.decode(), data),
        (None, Some(text)) => answer.text(text),
        _ => {}
    }
    Ok(())
}

/// A call comes whole, so that a limit does not cut it.
fn read_call(call: Value<'_>, answer: &mut Answer<'_>) -> Result<(), Error> {
    if !call.at("partialArgs").is_missing() {
        let message = "the arguments of a call came in pieces, which nobody asked for";
        return Err(invalid_reply(answer.state.provider, "unsupported_call", message, false));
    }
    let Some(name) = string(call, "name") else {
        answer.drop_block("functionCall", None, "the call has no name");
        return Ok(());
    };
    answer.call(string(call, "id"), name, call.at("args"), false)
}

/// The bytes of a part, if MCP has a block for them.
fn media(inline: Value<'_>) -> Option<(&'static str, JsonStr<'_>, JsonStr<'_>)> {
    let (mime_type, data) = (string(inline, "mimeType")?, string(inline, "data")?);
    let kind = ["image", "audio"].into_iter().find(|kind| mime_type.decode().starts_with(*kind))?;
    Some((kind, mime_type, data))
}

/// What the host's own server tools did, and what the API may add: only the API can read it, and wants it back.
fn read_other(part: Value<'_>, answer: &mut Answer<'_>) {
    for (kind, _) in part.members() {
        if !is_among(Some(kind), "text thought thoughtSignature") {
            answer.opaque("%r", part.raw());
            answer.drop_block(kind.raw(), None, "MCP has no such block; it is kept as state of the next one");
            return;
        }
    }
}

/// Reads the error in a body or a chunk; in the list of a stream that was not asked for as events.
pub(super) fn failure(body: Value<'_>) -> Option<Failure<'_>> {
    let chunks = body.one_or_items();
    for chunk in chunks {
        let error = chunk.at("error");
        if !error.is_null() {
            let passing = "UNAVAILABLE RESOURCE_EXHAUSTED INTERNAL DEADLINE_EXCEEDED ABORTED UNKNOWN";
            let mut failure = Failure::of(error, string(error, "status"), passing);
            failure.status = status_in(error.at("code")).filter(|code| (400..600).contains(code));
            return Some(failure);
        }
    }
    None
}
