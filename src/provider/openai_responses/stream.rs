//! A stream (`ResponseStreamEvent`): items by their index, that add up to a `Response`.

use crate::error::Error;
use crate::json::{Document, JsonStr, Number, Value};

use super::super::Provider;
use super::super::body::Json;
use super::super::failure::{Failure, string};
use super::super::stream::{Assembly, Ended, Sink};
use super::reply::failure;

/// The response so far.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// `id` and `model`, as JSON texts; all there is to say of a response that is not finished.
    members: Vec<(&'static str, String)>,
    items: Vec<Item>,
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
    done: Option<String>,
    /// Texts that came since it began, each with its part, its kind, and as it stands between quotes.
    texts: Vec<(i64, &'static str, String)>,
    arguments: String,
    /// Which call of the answer this is, if it is one.
    call: Option<usize>,
}

impl Assembly for Output {
    fn event(&mut self, event: Value<'_>, sink: &mut Sink) -> Result<(), Error> {
        let kind = string(event, "type").map(JsonStr::decode).unwrap_or_default();
        match &*kind {
            "response.created" | "response.in_progress" | "response.queued" => self.begin(event),
            "response.output_item.added" => self.added(event, sink),
            "response.output_item.done" => self.done(event, sink),
            "response.output_text.delta" => self.text("text", event, sink),
            "response.refusal.delta" => self.text("refusal", event, sink),
            "response.function_call_arguments.delta" => self.arguments(event, sink),
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                string(event, "delta").into_iter().for_each(|piece| sink.reasoning(piece));
            }
            "response.completed" | "response.incomplete" | "response.failed" => return self.finish(event),
            // Errors, also those of proxies, which may give them no type; and what the API may add.
            _ => return failure(event).map_or(Ok(()), |failure| Err(refused(failure))),
        }
        Ok(())
    }

    fn ended(&self) -> Ended {
        if self.finished.is_some() { Ended::Yes } else { Ended::No }
    }

    /// The items of the last event; proxies leave them out there, so that those that were done count.
    fn reply(&mut self) -> String {
        let mut json = Json::with_capacity(1024);
        json.open('{');
        let finished = self.finished.as_ref().map(Document::root);
        let output = finished.and_then(|response| response.get("output"));
        for (name, value) in finished.into_iter().flat_map(Value::members).filter(|(name, _)| *name != "output") {
            json.raw_key(name.raw()).value(value);
        }
        if finished.is_none() {
            self.members.iter().for_each(|(name, value)| json.key(name).raw(value));
        }
        match output.filter(|output| output.items().next().is_some()) {
            Some(output) => json.key("output").value(output),
            None => self.write_items(&mut json),
        }
        json.close('}');
        json.finish()
    }
}

impl Output {
    fn begin(&mut self, event: Value<'_>) {
        let Some(response) = event.get("response").filter(|_| self.members.is_empty()) else { return };
        let members = ["id", "model"].map(|name| Some((name, response.get(name)?.raw().to_owned())));
        self.members = members.into_iter().flatten().collect();
    }

    fn finish(&mut self, event: Value<'_>) -> Result<(), Error> {
        let Some(response) = event.get("response") else { return Ok(()) };
        if let Some(failure) = failure(response) {
            return Err(refused(failure));
        }
        self.finished = Document::from_text(response.raw().to_owned()).ok();
        Ok(())
    }

    /// The item with the index of the event; a new one if there is none.
    fn item(&mut self, event: Value<'_>) -> Option<&mut Item> {
        let index = number(event, "output_index");
        // Nearly always the last of all.
        let at = self.items.iter().rposition(|item| item.index == index).unwrap_or(self.items.len());
        if at == self.items.len() {
            self.items.push(Item { index, ..Item::default() });
        }
        self.items.get_mut(at)
    }

    fn added(&mut self, event: Value<'_>, sink: &mut Sink) {
        let Some(start) = event.get("item").and_then(|item| Document::from_text(item.raw().to_owned()).ok()) else {
            return;
        };
        let is_call = start.root().get("type").is_some_and(|kind| kind.raw() == "\"function_call\"");
        let (call, name) = (self.calls, string(start.root(), "name").map(|name| name.decode().into_owned()));
        let Some(item) = self.item(event) else { return };
        item.start = start;
        if let Some(name) = name.filter(|_| is_call && item.call.is_none()) {
            item.call = Some(call);
            self.calls += 1;
            sink.tool_use(call, &name);
        }
    }

    fn done(&mut self, event: Value<'_>, sink: &mut Sink) {
        sink.end_text();
        if let (Some(whole), Some(item)) = (event.get("item"), self.item(event)) {
            item.done = Some(whole.raw().to_owned());
        }
    }

    fn text(&mut self, kind: &'static str, event: Value<'_>, sink: &mut Sink) {
        let Some(piece) = string(event, "delta") else { return };
        let part = number(event, "content_index");
        let place = Some((number(event, "output_index"), part));
        if self.shown != place {
            sink.end_text();
            self.shown = place;
        }
        sink.text(piece);
        let Some(Item { texts, .. }) = self.item(event) else { return };
        match texts.iter_mut().find(|(known, ..)| *known == part) {
            Some((_, _, text)) => text.push_str(piece.raw()),
            None => texts.push((part, kind, piece.raw().to_owned())),
        }
    }

    fn arguments(&mut self, event: Value<'_>, sink: &mut Sink) {
        let (Some(piece), Some(item)) = (string(event, "delta"), self.item(event)) else { return };
        item.arguments.push_str(piece.raw());
        if let Some(call) = item.call {
            sink.tool_input(call, piece);
        }
    }

    fn write_items(&mut self, json: &mut Json) {
        self.items.sort_by_key(|item| item.index);
        json.key("output").open('[');
        let is_over = self.finished.is_some();
        self.items.iter().for_each(|item| item.write(json, is_over));
        json.close(']');
    }
}

impl Item {
    /// The item as it came, or what there is of it. Reasoning that was not done is of no use to anyone, nor is a call in
    /// an answer that is not over.
    fn write(&self, json: &mut Json, is_over: bool) {
        if let Some(done) = &self.done {
            return json.raw(done);
        }
        if self.call.is_none() && self.texts.is_empty() {
            return;
        }
        json.open('{');
        let grown = ["content", "arguments", "status"];
        for (name, value) in self.start.root().members().filter(|(name, _)| !grown.iter().any(|grown| *name == *grown))
        {
            json.raw_key(name.raw()).value(value);
        }
        match self.call {
            Some(_) => {
                json.key("arguments").joined(&[&self.arguments]);
                json.key("status").text(if is_over { "completed" } else { "incomplete" });
            }
            None => self.write_texts(json),
        }
        json.close('}');
    }

    fn write_texts(&self, json: &mut Json) {
        if self.start.root().get("type").is_none() {
            json.key("type").text("message");
        }
        json.key("content").open('[');
        for (_, kind, text) in &self.texts {
            json.open('{');
            json.key("type").text(if *kind == "text" { "output_text" } else { kind });
            json.key(kind).joined(&[text]);
            json.close('}');
        }
        json.close(']');
    }
}

fn number(event: Value<'_>, name: &str) -> i64 {
    event.get(name).and_then(Value::as_number).and_then(Number::as_safe_integer).unwrap_or(0)
}

fn refused(failure: Failure<'_>) -> Error {
    failure.into_error(Provider::OpenAiResponses, None)
}
