//! A stream in either form, which adds up to a chat completion.

use crate::error::Error;
use crate::json::{Document, Value};

use super::super::Provider;
use super::super::openai::Completion;
use super::super::state::State;
use super::super::stream::{Assembly, Ended, Sink};
use super::reply::{failure, usual};

/// The answer so far.
#[derive(Debug)]
pub(super) struct Chunks(Completion);

impl Chunks {
    pub(super) fn new(state: &State) -> Self {
        Self(Completion::new(state))
    }
}

impl Assembly for Chunks {
    fn event(&mut self, chunk: Value<'_>, sink: &mut Sink) -> Result<(), Error> {
        if let Some(failure) = failure(chunk) {
            return Err(failure.into_error(Provider::WorkersAi, None));
        }
        if is_usual(chunk) {
            return self.0.event(chunk, sink);
        }
        let usual = Document::from_text(usual(chunk, "delta", &[])).unwrap_or_default();
        self.0.event(usual.root(), sink)
    }

    fn ended(&self) -> Ended {
        self.0.ended()
    }

    fn reply(&mut self) -> String {
        self.0.reply()
    }
}

/// True for chunks that need no other form, which is nearly all.
fn is_usual(chunk: Value<'_>) -> bool {
    let Some(choices) = chunk.get("choices") else { return false };
    let deltas = choices.items().filter_map(|choice| choice.get("delta"));
    deltas.filter_map(|delta| delta.get("tool_calls")).flat_map(Value::items).all(|call| call.get("function").is_some())
}
