//! A stream (`ChatCompletionChunk`), with the liberties that servers take, that adds up to a `ChatCompletion`.

use crate::json::{Document, JsonStr, Kind, Value};

use super::super::Provider;
use super::super::body::{Json, MEMBER, RAW_MEMBER, next_word};
use super::super::failure::{filled, string};
use super::super::sink::{Ended, Sink};
use super::super::stream::{Assembly, Slot};
use super::super::workers_ai::content;
use super::reply::function_in;

/// The index of a call that has none.
const NO_INDEX: i64 = i64::MIN;

/// Takes a chunk. `inner` are members of the message that grow; the slots are calls, all of whose members are the
/// function's too.
pub(in super::super) fn event(completion: &mut Assembly, chunk: Value<'_>, sink: &mut Sink) {
    completion.members.keep(chunk, "id model usage service_tier");
    let choices = chunk.at("choices");
    if sink.state.provider == Provider::WorkersAi && choices.is_missing() {
        let mut data = Document::default();
        said(completion, chunk, chunk, content(chunk, chunk, &mut data), sink);
    }
    for choice in choices.items() {
        if is_first(choice) {
            // Some servers send the message whole, in a chunk of its own.
            let delta = choice.get("delta").unwrap_or_else(|| choice.at("message"));
            said(completion, choice, delta, delta.at("content"), sink);
        }
    }
}

#[inline(never)]
fn said(completion: &mut Assembly, choice: Value<'_>, delta: Value<'_>, content: Value<'_>, sink: &mut Sink) {
    let mut names = "content refusal reasoning_content reasoning";
    while let Some(name) = next_word(&mut names) {
        let value = if name == "content" { content } else { delta.at(name) };
        let Some(piece) = value.as_str().filter(|piece| !piece.is_empty()) else { continue };
        completion.inner.grow(name, piece.raw());
        match name {
            // Text is not shown while it comes where it may turn out to be calls.
            "content" if sink.state.own_flag("textIsCalls") || sink.state.own_flag("quiet") => {}
            "content" | "refusal" => sink.text(piece),
            _ => sink.reasoning(piece),
        }
    }
    for part in delta.at("tool_calls").items() {
        call(completion, part, function_in(part, sink.state.provider), sink);
    }
    let old = delta.at("function_call");
    if !old.is_null() {
        call(completion, old, old, sink);
    }
    if string(choice, "finish_reason").is_some() {
        completion.members.keep(choice, "finish_reason");
        sink.ended = Ended::Maybe;
    }
}

fn call(completion: &mut Assembly, call: Value<'_>, function: Value<'_>, sink: &mut Sink) {
    let (name, arguments) = (filled(function, "name"), function.at("arguments"));
    let (id, extra) = (filled(call, "id"), call.at("extra_content"));
    // Workers AI ends a call with one where all members are null.
    let is_empty = arguments.is_null() || arguments.is_text("");
    if name.is_none() && id.is_none() && extra.is_null() && is_empty {
        return;
    }
    let at = slot_for(completion, id, call.at("index"), name.is_some());
    let Some(Slot { members, .. }) = completion.slots.get_mut(at) else { return };
    if let Some(name) = name.filter(|_| !members.has("name")) {
        members.keep(function, "name");
        sink.tool_use(at, name);
    }
    members.keep(call, "extra_content");
    if let Some(piece) = arguments.as_str() {
        members.grow("arguments", piece.raw());
        sink.tool_input(at, piece);
    } else if arguments.kind() == Kind::Object {
        // What came as text counts more.
        let known = members.get("arguments");
        if known.len() <= 2 || matches!(known.as_bytes(), [b'{', ..]) {
            members.keep(function, "arguments");
        }
        sink.whole_tool_input(at, arguments.raw());
    }
}

/// Which call a fragment belongs to. An id that is new begins a call even where its index is taken; an index finds
/// the newest call that has it; without either a name begins a call, and the rest goes to the last.
fn slot_for(completion: &mut Assembly, id: Option<JsonStr<'_>>, index: Value<'_>, has_name: bool) -> usize {
    let index = index.integer_or(NO_INDEX);
    let token = id.map_or("\"\"", |id| id.value().raw());
    let new = completion.slots.len();
    let mut by_index = new;
    for (at, slot) in completion.slots.iter().enumerate().rev() {
        if id.is_some() && slot.members.get("id") == token {
            return at;
        }
        if by_index == new && index != NO_INDEX && slot.index == index {
            by_index = at;
        }
    }
    let found = match id.is_none() {
        false => new,
        true if by_index < new => by_index,
        true if has_name || new == 0 => new,
        true => new - 1,
    };
    if found == new
        && let Some(slot) = completion.add(new, index)
    {
        slot.members.put("id", token.to_owned());
    }
    found
}

/// The completion so far.
pub(in super::super) fn joined(completion: &Assembly) -> String {
    let mut json = Json::begin("{");
    completion.members.write(&mut json, RAW_MEMBER);
    json.lit("\"choices\":[{\"message\":{\"role\":\"assistant\"");
    completion.inner.write(&mut json, MEMBER);
    if !completion.slots.is_empty() {
        json.lit("\"tool_calls\":[");
        for Slot { members, .. } in &completion.slots {
            json.one("{\"id\":%v,\"function\":{", members.get("id"));
            members.write(&mut json, MEMBER);
            json.end();
            if members.has("extra_content") {
                json.one("\"extra_content\":%r", members.get("extra_content"));
            }
            json.end();
        }
        json.end_list();
    }
    json.end();
    if completion.members.has("finish_reason") {
        json.one("\"finish_reason\":%r", completion.members.get("finish_reason"));
    }
    json.lit("}]}");
    json.finish()
}

pub(in super::super) fn is_first(choice: Value<'_>) -> bool {
    choice.at("index").integer_or(0) == 0
}
