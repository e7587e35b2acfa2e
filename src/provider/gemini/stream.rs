//! A stream: each chunk is a reply with the next parts, and together they add up to one.

use crate::json::{JsonStr, Value};

use super::super::body::{Json, RAW_MEMBER};
use super::super::failure::{inner, is_among, string};
use super::super::members::Members;
use super::super::sink::{Ended, Sink};
use super::super::stream::Assembly;

const OF_REPLY: &str = "responseId modelVersion usageMetadata promptFeedback";
const OF_CANDIDATE: &str = "finishReason finishMessage continuationToken citationMetadata groundingMetadata";

/// The reply so far.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// Members of the reply and of its candidate, the last value of each.
    reply: Members,
    candidate: Members,
    /// The parts.
    parts: Json,
    /// The last part is a text that goes on over chunks, and whether it is a thought. A signature ends it: it stands for
    /// what came before.
    open: Option<bool>,
    calls: usize,
    /// There is a candidate, be it empty.
    answers: bool,
}

impl Assembly for Chunks {
    fn event(&mut self, chunk: Value<'_>, sink: &mut Sink) {
        self.reply.keep(chunk, OF_REPLY);
        if string(chunk.at("promptFeedback"), "blockReason").is_some() {
            sink.ended = Ended::Maybe;
        }
        let Some(candidate) = chunk.at("candidates").items().next() else { return };
        self.answers = true;
        self.candidate.keep(candidate, OF_CANDIDATE);
        for part in candidate.at("content").at("parts").items() {
            match string(part, "text").filter(|_| is_text(part)) {
                Some(text) => self.text(text, part, sink),
                None => self.whole(part, sink),
            }
        }
        if self.candidate.has("finishReason") {
            sink.ended = Ended::Maybe;
        }
    }

    fn reply(&mut self) -> String {
        self.end_text("");
        let mut json = Json::default();
        json.lit("{");
        self.reply.write(&mut json, RAW_MEMBER);
        json.lit("\"candidates\":[");
        if self.answers {
            json.one("{\"content\":{\"parts\":[%r]}", self.parts.text());
            self.candidate.write(&mut json, RAW_MEMBER);
            json.lit("}");
        }
        json.lit("]}");
        json.finish()
    }
}

impl Chunks {
    fn text(&mut self, piece: JsonStr<'_>, part: Value<'_>, sink: &mut Sink) {
        let signature = inner(part, "thoughtSignature");
        if piece.is_empty() && signature.is_empty() {
            return;
        }
        let is_thought = part.at("thought").raw() == "true";
        if self.open != Some(is_thought) {
            sink.end_text();
            self.end_text("");
            self.open = Some(is_thought);
            self.parts.lit("{\"text\":\"");
        }
        match is_thought {
            true => sink.reasoning(piece),
            false => sink.text(piece),
        }
        self.parts.more("%r", &[piece.raw()]);
        if !signature.is_empty() {
            self.end_text(signature);
        }
    }

    fn whole(&mut self, part: Value<'_>, sink: &mut Sink) {
        self.end_text("");
        self.parts.one("%r", part.raw());
        sink.end_text();
        let call = part.at("functionCall");
        let Some(name) = string(call, "name") else { return };
        sink.whole_call(self.calls, name, call.at("args"));
        self.calls += 1;
    }

    /// Ends the text that went on over chunks, if there is one.
    fn end_text(&mut self, signature: &str) {
        let Some(is_thought) = self.open.take() else { return };
        self.parts.more(if is_thought { "\",\"thought\":true" } else { "\"" }, &[]);
        if !signature.is_empty() {
            self.parts.one("\"thoughtSignature\":\"%v\"", signature);
        }
        self.parts.lit("}");
    }
}

/// True if the part is a text and nothing else.
fn is_text(part: Value<'_>) -> bool {
    part.members().all(|(name, _)| is_among(Some(name), "text thought thoughtSignature"))
}
