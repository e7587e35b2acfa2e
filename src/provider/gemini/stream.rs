//! A stream: each chunk is a reply with the next parts, and together they add up to one.

use crate::json::{JsonStr, Value};

use super::super::body::{Json, RAW_MEMBER};
use super::super::failure::{inner, is_among, is_true, string};
use super::super::sink::{Ended, Sink};
use super::super::stream::{Assembly, NOT_OPEN};
use super::reply::OF_TEXT;

const OF_REPLY: &str = "responseId modelVersion usageMetadata promptFeedback";
const OF_CANDIDATE: &str = "finishReason finishMessage continuationToken citationMetadata groundingMetadata";

/// What the last part is, where it is a text that goes on over chunks. A signature ends it: it stands for what came
/// before.
const THOUGHT: (i64, i64) = (0, 0);
const TEXT: (i64, i64) = (0, 1);

/// Takes the next chunk: the last value of each member of the reply and of its candidate, which is `inner`; its parts,
/// which are `json`.
pub(super) fn event(chunks: &mut Assembly, chunk: Value<'_>, sink: &mut Sink) {
    chunks.members.keep(chunk, OF_REPLY);
    if string(chunk.at("promptFeedback"), "blockReason").is_some() {
        sink.ended = Ended::Maybe;
    }
    let Some(candidate) = chunk.at("candidates").items().next() else { return };
    // Says that there is a candidate, be it empty.
    chunks.inner.put("index", "0".to_owned());
    chunks.inner.keep(candidate, OF_CANDIDATE);
    for part in candidate.at("content").at("parts").items() {
        match string(part, "text").filter(|_| is_text(part)) {
            Some(piece) => text(chunks, piece, part, sink),
            None => whole(chunks, part, sink),
        }
    }
    if chunks.inner.has("finishReason") {
        sink.ended = Ended::Maybe;
    }
}

fn text(chunks: &mut Assembly, piece: JsonStr<'_>, part: Value<'_>, sink: &mut Sink) {
    let signature = inner(part, "thoughtSignature");
    if piece.is_empty() && signature.is_empty() {
        return;
    }
    let is_thought = is_true(part.at("thought"));
    let kind = if is_thought { THOUGHT } else { TEXT };
    if chunks.open != kind {
        sink.end_text();
        end_text(chunks);
        chunks.open = kind;
        chunks.json.lit("{\"text\":\"");
    }
    match is_thought {
        true => sink.reasoning(piece),
        false => sink.text(piece),
    }
    chunks.json.more("%r", &[piece.raw()]);
    if !signature.is_empty() {
        chunks.json.more(ending(chunks), &[]);
        chunks.json.one("\"thoughtSignature\":\"%v\"}", signature);
        chunks.open = NOT_OPEN;
    }
}

fn whole(chunks: &mut Assembly, part: Value<'_>, sink: &mut Sink) {
    end_text(chunks);
    chunks.json.value("%r", part);
    sink.end_text();
    let call = part.at("functionCall");
    let Some(name) = string(call, "name") else { return };
    sink.whole_call(chunks.calls, name, call.at("args"));
    chunks.calls += 1;
}

/// Ends the text that went on over chunks, if there is one.
fn end_text(chunks: &mut Assembly) {
    if chunks.open != NOT_OPEN {
        chunks.json.more(ending(chunks), &[]);
        chunks.json.end();
        chunks.open = NOT_OPEN;
    }
}

/// The end of the last part, but for its bracket, if it goes on.
fn ending(chunks: &Assembly) -> &'static str {
    match chunks.open {
        NOT_OPEN => "",
        THOUGHT => "\",\"thought\":true",
        _ => "\"",
    }
}

/// The reply so far.
pub(super) fn joined(chunks: &Assembly) -> String {
    let mut json = Json::begin("{");
    chunks.members.write(&mut json, RAW_MEMBER);
    json.lit("\"candidates\":[");
    if !chunks.inner.is_empty() {
        json.one("{\"content\":{\"parts\":[%r", chunks.json.text());
        json.more(ending(chunks), &[]);
        json.lit(if chunks.open != NOT_OPEN { "}]}" } else { "]}" });
        chunks.inner.write(&mut json, RAW_MEMBER);
        json.end();
    }
    json.lit("]}");
    json.finish()
}

/// True if the part is a text and nothing else.
fn is_text(part: Value<'_>) -> bool {
    part.members().all(|(name, _)| is_among(name.value(), OF_TEXT))
}
