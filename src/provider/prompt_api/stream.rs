//! The events that the page makes of its session's chunks, which add up to a whole answer.

use crate::json::{Document, JsonStr, Value};

use super::super::body::{Json, RAW_MEMBER};
use super::super::failure::string;
use super::super::state::State;
use super::super::stream::{Assembly, Ended, Halves, Sink};
use super::reply::text_of;
use super::unfold::{Found, Unfold};

/// The answer so far.
#[derive(Debug)]
pub(super) struct Reply {
    /// All text, as it stands between quotes.
    text: String,
    /// Looks into the text, if the model was made to write JSON.
    unfold: Option<Unfold>,
    halves: Halves,
    calls: usize,
    /// The other members.
    members: Json,
    ended: bool,
}

impl Assembly for Reply {
    fn event(&mut self, event: Value<'_>, sink: &mut Sink) {
        if let Some(piece) = string(event, "text") {
            self.text.push_str(piece.raw());
            self.show(piece, sink);
        }
        for name in ["finish", "error", "usage", "model"] {
            let value = event.at(name);
            if !value.is_null() {
                self.members.two(RAW_MEMBER, name, value.raw());
                self.ended |= matches!(name, "finish" | "error");
            }
        }
    }

    fn ended(&self) -> Ended {
        if self.ended { Ended::Yes } else { Ended::No }
    }

    fn reply(&mut self) -> String {
        let mut json = Json::with_capacity(self.text.len() + 256);
        json.one("{\"text\":\"%v\"", &self.text);
        if !self.members.is_empty() {
            json.one("%r", self.members.text());
        }
        json.lit("}");
        json.finish()
    }
}

impl Reply {
    pub(super) fn new(state: &State) -> Self {
        Self {
            text: String::new(),
            unfold: state.own_flag("folded").then(Unfold::default),
            halves: Halves::default(),
            calls: 0,
            members: Json::default(),
            ended: false,
        }
    }

    fn show(&mut self, piece: JsonStr<'_>, sink: &mut Sink) {
        let Some(unfold) = &mut self.unfold else { return sink.text(piece) };
        for found in unfold.push(&self.halves.join(piece)) {
            match found {
                Found::Text(inner) => {
                    if let Some(text) = text_of(&inner).root().as_str() {
                        sink.text(text);
                    }
                }
                Found::Call(json) => {
                    sink.end_text();
                    show_call(json, self.calls, sink);
                    self.calls += 1;
                }
            }
        }
        if unfold.is_plain() {
            sink.text(piece);
        }
    }
}

fn show_call(json: String, index: usize, sink: &mut Sink) {
    let document = Document::from_text(json).unwrap_or_default();
    let Some(name) = string(document.root(), "name") else { return };
    sink.tool_use(index, name);
    sink.whole_tool_input(index, document.root().get("arguments").map_or("{}", Value::raw));
}
