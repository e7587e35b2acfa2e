//! A stream in either form, which adds up to a chat completion.

use crate::json::{Document, Value};

use super::super::openai::Completion;
use super::super::state::State;
use super::super::sink::Sink;
use super::super::stream::Assembly;
use super::reply::usual;

/// The answer so far.
#[derive(Debug)]
pub(super) struct Chunks(Completion);

impl Chunks {
    pub(super) fn new(state: &State) -> Self {
        Self(Completion::new(state))
    }
}

impl Assembly for Chunks {
    fn event(&mut self, chunk: Value<'_>, sink: &mut Sink) {
        if is_usual(chunk) {
            return self.0.event(chunk, sink);
        }
        let usual = Document::from_text(usual(chunk, "delta", chunk.nothing())).unwrap_or_default();
        self.0.event(usual.root(), sink);
    }

    fn reply(&mut self) -> String {
        self.0.reply()
    }
}

/// True for chunks that need no other form, which is nearly all.
fn is_usual(chunk: Value<'_>) -> bool {
    let choices = chunk.at("choices");
    for choice in choices.items() {
        for call in choice.at("delta").at("tool_calls").items() {
            if call.at("function").is_missing() {
                return false;
            }
        }
    }
    !choices.is_missing()
}
