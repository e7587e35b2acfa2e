//! A stream (`ChatCompletionChunk`), with the liberties that servers take, that adds up to a `ChatCompletion`.

use crate::error::Error;
use crate::json::{JsonStr, Kind, Number, Value};

use super::super::Provider;
use super::super::body::Json;
use super::super::failure::string;
use super::super::state::State;
use super::super::stream::{Assembly, Ended, Sink};
use super::reply::{Own, failure};

/// The completion so far.
#[derive(Debug)]
pub(in super::super) struct Completion {
    own: Own,
    /// `id`, `model`, `usage` and `service_tier`: the last that was not null.
    members: Vec<(&'static str, String)>,
    /// Members of the message that grow, each as it stands between its quotes.
    grown: Vec<(&'static str, String)>,
    calls: Vec<Slot>,
    finish_reason: Option<String>,
}

/// A call so far.
#[derive(Debug, Default)]
struct Slot {
    index: Option<i64>,
    /// As they stand between their quotes.
    id: String,
    name: String,
    arguments: String,
    /// The arguments, where they came as an object.
    whole: Option<String>,
    extra: Option<String>,
}

impl Assembly for Completion {
    fn event(&mut self, chunk: Value<'_>, sink: &mut Sink) -> Result<(), Error> {
        if let Some(failure) = failure(chunk) {
            return Err(failure.into_error(Provider::OpenAi, None));
        }
        for name in ["id", "model", "usage", "service_tier"] {
            self.keep(name, chunk.get(name));
        }
        for choice in chunk.get("choices").into_iter().flat_map(Value::items).filter(|choice| is_first(*choice)) {
            self.delta(choice, sink);
            if let Some(reason) = string(choice, "finish_reason") {
                self.finish_reason = Some(reason.raw().to_owned());
            }
        }
        Ok(())
    }

    fn ended(&self) -> Ended {
        if self.finish_reason.is_some() { Ended::Maybe } else { Ended::No }
    }

    fn reply(&mut self) -> String {
        let mut json = Json::with_capacity(1024);
        json.open('{');
        self.members.iter().for_each(|(name, value)| json.key(name).raw(value));
        json.key("choices").open('[');
        json.open('{');
        self.write_message(&mut json);
        if let Some(reason) = &self.finish_reason {
            json.key("finish_reason").joined(&[reason]);
        }
        json.close('}');
        json.close(']');
        json.close('}');
        json.finish()
    }
}

impl Completion {
    pub(in super::super) fn new(state: &State) -> Self {
        let own = Own::read(state);
        Self { own, members: Vec::new(), grown: Vec::new(), calls: Vec::new(), finish_reason: None }
    }

    fn keep(&mut self, name: &'static str, value: Option<Value<'_>>) {
        let Some(value) = value.filter(|value| !value.is_null()) else { return };
        match self.members.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value.raw().to_owned(),
            None => self.members.push((name, value.raw().to_owned())),
        }
    }

    /// Some servers send the message whole, in a chunk of its own.
    fn delta(&mut self, choice: Value<'_>, sink: &mut Sink) {
        let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) else { return };
        for name in ["content", "refusal", "reasoning_content", "reasoning"] {
            if let Some(piece) = string(delta, name).filter(|piece| !piece.is_empty()) {
                self.grow(name, piece, sink);
            }
        }
        for call in delta.get("tool_calls").into_iter().flat_map(Value::items) {
            self.call(call, call.get("function"), sink);
        }
        if let Some(old) = delta.get("function_call").filter(|call| !call.is_null()) {
            self.call(old, Some(old), sink);
        }
    }

    fn grow(&mut self, name: &'static str, piece: JsonStr<'_>, sink: &mut Sink) {
        match self.grown.iter_mut().find(|(known, _)| *known == name) {
            Some((_, grown)) => grown.push_str(piece.raw()),
            None => self.grown.push((name, piece.raw().to_owned())),
        }
        match name {
            "content" if self.own.quiet => {}
            "content" | "refusal" => sink.text(piece),
            _ => sink.reasoning(piece),
        }
    }

    fn call(&mut self, call: Value<'_>, function: Option<Value<'_>>, sink: &mut Sink) {
        let name = function.and_then(|function| string(function, "name")).filter(|name| !name.is_empty());
        let arguments = function.and_then(|function| function.get("arguments"));
        if name.is_none() && says_nothing(call, arguments) {
            return;
        }
        let at = self.slot_for(call, name);
        let Some(slot) = self.calls.get_mut(at) else { return };
        if let Some(name) = name.filter(|_| slot.name.is_empty()) {
            slot.name = name.raw().to_owned();
            sink.tool_use(at, &name.decode());
        }
        if let Some(extra) = call.get("extra_content").filter(|extra| !extra.is_null()) {
            slot.extra = Some(extra.raw().to_owned());
        }
        let Some(arguments) = arguments else { return };
        if let Some(piece) = arguments.as_str() {
            slot.arguments.push_str(piece.raw());
            sink.tool_input(at, piece);
        } else if arguments.kind() == Kind::Object {
            slot.whole = Some(arguments.raw().to_owned());
            sink.whole_tool_input(at, arguments.raw());
        }
    }

    /// Which call a fragment belongs to. An id that is new begins a call even where its index is taken; an index finds
    /// the newest call that has it; without either a name begins a call, and the rest goes to the last.
    fn slot_for(&mut self, call: Value<'_>, name: Option<JsonStr<'_>>) -> usize {
        let id = string(call, "id").filter(|id| !id.is_empty());
        let index = call.get("index").and_then(Value::as_number).and_then(Number::as_safe_integer);
        let by_id = id.and_then(|id| self.calls.iter().rposition(|slot| slot.id == id.raw()));
        let by_index = index.and_then(|index| self.calls.iter().rposition(|slot| slot.index == Some(index)));
        let found = match (id, index) {
            (Some(_), _) => by_id,
            (None, Some(_)) if by_index.is_some() => by_index,
            (None, _) if name.is_some() => None,
            (None, _) => self.calls.len().checked_sub(1),
        };
        found.unwrap_or_else(|| {
            self.calls.push(Slot { index, id: id.map_or("", JsonStr::raw).to_owned(), ..Slot::default() });
            self.calls.len() - 1
        })
    }

    fn write_message(&self, json: &mut Json) {
        json.key("message").open('{');
        json.key("role").text("assistant");
        self.grown.iter().for_each(|(name, grown)| json.key(name).joined(&[grown]));
        if !self.calls.is_empty() {
            json.key("tool_calls").open('[');
            self.calls.iter().for_each(|slot| slot.write(json));
            json.close(']');
        }
        json.close('}');
    }
}

impl Slot {
    fn write(&self, json: &mut Json) {
        json.open('{');
        json.key("id").joined(&[&self.id]);
        json.key("function").open('{');
        if !self.name.is_empty() {
            json.key("name").joined(&[&self.name]);
        }
        match &self.whole {
            Some(whole) if self.arguments.is_empty() => json.key("arguments").raw(whole),
            _ => json.key("arguments").joined(&[&self.arguments]),
        }
        json.close('}');
        if let Some(extra) = &self.extra {
            json.key("extra_content").raw(extra);
        }
        json.close('}');
    }
}

pub(in super::super) fn is_first(choice: Value<'_>) -> bool {
    choice.get("index").and_then(Value::as_number).and_then(Number::as_safe_integer).unwrap_or(0) == 0
}

/// True for what Workers AI ends a call with, where all members are null.
fn says_nothing(call: Value<'_>, arguments: Option<Value<'_>>) -> bool {
    let has_id = string(call, "id").is_some_and(|id| !id.is_empty());
    let has_more = call.get("extra_content").is_some_and(|extra| !extra.is_null());
    let is_empty = |arguments: Value<'_>| arguments.is_null() || arguments.as_str().is_some_and(JsonStr::is_empty);
    !has_id && !has_more && arguments.is_none_or(is_empty)
}
