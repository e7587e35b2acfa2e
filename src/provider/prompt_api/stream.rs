//! The events that the page makes of its session's chunks, which add up to a whole answer.

use crate::json::{JsonStr, Value};

use super::super::body::{Json, RAW_MEMBER};
use super::super::failure::string;
use super::super::sink::{Ended, Sink, join};
use super::super::stream::Assembly;
use super::unfold::Form;

/// Takes an event. All text, as it stands between quotes, is `json`; the other members are `members`.
pub(super) fn event(answer: &mut Assembly, event: Value<'_>, sink: &mut Sink) {
    if let Some(piece) = string(event, "text") {
        answer.json.more("%r", &[piece.raw()]);
        show(answer, piece, sink);
    }
    answer.members.keep(event, "finish error usage model");
    if answer.members.has("finish") || answer.members.has("error") {
        sink.ended = Ended::Yes;
    }
}

/// Looks into the text, if the model was made to write JSON.
fn show(answer: &mut Assembly, piece: JsonStr<'_>, sink: &mut Sink) {
    if !sink.state.own_flag("folded") {
        return sink.text(piece);
    }
    let piece_of_json = join(&mut answer.unfold.half, piece);
    for found in &answer.unfold.push(&piece_of_json) {
        let found = found.root();
        if let Some(text) = found.as_str() {
            sink.text(text);
            continue;
        }
        sink.end_text();
        if let Some(name) = string(found, "name") {
            sink.whole_call(answer.calls, name, found.at("arguments"));
        }
        answer.calls += 1;
    }
    if answer.unfold.form == Form::Plain {
        sink.text(piece);
    }
}

/// The answer so far.
pub(super) fn joined(answer: &Assembly) -> String {
    let mut json = Json::with_capacity(answer.json.text().len() + 256);
    json.one("{\"text\":\"%v\"", answer.json.text());
    answer.members.write(&mut json, RAW_MEMBER);
    json.end();
    json.finish()
}
