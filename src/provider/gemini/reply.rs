//! A reply (`GenerateContentResponse`) and an error (`google.rpc.Status`).

use crate::error::Error;
use crate::json::{Document, JsonStr, Kind, Number, Value};

use super::super::answer::{Answer, Call, Closing};
use super::super::end::End;
use super::super::failure::{Failure, invalid_reply, string};
use super::super::state::State;
use super::super::usage::Usage;
use super::stream::Chunks;

/// Words for an answer that was held back.
const FILTERED: &str = "SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY \
                        IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION MODEL_ARMOR";

/// Words for what the model did wrong.
const MISTAKES: &str = "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MALFORMED_RESPONSE";

const NO_SIGNATURE: &str = "MISSING_THOUGHT_SIGNATURE";

/// Reads a reply; a list of chunks too, which is a stream that was not asked for as events.
pub(super) fn read(reply: Value<'_>, state: &State) -> Result<String, Error> {
    if reply.kind() != Kind::Array {
        return read_one(reply, state);
    }
    let mut chunks = Chunks::default();
    reply.items().for_each(|chunk| chunks.add(chunk, None));
    match Document::from_text(chunks.joined()) {
        Ok(whole) => read_one(whole.root(), state),
        Err(_) => Err(no_candidate(state)),
    }
}

/// Reads the first candidate. A prompt that was blocked has none.
fn read_one(reply: Value<'_>, state: &State) -> Result<String, Error> {
    let candidate = reply.get("candidates").and_then(|candidates| candidates.items().next());
    let blocked = reply.get("promptFeedback").and_then(|feedback| string(feedback, "blockReason"));
    let of = |name: &str| candidate.and_then(|candidate| candidate.get(name));
    let reason = of("finishReason").and_then(Value::as_str);
    let end = match (reason, blocked) {
        (Some(reason), _) => end(reason, candidate, state)?,
        (None, Some(_)) => End::Refused("contentFilter"),
        (None, None) if candidate.is_none() => return Err(no_candidate(state)),
        (None, None) => End::Done,
    };
    let mut answer = Answer::new(state, end);
    for part in of("content").and_then(|content| content.get("parts")).into_iter().flat_map(Value::items) {
        read_part(part, state, &mut answer)?;
    }
    let usage = Usage::read(
        reply.get("usageMetadata"),
        "promptTokenCount+toolUsePromptTokenCount",
        "candidatesTokenCount+thoughtsTokenCount",
        "cachedContentTokenCount",
        "",
    );
    // In a stream that went on, the token of its first part is still there.
    let token = of("continuationToken").filter(|_| reason.is_some_and(|reason| reason == "CONTINUATION"));
    let details = vec![
        ("id", reply.get("responseId")),
        ("finishMessage", of("finishMessage")),
        ("promptFeedback", reply.get("promptFeedback").filter(|_| blocked.is_some())),
        ("continuationToken", token),
        ("citationMetadata", of("citationMetadata")),
        ("groundingMetadata", of("groundingMetadata")),
    ];
    let (model, reason) = (string(reply, "modelVersion"), reason.or(blocked));
    Ok(answer.finish(Closing { end, reason, model, usage: usage.without_cached_input(), details }))
}

fn no_candidate(state: &State) -> Error {
    invalid_reply(state.provider, "invalid_reply", "the reply has no candidate", false)
}

/// The reasons of `FinishReason`. Some are errors, which the same request may not meet again.
fn end(reason: JsonStr<'_>, candidate: Option<Value<'_>>, state: &State) -> Result<End, Error> {
    let is_one_of = |words: &str| words.split(' ').any(|word| reason == *word);
    if is_one_of(MISTAKES) {
        let message = candidate.and_then(|candidate| string(candidate, "finishMessage"));
        let failure = Failure { kind: Some(reason), message, retryable: true, ..Failure::default() };
        return Err(failure.into_error(state.provider, None));
    }
    if reason == NO_SIGNATURE {
        let message = "a thought signature is missing: the server lost the _meta of its messages";
        return Err(invalid_reply(state.provider, NO_SIGNATURE, message, false));
    }
    Ok(match &*reason.decode() {
        "STOP" => End::Done,
        "MAX_TOKENS" | "CONTINUATION" => End::Length,
        _ if is_one_of(FILTERED) => End::Refused("contentFilter"),
        _ => End::Other,
    })
}

fn read_part(part: Value<'_>, state: &State, answer: &mut Answer<'_>) -> Result<(), Error> {
    if part.get("thought").and_then(Value::as_bool) == Some(true) {
        answer.opaque(part.raw());
        return Ok(());
    }
    let signature = string(part, "thoughtSignature").filter(|signature| !signature.is_empty());
    let signature = signature.map(|signature| ["{\"thoughtSignature\":\"", signature.raw(), "\"}"].concat());
    if let Some(call) = part.get("functionCall") {
        signature.into_iter().for_each(|signature| answer.opaque(signature));
        return read_call(call, state, answer);
    }
    if let Some((kind, mime_type, data)) = part.get("inlineData").and_then(media) {
        signature.into_iter().for_each(|signature| answer.opaque(signature));
        answer.media(kind, &mime_type, data);
        return Ok(());
    }
    match (string(part, "text").filter(|text| !text.is_empty()), signature) {
        (Some(text), signature) => {
            signature.into_iter().for_each(|signature| answer.opaque(signature));
            answer.text(text);
        }
        // Streams bring the signature of a text after it.
        (None, Some(signature)) if is_empty(part) => answer.opaque_after(signature),
        _ => read_other(part, answer),
    }
    Ok(())
}

/// True for a part that is nothing but its signature.
fn is_empty(part: Value<'_>) -> bool {
    part.members().all(|(name, _)| name == "thoughtSignature" || name == "text")
}

/// A call comes whole, so that a limit does not cut it.
fn read_call(call: Value<'_>, state: &State, answer: &mut Answer<'_>) -> Result<(), Error> {
    if call.get("partialArgs").is_some() {
        let message = "the arguments of a call came in pieces, which nobody asked for";
        return Err(invalid_reply(state.provider, "unsupported_call", message, false));
    }
    let Some(name) = string(call, "name") else {
        answer.drop_block("functionCall", None, "the call has no name");
        return Ok(());
    };
    answer.call(Call { id: string(call, "id"), name, input: call.get("args"), last: false })
}

/// The bytes of a part, if MCP has a block for them.
fn media(inline: Value<'_>) -> Option<(&'static str, String, JsonStr<'_>)> {
    let (mime_type, data) = (string(inline, "mimeType")?.decode().into_owned(), string(inline, "data")?);
    let kind = ["image", "audio"].into_iter().find(|kind| mime_type.starts_with(*kind))?;
    Some((kind, mime_type, data))
}

/// What the host's own server tools did, and what the API may add: only the API can read it, and wants it back.
fn read_other(part: Value<'_>, answer: &mut Answer<'_>) {
    let names = ["text", "thought", "thoughtSignature"];
    let kind = part.members().find(|(name, _)| !names.iter().any(|known| *name == *known));
    if let Some((kind, _)) = kind {
        answer.opaque(part.raw());
        answer.drop_block(kind.raw(), None, "MCP has no such block; it is kept as state of the next one");
    }
}

/// Reads the error in a body or a chunk; in the list of a stream that was not asked for as events.
pub(super) fn failure(body: Value<'_>) -> Option<Failure<'_>> {
    let error = match body.kind() {
        Kind::Array => return body.items().find_map(failure),
        _ => body.get("error").filter(|error| !error.is_null())?,
    };
    let kind = string(error, "status");
    let code = error.get("code").and_then(Value::as_number).and_then(Number::as_safe_integer);
    let retryable = kind.is_some_and(|kind| {
        matches!(
            &*kind.decode(),
            "UNAVAILABLE" | "RESOURCE_EXHAUSTED" | "INTERNAL" | "DEADLINE_EXCEEDED" | "ABORTED" | "UNKNOWN"
        )
    });
    Some(Failure {
        kind,
        message: string(error, "message").or_else(|| error.as_str()),
        status: code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code)),
        retryable,
        ..Failure::default()
    })
}
