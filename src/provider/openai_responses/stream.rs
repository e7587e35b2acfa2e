//! A stream (`ResponseStreamEvent`): items by their index, that add up to a `Response`.

use crate::json::{Document, Value, decimal};

use super::super::body::{Json, MEMBER, RAW_MEMBER};
use super::super::failure::{place_among, string};
use super::super::members::Members;
use super::super::options::copy;
use super::super::stream::{Assembly, Ended, Sink};

/// The events that are known, in the order of [`Output::event`], the most frequent first.
const EVENTS: &str = "response.output_text.delta response.refusal.delta response.function_call_arguments.delta \
                      response.reasoning_summary_text.delta response.reasoning_text.delta \
                      response.output_item.added response.output_item.done response.created response.in_progress \
                      response.queued response.completed response.incomplete response.failed";

fn kind(event: Value<'_>) -> Option<usize> {
    place_among(string(event, "type")?, EVENTS)
}

/// The response so far.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// `id` and `model`, as JSON texts; all there is to say of a response that is not finished.
    members: Members,
    /// By their index.
    #[allow(clippy::vec_box)]
    items: Vec<Box<Item>>,
    calls: usize,
    /// Where the text that is shown stands: the item and the part.
    shown: Option<(i64, i64)>,
    /// The response as the last event has it.
    finished: Option<Document>,
}

/// An item so far.
#[derive(Debug, Default)]
struct Item {
    index: i64,
    /// The item as it began.
    start: Document,
    /// The item as it was when it was done; only then is the reasoning whole.
    done: String,
    /// Texts that came since it began, as they stand between quotes, by their kind and part.
    texts: Members,
    arguments: String,
    /// Which call of the answer this is, if it is one.
    call: Option<usize>,
}

impl Assembly for Output {
    /// Errors, also those of proxies, which may give them no type; and what the API may add.
    fn suspect<'e>(&self, event: Value<'e>) -> Option<Value<'e>> {
        match kind(event) {
            None => Some(event),
            Some(10..) => event.get("response"),
            Some(_) => None,
        }
    }

    fn event(&mut self, event: Value<'_>, sink: &mut Sink) {
        let response = event.at("response");
        match kind(event) {
            Some(7..10) if self.members.is_empty() => {
                self.members.set("id", response.at("id"));
                self.members.set("model", response.at("model"));
            }
            Some(10..) if !response.is_missing() => self.finished = Some(copy(response)),
            Some(5) => self.added(event, sink),
            Some(6) => {
                sink.end_text();
                let whole = event.at("item");
                if let Some(item) = self.item(event).filter(|_| !whole.is_missing()) {
                    whole.raw().clone_into(&mut item.done);
                }
            }
            Some(0) => self.text("text", event, sink),
            Some(1) => self.text("refusal", event, sink),
            Some(2) => self.arguments(event, sink),
            Some(3 | 4) => {
                if let Some(piece) = string(event, "delta") {
                    sink.reasoning(piece);
                }
            }
            _ => {}
        }
    }

    fn ended(&self) -> Ended {
        if self.finished.is_some() { Ended::Yes } else { Ended::No }
    }

    /// The items of the last event; proxies leave them out there, so that those that were done count.
    fn reply(&mut self) -> String {
        let nothing = Document::default();
        let mut json = Json::default();
        json.lit("{");
        match &self.finished {
            Some(finished) => json.members(finished.root(), MEMBER, &["output"]),
            None => self.members.write(&mut json, RAW_MEMBER),
        }
        let output = self.finished.as_ref().unwrap_or(&nothing).root().at("output");
        if output.items().next().is_some() {
            json.one("\"output\":%v", output.raw());
        } else {
            json.lit("\"output\":[");
            self.write_items(&mut json);
            json.lit("]");
        }
        json.lit("}");
        json.finish()
    }
}

impl Output {
    /// The item with the index of the event; a new one, in its place, if there is none.
    fn item(&mut self, event: Value<'_>) -> Option<&mut Item> {
        let index = number(event, "output_index");
        let mut at = self.items.len();
        // Nearly always the last of all.
        while self.items.get(at.wrapping_sub(1)).is_some_and(|item| item.index > index) {
            at -= 1;
        }
        if self.items.get(at.wrapping_sub(1)).is_none_or(|item| item.index != index) {
            self.items.insert(at, Box::new(Item { index, ..Item::default() }));
            at += 1;
        }
        self.items.get_mut(at - 1).map(|item| &mut **item)
    }

    fn added(&mut self, event: Value<'_>, sink: &mut Sink) {
        let start = event.at("item");
        if start.is_missing() {
            return;
        }
        let is_call = start.at("type").raw() == "\"function_call\"";
        let call = self.calls;
        let Some(item) = self.item(event) else { return };
        item.start = copy(start);
        if let Some(name) = string(start, "name").filter(|_| is_call && item.call.is_none()) {
            item.call = Some(call);
            self.calls += 1;
            sink.tool_use(call, name);
        }
    }

    fn text(&mut self, kind: &str, event: Value<'_>, sink: &mut Sink) {
        let Some(piece) = string(event, "delta") else { return };
        let part = number(event, "content_index");
        let place = Some((number(event, "output_index"), part));
        if self.shown != place {
            sink.end_text();
            self.shown = place;
        }
        sink.text(piece);
        if let Some(item) = self.item(event) {
            item.texts.grow(&[kind, &decimal(part)].concat(), piece.raw());
        }
    }

    fn arguments(&mut self, event: Value<'_>, sink: &mut Sink) {
        let (Some(piece), Some(item)) = (string(event, "delta"), self.item(event)) else { return };
        item.arguments.push_str(piece.raw());
        if let Some(call) = item.call {
            sink.tool_input(call, piece);
        }
    }

    fn write_items(&self, json: &mut Json) {
        let status = if self.finished.is_some() { "completed" } else { "incomplete" };
        for item in &self.items {
            item.write(json, status);
        }
    }
}

const OUTPUT_TEXT: &str = "{\"type\":\"output_text\",\"text\":\"%v\"}";
const REFUSAL: &str = "{\"type\":\"refusal\",\"refusal\":\"%v\"}";

impl Item {
    /// The item as it came, or what there is of it. Reasoning that was not done is of no use to anyone, nor is a call in
    /// an answer that is not over.
    fn write(&self, json: &mut Json, status: &str) {
        if !self.done.is_empty() {
            return json.one("%r", &self.done);
        }
        if self.call.is_none() && self.texts.is_empty() {
            return;
        }
        let start = self.start.root();
        json.lit("{");
        json.members(start, MEMBER, &["content", "arguments", "status"]);
        if self.call.is_some() {
            return json.two("\"arguments\":\"%v\",\"status\":%q}", &self.arguments, status);
        }
        if start.at("type").is_missing() {
            json.lit("\"type\":\"message\"");
        }
        json.lit("\"content\":[");
        for (place, text) in self.texts.list() {
            let refused = place.as_bytes().first() == Some(&b'r');
            let form = if refused { REFUSAL } else { OUTPUT_TEXT };
            json.one(form, text);
        }
        json.lit("]}");
    }
}

fn number(event: Value<'_>, name: &str) -> i64 {
    event.at(name).integer_or(0)
}
