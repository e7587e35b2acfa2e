//! A stream (`ChatCompletionChunk`), with the liberties that servers take, that adds up to a `ChatCompletion`.

use crate::json::{Document, JsonStr, Kind, Value};

use super::super::Provider;
use super::super::body::{Json, MEMBER, RAW_MEMBER, next_word};
use super::super::failure::{filled, string};
use super::super::members::Members;
use super::super::sink::{Ended, Sink};
use super::super::state::State;
use super::super::stream::Assembly;
use super::super::workers_ai::content;
use super::reply::function_in;

/// The completion so far.
#[derive(Debug)]
pub(in super::super) struct Completion {
    provider: Provider,
    /// Text is not shown while it comes, as it may turn out to be calls.
    quiet: bool,
    /// `id`, `model`, `usage` and `service_tier`: the last that was not null.
    members: Members,
    /// Members of the message that grow, each as it stands between its quotes.
    grown: Members,
    calls: Vec<Slot>,
    /// As it stands between its quotes.
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
    /// The arguments, where they came as an object, and more that belongs to the call.
    whole: String,
    extra: String,
}

impl Assembly for Completion {
    fn event(&mut self, chunk: Value<'_>, sink: &mut Sink) {
        self.members.keep(chunk, "id model usage service_tier");
        let choices = chunk.at("choices");
        if self.provider == Provider::WorkersAi && choices.is_missing() {
            let (content, data) = content(chunk, chunk);
            self.said(chunk, chunk, data.as_ref().map_or(content, Document::root), sink);
        }
        for choice in choices.items() {
            if is_first(choice) {
                // Some servers send the message whole, in a chunk of its own.
                let delta = choice.get("delta").unwrap_or_else(|| choice.at("message"));
                self.said(choice, delta, delta.at("content"), sink);
            }
        }
    }

    fn reply(&mut self) -> String {
        let mut json = Json::default();
        json.lit("{");
        self.members.write(&mut json, RAW_MEMBER);
        json.lit("\"choices\":[{\"message\":{\"role\":\"assistant\"");
        self.grown.write(&mut json, MEMBER);
        if !self.calls.is_empty() {
            json.lit("\"tool_calls\":[");
            for slot in &self.calls {
                slot.write(&mut json);
            }
            json.lit("]");
        }
        json.lit("}");
        if let Some(reason) = &self.finish_reason {
            json.one("\"finish_reason\":\"%v\"", reason);
        }
        json.lit("}]}");
        json.finish()
    }
}

impl Completion {
    pub(in super::super) fn new(state: &State) -> Self {
        let quiet = state.own_flag("textIsCalls") || state.own_flag("quiet");
        let (members, grown) = (Members::default(), Members::default());
        Self { provider: state.provider, quiet, members, grown, calls: const { Vec::new() }, finish_reason: None }
    }

    #[inline(never)]
    fn said(&mut self, choice: Value<'_>, delta: Value<'_>, content: Value<'_>, sink: &mut Sink) {
        let mut names = "content refusal reasoning_content reasoning";
        while let Some(name) = next_word(&mut names) {
            let value = if name == "content" { content } else { delta.at(name) };
            let Some(piece) = value.as_str().filter(|piece| !piece.is_empty()) else { continue };
            self.grown.grow(name, piece.raw());
            match name {
                "content" if self.quiet => {}
                "content" | "refusal" => sink.text(piece),
                _ => sink.reasoning(piece),
            }
        }
        for call in delta.at("tool_calls").items() {
            self.call(call, function_in(call, self.provider), sink);
        }
        let old = delta.at("function_call");
        if !old.is_null() {
            self.call(old, old, sink);
        }
        if let Some(reason) = string(choice, "finish_reason") {
            self.finish_reason = Some(reason.raw().to_owned());
            sink.ended = Ended::Maybe;
        }
    }

    fn call(&mut self, call: Value<'_>, function: Value<'_>, sink: &mut Sink) {
        let (name, arguments) = (filled(function, "name"), function.at("arguments"));
        let (id, extra) = (filled(call, "id"), call.at("extra_content"));
        // Workers AI ends a call with one where all members are null.
        let is_empty = arguments.is_null() || arguments.raw() == "\"\"";
        if name.is_none() && id.is_none() && extra.is_null() && is_empty {
            return;
        }
        let at = self.slot_for(id, call.at("index"), name.is_some());
        let Some(slot) = self.calls.get_mut(at) else { return };
        if let Some(name) = name.filter(|_| slot.name.is_empty()) {
            slot.name.push_str(name.raw());
            sink.tool_use(at, name);
        }
        if !extra.is_null() {
            extra.raw().clone_into(&mut slot.extra);
        }
        if let Some(piece) = arguments.as_str() {
            slot.arguments.push_str(piece.raw());
            sink.tool_input(at, piece);
        } else if arguments.kind() == Kind::Object {
            arguments.raw().clone_into(&mut slot.whole);
            sink.whole_tool_input(at, arguments.raw());
        }
    }

    /// Which call a fragment belongs to. An id that is new begins a call even where its index is taken; an index finds
    /// the newest call that has it; without either a name begins a call, and the rest goes to the last.
    fn slot_for(&mut self, id: Option<JsonStr<'_>>, index: Value<'_>, has_name: bool) -> usize {
        let index = Some(index.integer_or(i64::MIN)).filter(|index| *index != i64::MIN);
        let id = id.map_or("", JsonStr::raw);
        let new = self.calls.len();
        let mut by_index = new;
        for (at, slot) in self.calls.iter().enumerate().rev() {
            if !id.is_empty() && slot.id == id {
                return at;
            }
            if by_index == new && index.is_some() && slot.index == index {
                by_index = at;
            }
        }
        let found = match id.is_empty() {
            false => new,
            true if by_index < new => by_index,
            true if has_name || new == 0 => new,
            true => new - 1,
        };
        if found == new {
            self.calls.push(Slot { index, id: id.to_owned(), ..Slot::default() });
        }
        found
    }
}

impl Slot {
    fn write(&self, json: &mut Json) {
        json.one("{\"id\":\"%v\",\"function\":{", &self.id);
        if !self.name.is_empty() {
            json.one("\"name\":\"%v\"", &self.name);
        }
        match self.arguments.is_empty() && !self.whole.is_empty() {
            true => json.one("\"arguments\":%r}", &self.whole),
            false => json.one("\"arguments\":\"%v\"}", &self.arguments),
        }
        if !self.extra.is_empty() {
            json.one("\"extra_content\":%r", &self.extra);
        }
        json.lit("}");
    }
}

pub(in super::super) fn is_first(choice: Value<'_>) -> bool {
    choice.at("index").integer_or(0) == 0
}
