//! A stream (`MessageStreamEvent`): events of blocks, by index, that add up to a `Message`.

use crate::json::{Document, Kind, Value, concat};

use super::super::body::{Json, MEMBER, RAW_MEMBER};
use super::super::failure::{Failure, place_among, string};
use super::super::sink::{Ended, Sink};
use super::super::stream::{Assembly, Slot};
use super::reply;

/// The events that say something new, in the order of [`event`], the most frequent first.
const EVENTS: &str =
    "content_block_delta content_block_start content_block_stop message_start message_delta message_stop";

/// What may grow of a block, in the order of [`block_delta`].
const GROWING: &str = "text thinking signature partial_json";

/// Reads an error of the API; of a proxy too, which may not give it a type.
pub(super) fn failure<'r>(event: Value<'r>, failure: &mut Failure<'r>) -> bool {
    let kind = event.at("type");
    (kind.as_str().is_none() || kind.is_text("error")) && reply::failure(event, failure)
}

/// Takes an event. The slots are blocks, and what does not grow of one stays as it began, so that thoughts return to the
/// API as they were; `inner` is the usage.
pub(super) fn event(message: &mut Assembly, event: Value<'_>, sink: &mut Sink) {
    match place_among(event.at("type"), EVENTS) {
        Some(0) => block_delta(message, event, sink),
        Some(1) => block_start(message, event, sink),
        Some(2) => sink.end_text(),
        Some(3) => {
            let start = event.at("message");
            message.members.keep(start, "id model");
            message.inner.set_all(start.at("usage"));
        }
        Some(4) => {
            message.members.set_all(event.at("delta"));
            message.inner.set_all(event.at("usage"));
            if message.members.has("stop_reason") {
                sink.ended = Ended::Maybe;
            }
        }
        Some(_) => sink.ended = Ended::Yes,
        // `ping`, and what the API may add.
        None => {}
    }
}

fn block_start(message: &mut Assembly, event: Value<'_>, sink: &mut Sink) {
    let start = event.at("content_block");
    if start.is_missing() {
        return;
    }
    let name = string(start, "name").filter(|_| start.at("type").is_text("tool_use"));
    let call = name.map(|_| message.calls);
    if let Some(name) = name {
        sink.tool_use(message.calls, name);
        message.calls += 1;
    }
    if let Some(text) = string(start, "text") {
        sink.text(text);
    }
    if let Some(block) = message.add(message.slots.len(), index(event)) {
        block.members.set_all(start);
        block.call = call;
    }
}

fn block_delta(message: &mut Assembly, event: Value<'_>, sink: &mut Sink) {
    let index = index(event);
    // The newest block with this index: nearly always the last of all.
    let Some(block) = message.slots.iter_mut().rev().find(|block| block.index == index) else { return };
    for (name, value) in event.at("delta").members() {
        // Of the citations of a text it counts that there are some.
        if name == "citation" {
            block.members.put("citations", concat(&["[", value.raw(), "]"]));
        }
        let (Some(what), Some(piece)) = (place_among(name.value(), GROWING), value.as_str()) else { continue };
        block.members.grow(if what == 3 { "input" } else { name.raw() }, piece.raw());
        match (what, block.call) {
            (0, _) => sink.text(piece),
            (1, _) => sink.reasoning(piece),
            (3, Some(call)) => sink.tool_input(call, piece),
            _ => {}
        }
    }
}

/// The `Message` so far.
pub(super) fn joined(message: &Assembly) -> String {
    let mut json = Json::begin("{");
    message.members.write(&mut json, RAW_MEMBER);
    json.lit("\"content\":[");
    for block in &message.slots {
        write(block, &mut json);
    }
    json.end_list();
    json.lit("\"usage\":{");
    message.inner.write(&mut json, RAW_MEMBER);
    json.lit("}}");
    json.finish()
}

/// The block as it would have come in one piece. The input of a call of ours stays a text, to be judged by the reader; that
/// of a server tool, which returns to the API as it is, becomes the object.
fn write(block: &Slot, json: &mut Json) {
    json.lit("{");
    for (name, value) in block.members.list() {
        let is_foreign = name == "input" && block.call.is_none();
        let text = if is_foreign { Document::or_null(value).root().text() } else { String::new() };
        let object = Document::or_null(&text);
        let object = Some(object.root()).filter(|object| object.kind() == Kind::Object);
        json.two(MEMBER, name, object.map_or(value, Value::raw));
    }
    json.end();
}

fn index(event: Value<'_>) -> i64 {
    event.at("index").integer_or(0)
}
