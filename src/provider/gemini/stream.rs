//! A stream: each chunk is a reply with the next parts, and together they add up to one.

use crate::json::{JsonStr, Value};

use super::super::body::{Json, RAW_MEMBER, find};
use super::super::failure::{inner, is_among, string};
use super::super::members::Members;
use super::super::stream::{Assembly, Ended, Sink};

const OF_REPLY: &[&str] = &["responseId", "modelVersion", "usageMetadata", "promptFeedback"];
const OF_CANDIDATE: &[&str] =
    &["finishReason", "finishMessage", "continuationToken", "citationMetadata", "groundingMetadata"];

/// The reply so far.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// Members of the reply and of its candidate, the last value of each.
    reply: Members,
    candidate: Members,
    /// The parts that are complete.
    parts: Json,
    /// Text that goes on over chunks, as it stands between quotes, if the last part is one. A signature ends it: it
    /// stands for what came before.
    text: Option<String>,
    is_thought: bool,
    calls: usize,
    /// There is a candidate, be it empty.
    answers: bool,
}

impl Assembly for Chunks {
    fn event(&mut self, chunk: Value<'_>, sink: &mut Sink) {
        self.add(chunk, Some(sink));
    }

    fn ended(&self) -> Ended {
        let blocked = find(self.reply.get("promptFeedback"), "blockReason").is_some();
        if self.candidate.has("finishReason") || blocked { Ended::Maybe } else { Ended::No }
    }

    fn reply(&mut self) -> String {
        self.joined()
    }
}

impl Chunks {
    /// Takes the next chunk; what is new goes to the sink, if there is one.
    pub(super) fn add(&mut self, chunk: Value<'_>, mut sink: Option<&mut Sink>) {
        self.reply.keep(chunk, OF_REPLY);
        let Some(candidate) = chunk.at("candidates").items().next() else { return };
        self.answers = true;
        self.candidate.keep(candidate, OF_CANDIDATE);
        for part in candidate.at("content").at("parts").items() {
            match string(part, "text").filter(|_| is_text(part)) {
                Some(text) => self.text(text, part, sink.as_deref_mut()),
                None => self.whole(part, sink.as_deref_mut()),
            }
        }
    }

    fn text(&mut self, piece: JsonStr<'_>, part: Value<'_>, sink: Option<&mut Sink>) {
        let signature = inner(part, "thoughtSignature");
        if piece.is_empty() && signature.is_empty() {
            return;
        }
        let is_thought = part.at("thought").raw() == "true";
        let goes_on = self.text.is_some() && self.is_thought == is_thought;
        if let Some(sink) = sink {
            if !goes_on {
                sink.end_text();
            }
            match is_thought {
                true => sink.reasoning(piece),
                false => sink.text(piece),
            }
        }
        if !goes_on {
            self.end_text("");
            self.is_thought = is_thought;
        }
        self.text.get_or_insert_default().push_str(piece.raw());
        if !signature.is_empty() {
            self.end_text(signature);
        }
    }

    fn whole(&mut self, part: Value<'_>, sink: Option<&mut Sink>) {
        self.end_text("");
        self.parts.one("%r", part.raw());
        let Some(sink) = sink else { return };
        sink.end_text();
        let call = part.at("functionCall");
        let Some(name) = string(call, "name") else { return };
        sink.tool_use(self.calls, name);
        let arguments = call.at("args");
        sink.whole_tool_input(self.calls, if arguments.is_missing() { "{}" } else { arguments.raw() });
        self.calls += 1;
    }

    /// Writes the text that went on over chunks, if there is one.
    fn end_text(&mut self, signature: &str) {
        let Some(text) = self.text.take() else { return };
        self.parts.one("{\"text\":\"%v\"", &text);
        if self.is_thought {
            self.parts.lit("\"thought\":true");
        }
        if !signature.is_empty() {
            self.parts.one("\"thoughtSignature\":\"%v\"", signature);
        }
        self.parts.lit("}");
    }

    /// The reply as JSON text.
    pub(super) fn joined(&mut self) -> String {
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

/// True if the part is a text and nothing else.
fn is_text(part: Value<'_>) -> bool {
    part.members().all(|(name, _)| is_among(Some(name), "text thought thoughtSignature"))
}
