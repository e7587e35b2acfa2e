//! The events that the page makes of its session's chunks, which add up to a whole answer.

use crate::json::{JsonStr, Value};

use super::super::body::{Json, RAW_MEMBER};
use super::super::failure::string;
use super::super::members::Members;
use super::super::state::State;
use super::super::sink::{Ended, Sink, join};
use super::super::stream::Assembly;
use super::unfold::{Form, Unfold};

/// The answer so far.
#[derive(Debug, Default)]
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
        Self { unfold: state.own_flag("folded").then(Unfold::default), ..Self::default() }
    }

    fn show(&mut self, piece: JsonStr<'_>, sink: &mut Sink) {
        let Some(unfold) = &mut self.unfold else { return sink.text(piece) };
        for found in unfold.push(&join(&mut self.half, piece)) {
            let found = found.root();
            if let Some(text) = found.as_str() {
                sink.text(text);
                continue;
            }
            sink.end_text();
            if let Some(name) = string(found, "name") {
                sink.whole_call(self.calls, name, found.at("arguments"));
            }
            self.calls += 1;
        }
        if unfold.form == Form::Plain {
            sink.text(piece);
        }
    }
}
