//! From a provider's reply to a `CreateMessageResult`, truthfully.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::json::{Document, JsonStr, Value, quote};

use super::arguments::{arguments, may_be_cut};
use super::body::Json;
use super::cut::Cut;
use super::end::{End, Facts, stop_reason};
use super::failure::invalid_reply;
use super::opaque;
use super::state::State;
use super::usage::Usage;

/// The key in the `_meta` of a result that tells more than MCP has members for.
pub const ANSWER_KEY: &str = "io.github.mcp-sampling/answer";

/// What is told about a reply beyond its blocks.
#[derive(Debug)]
pub(super) struct Closing<'r> {
    pub(super) end: End,
    /// The provider's own word for the end.
    pub(super) reason: Option<JsonStr<'r>>,
    /// The model that answered.
    pub(super) model: Option<JsonStr<'r>>,
    pub(super) usage: Usage<'r>,
    /// More that is worth keeping, each under its name.
    pub(super) details: Vec<(&'static str, Option<Value<'r>>)>,
}

/// A call of a tool, as the provider sent it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'r> {
    pub(super) id: Option<JsonStr<'r>>,
    pub(super) name: JsonStr<'r>,
    /// An object, or a string with the text of one.
    pub(super) input: Option<Value<'r>>,
    /// Nothing follows it: what a limit cuts off is the last thing.
    pub(super) last: bool,
}

/// The blocks of an answer, in order, as they are collected.
#[derive(Debug)]
pub(super) struct Answer<'s> {
    state: &'s State,
    /// A limit was reached, so what comes last may be cut off.
    length: bool,
    blocks: Vec<Block>,
    /// Opaque items that belong to the block that comes next.
    pending: Vec<String>,
    ids: BTreeMap<Vec<u8>, String>,
    calls: usize,
    /// The stop sequence that was found here: what comes after is not part of the answer.
    stopped: Option<String>,
    /// What was left out, each a JSON object.
    dropped: Vec<String>,
}

#[derive(Debug)]
struct Block {
    /// The members, without braces.
    members: String,
    opaque: Vec<String>,
}

impl<'s> Answer<'s> {
    pub(super) fn new(state: &'s State, end: End) -> Self {
        let ids = state.ids.iter().filter_map(|id| Some((meaning(id)?, String::new()))).collect();
        Self {
            state,
            length: end == End::Length,
            blocks: Vec::new(),
            pending: Vec::new(),
            ids,
            calls: 0,
            stopped: None,
            dropped: Vec::new(),
        }
    }

    /// Adds text, up to the first stop sequence that is looked for here. Empty text is no block.
    pub(super) fn text(&mut self, text: JsonStr<'_>) {
        if self.state.stops.is_empty() {
            return self.text_block(text.raw());
        }
        let mut cut = Cut::new(&self.state.stops);
        let shown = cut.push(&text.decode());
        let quoted = quote(&(shown.text + &cut.flush()));
        self.text_block(quoted.get(1..quoted.len() - 1).unwrap_or_default());
        self.stopped = self.stopped.take().or(shown.stopped);
    }

    fn text_block(&mut self, inner: &str) {
        if !inner.is_empty() {
            self.block("text", |json| json.key("text").joined(&[inner]));
        }
    }

    /// Adds an image (`image`) or sound (`audio`).
    pub(super) fn media(&mut self, kind: &'static str, mime_type: &str, data: JsonStr<'_>) {
        self.block(kind, |json| {
            json.key("data").token(data);
            json.key("mimeType").text(mime_type);
        });
    }

    /// Adds a call. A call that a limit cut off is left out and reported.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` if the arguments are no JSON object though nothing was cut off; they are in `data.input`.
    pub(super) fn call(&mut self, call: Call<'_>) -> Result<(), Error> {
        if self.stopped.is_some() {
            return Ok(());
        }
        match arguments(call.input) {
            Some(input) if !(self.length && call.last && may_be_cut(call.input)) => self.call_block(call, &input),
            _ if self.length => self.drop_block("tool_use", Some(call.name.raw()), "maxTokens cut the call off"),
            _ => return Err(self.bad_arguments(call)),
        }
        Ok(())
    }

    fn call_block(&mut self, call: Call<'_>, input: &str) {
        let id = self.unique_id(call.id);
        let wire = call.name;
        let name = self.state.original_name(wire.raw()).unwrap_or_else(|| wire.raw());
        self.calls += 1;
        self.block("tool_use", |json| {
            json.key("id").joined(&[&id]);
            json.key("name").joined(&[name]);
            json.key("input").raw(input);
        });
    }

    fn bad_arguments(&self, call: Call<'_>) -> Error {
        let error = invalid_reply(
            self.state.provider,
            "invalid_tool_input",
            "the model wrote arguments of a tool that are not a JSON object",
            true,
        );
        error.with("tool", &call.name.decode()).with_raw("input", call.input.map_or("null", Value::raw))
    }

    /// The id between its quotes: the provider's, or a new one if there is none or it was there before.
    fn unique_id(&mut self, id: Option<JsonStr<'_>>) -> String {
        let given = id.filter(|id| !id.is_empty()).filter(|id| !self.ids.contains_key(&*id.meaning()));
        let id = given.map_or_else(|| self.mint(), |id| id.raw().to_owned());
        self.ids.extend(meaning(&id).map(|id| (id, String::new())));
        id
    }

    fn mint(&self) -> String {
        let mut number = self.calls;
        loop {
            let id = [MINTED, &self.state.turn.to_string(), "_", &number.to_string()].concat();
            if !self.ids.contains_key(id.as_bytes()) {
                return id;
            }
            number += 1;
        }
    }

    fn block(&mut self, kind: &'static str, write: impl FnOnce(&mut Json)) {
        if self.stopped.is_some() {
            return;
        }
        let mut json = Json::with_capacity(64);
        json.key("type").text(kind);
        write(&mut json);
        self.blocks.push(Block { members: json.finish(), opaque: std::mem::take(&mut self.pending) });
    }

    /// Keeps something only the provider understands with the block that comes next.
    pub(super) fn opaque(&mut self, item: impl Into<String>) {
        if self.stopped.is_none() {
            self.pending.push(item.into());
        }
    }

    /// Keeps something that came after a block with that block; with the next one if there is none yet.
    pub(super) fn opaque_after(&mut self, item: impl Into<String>) {
        if self.stopped.is_some() {
            return;
        }
        match self.blocks.last_mut() {
            Some(block) => block.opaque.push(item.into()),
            None => self.pending.push(item.into()),
        }
    }

    /// Reports something that is not in the result; `what` and `name` are as they stand between quotes.
    pub(super) fn drop_block(&mut self, what: &str, name: Option<&str>, reason: &str) {
        let mut json = Json::with_capacity(64);
        json.open('{');
        json.key("what").joined(&[what]);
        if let Some(name) = name {
            json.key("name").joined(&[name]);
        }
        json.key("reason").text(reason);
        json.close('}');
        self.dropped.push(json.finish());
    }

    /// The JSON text of the `CreateMessageResult`.
    pub(super) fn finish(mut self, closing: Closing<'_>) -> String {
        if self.blocks.is_empty() && self.state.empty_text {
            let stopped = self.stopped.take();
            self.block("text", |json| json.key("text").text(""));
            self.stopped = stopped;
        }
        if !self.pending.is_empty() && self.stopped.is_none() {
            self.drop_block("state", None, "no block follows that could carry it");
        }
        let mut json =
            Json::with_capacity(self.blocks.iter().map(|block| block.members.len() + 64).sum::<usize>() + 512);
        json.open('{');
        json.key("role").text("assistant");
        self.write_content(&mut json);
        match closing.model.filter(|model| !model.is_empty()) {
            Some(model) => json.key("model").token(model),
            None => json.key("model").text(&self.state.model),
        }
        let facts = Facts { stopped: self.stopped.is_some(), calls: self.calls > 0 };
        json.key("stopReason").text(&stop_reason(closing.end, closing.reason, facts));
        self.write_meta(&mut json, &closing);
        json.close('}');
        json.finish()
    }

    /// A block alone is written as such unless the server offered tools: only such servers read arrays for sure.
    fn write_content(&self, json: &mut Json) {
        let family = self.state.family();
        json.key("content");
        let single = !self.state.tools && self.blocks.len() == 1;
        if !single {
            json.open('[');
        }
        for block in &self.blocks {
            json.open('{');
            json.raw(&block.members);
            opaque::write(json, self.state.provider, &family, &block.opaque);
            json.close('}');
        }
        if !single {
            json.close(']');
        }
    }

    fn write_meta(&self, json: &mut Json, closing: &Closing<'_>) {
        json.key("_meta").open('{');
        closing.usage.write(json);
        json.key(ANSWER_KEY).open('{');
        json.key("provider").text(self.state.provider.as_str());
        if let Some(reason) = closing.reason {
            json.key("stopReason").token(reason);
        }
        for (name, value) in &closing.details {
            let ours = *name == "stopSequence" && self.stopped.is_some();
            if let Some(value) = value.filter(|value| !value.is_null() && !ours) {
                json.key(name).value(value);
            }
        }
        if let Some(stop) = &self.stopped {
            json.key("stopSequence").text(stop);
        }
        if self.state.required && self.calls == 0 {
            json.key("toolChoiceUnmet").raw("true");
        }
        self.write_dropped(json);
        json.close('}');
        json.close('}');
    }

    fn write_dropped(&self, json: &mut Json) {
        if !self.dropped.is_empty() {
            json.key("dropped").open('[');
            self.dropped.iter().for_each(|dropped| json.raw(dropped));
            json.close(']');
        }
    }
}

/// How ids begin that were made here because the provider gave none.
pub(super) const MINTED: &str = "mcps_";

fn meaning(raw: &str) -> Option<Vec<u8>> {
    let document = Document::from_text(["\"", raw, "\""].concat()).ok()?;
    document.root().as_str().map(|id| id.meaning().into_owned())
}
