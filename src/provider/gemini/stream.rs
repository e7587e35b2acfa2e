//! A stream: each chunk is a reply with the next parts, and together they add up to one.

use crate::error::Error;
use crate::json::{JsonStr, Value};

use super::super::Provider;
use super::super::body::Json;
use super::super::failure::string;
use super::super::stream::{Assembly, Ended, Sink};
use super::reply::failure;

const OF_REPLY: &[&str] = &["responseId", "modelVersion", "usageMetadata", "promptFeedback"];
const OF_CANDIDATE: &[&str] =
    &["finishReason", "finishMessage", "continuationToken", "citationMetadata", "groundingMetadata"];

/// The reply so far.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// Members of the reply and of its candidate, the last value of each.
    reply: Vec<(&'static str, String)>,
    candidate: Vec<(&'static str, String)>,
    parts: Vec<Part>,
    calls: usize,
    /// There is a candidate, be it empty.
    answers: bool,
}

/// A part so far.
#[derive(Debug)]
enum Part {
    /// As it came.
    Whole(String),
    Text(Text),
}

/// Text that goes on over chunks. A signature ends it: it stands for what came before.
#[derive(Debug)]
struct Text {
    is_thought: bool,
    /// As it stands between quotes.
    text: String,
    signature: Option<String>,
}

impl Assembly for Chunks {
    fn event(&mut self, chunk: Value<'_>, sink: &mut Sink) -> Result<(), Error> {
        if let Some(failure) = failure(chunk) {
            return Err(failure.into_error(Provider::Gemini, None));
        }
        self.add(chunk, Some(sink));
        Ok(())
    }

    fn ended(&self) -> Ended {
        let blocked = self.reply.iter().any(|(name, value)| *name == "promptFeedback" && value.contains("blockReason"));
        let has_reason = self.candidate.iter().any(|(name, _)| *name == "finishReason");
        if has_reason || blocked { Ended::Maybe } else { Ended::No }
    }

    fn reply(&mut self) -> String {
        self.joined()
    }
}

impl Chunks {
    /// Takes the next chunk; what is new goes to the sink, if there is one.
    pub(super) fn add(&mut self, chunk: Value<'_>, mut sink: Option<&mut Sink>) {
        keep(&mut self.reply, OF_REPLY, chunk);
        let Some(candidate) = chunk.get("candidates").and_then(|candidates| candidates.items().next()) else { return };
        self.answers = true;
        keep(&mut self.candidate, OF_CANDIDATE, candidate);
        for part in candidate.get("content").and_then(|content| content.get("parts")).into_iter().flat_map(Value::items)
        {
            let is_thought = part.get("thought").and_then(Value::as_bool) == Some(true);
            match string(part, "text").filter(|_| is_text(part)) {
                Some(text) => self.text(text, is_thought, string(part, "thoughtSignature"), sink.as_deref_mut()),
                None => self.whole(part, sink.as_deref_mut()),
            }
        }
    }

    fn text(&mut self, piece: JsonStr<'_>, is_thought: bool, signature: Option<JsonStr<'_>>, sink: Option<&mut Sink>) {
        let signature = signature.filter(|signature| !signature.is_empty()).map(|signature| signature.raw().to_owned());
        if piece.is_empty() && signature.is_none() {
            return;
        }
        let goes_on = match self.parts.last() {
            Some(Part::Text(last)) => last.is_thought == is_thought && last.signature.is_none(),
            _ => false,
        };
        if let Some(sink) = sink {
            if !goes_on {
                sink.end_text();
            }
            match is_thought {
                true => sink.reasoning(piece),
                false => sink.text(piece),
            }
        }
        match self.parts.last_mut() {
            Some(Part::Text(last)) if goes_on => {
                last.text.push_str(piece.raw());
                last.signature = signature;
            }
            _ => self.parts.push(Part::Text(Text { is_thought, text: piece.raw().to_owned(), signature })),
        }
    }

    fn whole(&mut self, part: Value<'_>, sink: Option<&mut Sink>) {
        self.parts.push(Part::Whole(part.raw().to_owned()));
        let Some(sink) = sink else { return };
        sink.end_text();
        let Some(call) = part.get("functionCall") else { return };
        let Some(name) = string(call, "name") else { return };
        sink.tool_use(self.calls, &name.decode());
        sink.whole_tool_input(self.calls, call.get("args").map_or("{}", Value::raw));
        self.calls += 1;
    }

    /// The reply as JSON text.
    pub(super) fn joined(&self) -> String {
        let mut json = Json::with_capacity(1024);
        json.open('{');
        self.reply.iter().for_each(|(name, value)| json.key(name).raw(value));
        json.key("candidates").open('[');
        if self.answers {
            self.write_candidate(&mut json);
        }
        json.close(']');
        json.close('}');
        json.finish()
    }

    fn write_candidate(&self, json: &mut Json) {
        json.open('{');
        json.key("content").open('{');
        json.key("parts").open('[');
        self.parts.iter().for_each(|part| part.write(json));
        json.close(']');
        json.close('}');
        self.candidate.iter().for_each(|(name, value)| json.key(name).raw(value));
        json.close('}');
    }
}

impl Part {
    fn write(&self, json: &mut Json) {
        let text = match self {
            Self::Whole(part) => return json.raw(part),
            Self::Text(text) => text,
        };
        json.open('{');
        json.key("text").joined(&[&text.text]);
        if text.is_thought {
            json.key("thought").raw("true");
        }
        if let Some(signature) = &text.signature {
            json.key("thoughtSignature").joined(&[signature]);
        }
        json.close('}');
    }
}

/// True if the part is a text and nothing else.
fn is_text(part: Value<'_>) -> bool {
    let names = ["text", "thought", "thoughtSignature"];
    part.members().all(|(name, _)| names.iter().any(|known| name == *known))
}

/// Keeps the newest value of each of these members. Null says nothing new.
fn keep(members: &mut Vec<(&'static str, String)>, names: &[&'static str], owner: Value<'_>) {
    for name in names {
        let Some(value) = owner.get(name).filter(|value| !value.is_null()) else { continue };
        match members.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value.raw().to_owned(),
            None => members.push((name, value.raw().to_owned())),
        }
    }
}
