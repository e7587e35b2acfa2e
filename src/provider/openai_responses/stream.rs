//! A stream (`ResponseStreamEvent`): items by their index, that add up to a `Response`.

use crate::json::{Document, Value, concat, decimal};

use super::super::body::{Json, MEMBER, RAW_MEMBER};
use super::super::failure::{Failure, place_among, string};
use super::super::sink::{Ended, Sink};
use super::super::stream::{Assembly, Slot};
use super::reply;

/// The events that are known, in the order of [`event`], the most frequent first.
const EVENTS: &str = "response.output_text.delta response.refusal.delta response.function_call_arguments.delta \
                      response.reasoning_summary_text.delta response.reasoning_text.delta \
                      response.output_item.added response.output_item.done response.created response.in_progress \
                      response.queued response.completed response.incomplete response.failed";

fn kind(event: Value<'_>) -> Option<usize> {
    place_among(event.at("type"), EVENTS)
}

/// Reads errors, also those of proxies, which may give them no type; and what the API may add.
pub(super) fn failure<'r>(event: Value<'r>, failure: &mut Failure<'r>) -> bool {
    match kind(event) {
        None => reply::failure(event, failure),
        Some(10..) => reply::failure(event.at("response"), failure),
        Some(_) => false,
    }
}

/// Takes an event. `members` are all there is to say of a response that is not finished; one that is finished is `json`.
/// The slots are items; only once one is `done` is its reasoning whole.
pub(super) fn event(output: &mut Assembly, event: Value<'_>, sink: &mut Sink) {
    let (response, piece) = (event.at("response"), string(event, "delta"));
    match (kind(event), piece) {
        (Some(7..10), _) if output.members.is_empty() => output.members.keep(response, "id model"),
        (Some(10..), _) if !response.is_missing() => {
            output.json = Json::default();
            output.json.value("%r", response);
            sink.ended = Ended::Yes;
        }
        (Some(5), _) => added(output, event, sink),
        (Some(6), _) => {
            sink.end_text();
            let whole = event.at("item");
            if let Some(item) = item(output, event).filter(|_| !whole.is_missing()) {
                whole.raw().clone_into(&mut item.done);
            }
        }
        (Some(kind @ (0 | 1)), Some(piece)) => {
            let part = number(event, "content_index");
            let place = (number(event, "output_index"), part);
            if output.open != place {
                sink.end_text();
                output.open = place;
            }
            sink.text(piece);
            if let Some(item) = item(output, event) {
                let kind = if kind == 0 { "text" } else { "refusal" };
                item.texts.grow(&concat(&[kind, &decimal(part)]), piece.raw());
            }
        }
        (Some(2), Some(piece)) => {
            let Some(item) = item(output, event) else { return };
            item.members.grow("arguments", piece.raw());
            if let Some(call) = item.call {
                sink.tool_input(call, piece);
            }
        }
        (Some(3 | 4), Some(piece)) => sink.reasoning(piece),
        _ => {}
    }
}

/// The item with the index of the event; a new one, in its place, if there is none.
#[inline(never)]
fn item<'o>(output: &'o mut Assembly, event: Value<'_>) -> Option<&'o mut Slot> {
    let (index, mut at) = (number(event, "output_index"), output.slots.len());
    // Nearly always the last of all.
    while let Some(item) = output.slots.get(at.wrapping_sub(1)).filter(|item| item.index >= index) {
        at -= 1;
        if item.index == index {
            return output.slots.get_mut(at);
        }
    }
    output.add(at, index)
}

fn added(output: &mut Assembly, event: Value<'_>, sink: &mut Sink) {
    let (start, call) = (event.at("item"), output.calls);
    if start.is_missing() {
        return;
    }
    let Some(item) = item(output, event) else { return };
    let grown = item.members.get("arguments").to_owned();
    item.members.set_all(start);
    item.members.put("arguments", if grown.is_empty() { "\"\"".to_owned() } else { grown });
    let is_call = start.at("type").is_text("function_call");
    if let Some(name) = string(start, "name").filter(|_| is_call && item.call.is_none()) {
        item.call = Some(call);
        output.calls += 1;
        sink.tool_use(call, name);
    }
}

/// The response so far: the items of the last event; proxies leave them out there, so that those that were done count.
pub(super) fn joined(output: &Assembly) -> String {
    let finished = Document::or_null(output.json.text());
    let (finished, mut json) = (finished.root(), Json::begin("{"));
    if finished.is_null() {
        output.members.write(&mut json, RAW_MEMBER);
    }
    json.members(finished, MEMBER, "output");
    let items = finished.at("output");
    if items.items().next().is_some() {
        json.value("\"output\":%v", items);
    } else {
        json.lit("\"output\":[");
        for item in &output.slots {
            write(item, &mut json, if finished.is_null() { "incomplete" } else { "completed" });
        }
        json.end_list();
    }
    json.end();
    json.finish()
}

const OUTPUT_TEXT: &str = "{\"type\":\"output_text\",\"text\":%v}";
const REFUSAL: &str = "{\"type\":\"refusal\",\"refusal\":%v}";

/// The item as it came, or what there is of it. Reasoning that was not done is of no use to anyone, nor is a call in an
/// answer that is not over.
fn write(item: &Slot, json: &mut Json, status: &str) {
    if !item.done.is_empty() {
        return json.one("%r", &item.done);
    }
    if item.call.is_none() && item.texts.is_empty() {
        return;
    }
    json.one("{\"status\":%q", status);
    if !item.members.has("type") {
        json.lit("\"type\":\"message\"");
    }
    for (name, value) in item.members.list() {
        if name != "content" && name != "status" {
            json.two(MEMBER, name, value);
        }
    }
    json.lit("\"content\":[");
    for (place, text) in item.texts.list() {
        let is_refusal = matches!(place.as_bytes(), [b'r', ..]);
        json.one(if is_refusal { REFUSAL } else { OUTPUT_TEXT }, text);
    }
    json.lit("]}");
}

fn number(event: Value<'_>, name: &str) -> i64 {
    event.at(name).integer_or(0)
}
