//! The events that the page makes of its session's chunks, which add up to a whole answer.

use crate::json::{Document, JsonStr, Value};

use super::super::body::{Json, RAW_MEMBER};
use super::super::failure::string;
use super::super::members::Members;
use super::super::state::State;
use super::super::sink::{Ended, Sink, join};
use super::super::stream::Assembly;
use super::reply::text_of;
use super::unfold::{Found, Unfold};

/// The answer so far.
#[derive(Debug)]
pub(super) struct Reply {
    /// All text, as it stands between quotes.
    text: String,
    /// Looks into the text, if the model was made to write JSON.
    unfold: Option<Unfold>,
    half: String,
    calls: usize,
    /// The other members.
    members: Members,
}

impl Assembly for Reply {
    fn event(&mut self, event: Value<'_>, sink: &mut Sink) {
        if let Some(piece) = string(event, "text") {
            self.text.push_str(piece.raw());
            self.show(piece, sink);
        }
        self.members.keep(event, "finish error usage model");
        if self.members.has("finish") || self.members.has("error") {
            sink.ended = Ended::Yes;
        }
    }

    fn reply(&mut self) -> String {
        let mut json = Json::with_capacity(self.text.len() + 256);
        json.one("{\"text\":\"%v\"", &self.text);
        self.members.write(&mut json, RAW_MEMBER);
        json.lit("}");
        json.finish()
    }
}

impl Reply {
    pub(super) fn new(state: &State) -> Self {
        Self {
            text: String::new(),
            unfold: state.own_flag("folded").then(Unfold::default),
            half: String::new(),
            calls: 0,
            members: Members::default(),
        }
    }

    fn show(&mut self, piece: JsonStr<'_>, sink: &mut Sink) {
        let Some(unfold) = &mut self.unfold else { return sink.text(piece) };
        for found in unfold.push(&join(&mut self.half, piece)) {
            match found {
                Found::Text(inner) => {
                    if let Some(text) = text_of(&inner).root().as_str() {
                        sink.text(text);
                    }
                }
                Found::Call(json) => {
                    sink.end_text();
                    let document = Document::or_null(&json);
                    let call = document.root();
                    if let Some(name) = string(call, "name") {
                        sink.whole_call(self.calls, name, call.at("arguments"));
                    }
                    self.calls += 1;
                }
            }
        }
        if unfold.is_plain() {
            sink.text(piece);
        }
    }
}
