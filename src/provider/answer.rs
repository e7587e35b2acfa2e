//! From a provider's reply to a `CreateMessageResult`, truthfully.

use std::mem::take;

use crate::error::Error;
use crate::json::{Document, JsonStr, Kind, Value, concat, decimal};
use crate::lines;

use super::blank::{plain_trim_end, trim_start};
use super::body::Json;
use super::cut::Cut;
use super::end::{End, end_of};
use super::failure::invalid_reply;
use super::opaque;
use super::state::State;
use super::usage::{at_place, line};
use super::words::Words;

/// An answer, and its blocks, in order, as they are collected.
#[derive(Debug)]
pub(super) struct Answer<'r> {
    pub(super) state: &'r State,
    pub(super) reply: Value<'r>,
    pub(super) places: &'static str,
    /// The provider's own word for the end, and what it stands for. After a limit, what comes last may be cut off.
    pub(super) reason: Value<'r>,
    pub(super) end: End,
    /// Details that are not worth keeping, by our names.
    pub(super) without: &'static str,
    /// The blocks, and how many they are; the last one is open.
    pub(super) blocks: Json,
    pub(super) count: usize,
    /// Opaque items that belong to the open block, and those that belong to the one that comes next.
    opaque: Json,
    pub(super) pending: Json,
    ids: Words,
    pub(super) calls: usize,
    /// The stop sequence that was found here: what comes after is not part of the answer.
    pub(super) stopped: Option<String>,
    /// What was left out, each a JSON object.
    pub(super) dropped: Json,
}

impl<'r> Answer<'r> {
    /// Reads a reply that is no error.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` if it is not one of the provider.
    pub(super) fn read(state: &'r State, reply: Value<'r>) -> Result<String, Error> {
        let adapter = state.provider.adapter();
        let places = adapter.places;
        let mut answer = Self::new(state, reply, places);
        answer.set_reason(answer.find(line::REASON));
        let (content, missing) = (answer.find(line::CONTENT), lines::at(places, line::MISSING));
        if content.is_missing() && !missing.is_empty() {
            return Err(answer.invalid("invalid_reply", missing, false));
        }
        (adapter.read)(content, &mut answer)?;
        Ok(answer.finish())
    }

    fn new(state: &'r State, reply: Value<'r>, places: &'static str) -> Self {
        let mut ids = Words::default();
        for id in state.ids() {
            ids.insert(id.text().as_bytes(), "");
        }
        Self {
            state,
            reply,
            places,
            reason: reply.nothing(),
            end: End::Done,
            without: "",
            blocks: Json::default(),
            count: 0,
            opaque: Json::default(),
            pending: Json::default(),
            ids,
            calls: 0,
            stopped: None,
            dropped: Json::default(),
        }
    }

    /// The provider's word for the end is known.
    pub(super) fn set_reason(&mut self, reason: Value<'r>) {
        (self.reason, self.end) = (reason, end_of(reason, self.places));
    }

    /// If the provider has no word for the end, there may be one elsewhere.
    pub(super) fn reason_or(&mut self, other: Value<'r>) {
        if !self.reason.is(Kind::String) {
            self.reason = other;
        }
    }

    /// What stands where this line of the places says.
    #[inline(never)]
    pub(super) fn find(&self, line: usize) -> Value<'r> {
        at_place(self.reply, lines::at(self.places, line))
    }

    /// The error for a reply that is not what the provider's API promises.
    #[inline(never)]
    pub(super) fn invalid(&self, kind: &'static str, message: &'static str, retryable: bool) -> Error {
        invalid_reply(self.state.provider, kind, message, retryable)
    }

    /// Adds text, up to the first stop sequence that is looked for here. Empty text is no block.
    pub(super) fn text(&mut self, text: JsonStr<'_>) {
        if self.state.stops().next().is_none() {
            return self.text_block("{\"type\":\"text\",\"text\":\"%v\"", text.raw());
        }
        let mut cut = Cut::new(self.state.stops());
        let mut shown = cut.push(&text.value().text());
        shown.push_str(&cut.flush());
        self.text_block("{\"type\":\"text\",\"text\":%q", &shown);
        if self.stopped.is_none() {
            self.stopped = cut.stopped;
        }
    }

    fn text_block(&mut self, form: &str, text: &str) {
        if !text.is_empty() {
            self.block(form, &[text]);
        }
    }

    /// Adds an image (`image`) or sound (`audio`).
    pub(super) fn media(&mut self, kind: &str, mime_type: &str, data: JsonStr<'_>) {
        self.block("{\"type\":%q,\"data\":\"%v\",\"mimeType\":%q", &[kind, data.raw(), mime_type]);
    }

    /// Adds a call, with an object as its input, or a string with the text of one. A call that a limit cut off is left
    /// out and reported; that can only be the `last` thing.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` if the arguments are no JSON object though nothing was cut off; they are in `data.input`.
    pub(super) fn call(&mut self, id: Value<'_>, name: JsonStr<'_>, input: Value<'_>, last: bool) -> Result<(), Error> {
        if self.stopped.is_some() {
            return Ok(());
        }
        let (text, length) = (input.text(), self.end == End::Length);
        // Nothing at all means no arguments: models without a parameter to fill send that.
        let blank = trim_start(&text).is_empty();
        let nothing = blank || plain_trim_end(trim_start(&text)) == "null";
        let document = Document::from_text(text).unwrap_or_default();
        let object = if input.is(Kind::String) { document.root() } else { input };
        let arguments = match object.kind() {
            Kind::Object => Some(object.raw()),
            Kind::Null if nothing => Some("{}"),
            _ => None,
        };
        // A text that is complete JSON was not cut off, of the rest one cannot know.
        match arguments.filter(|_| !(length && last && blank)) {
            Some(input) => self.call_block(id, name.raw(), input),
            None if length => self.drop_block("tool_use", Some(name.raw()), "maxTokens cut the call off"),
            None => return Err(self.bad_arguments(name, input)),
        }
        Ok(())
    }

    fn call_block(&mut self, id: Value<'_>, wire: &str, input: &str) {
        let id = self.unique_id(id);
        let name = match self.state.original_name(wire) {
            Some(name) => name.raw(),
            None => wire,
        };
        self.calls += 1;
        self.block("{\"type\":\"tool_use\",\"id\":\"%v\",\"name\":\"%v\",\"input\":%r", &[&id, name, input]);
    }

    fn bad_arguments(&self, name: JsonStr<'_>, input: Value<'_>) -> Error {
        let message = "the model wrote arguments of a tool that are not a JSON object";
        let error = self.invalid("invalid_tool_input", message, true);
        error.with("tool", &name.value().text()).with_raw("input", input.raw())
    }

    /// The id between its quotes: the provider's, or a new one if there is none or it was there before.
    fn unique_id(&mut self, id: Value<'_>) -> String {
        let (mut number, mut raw, mut known) = (self.calls, String::new(), false);
        if let Some(id) = id.as_str() {
            raw.push_str(id.raw());
            known = !self.ids.insert(&id.meaning(), "");
        }
        while known || raw.is_empty() {
            raw = concat(&[MINTED, &decimal(self.state.turn()), "_", &decimal(number as i64)]);
            known = !self.ids.insert(raw.as_bytes(), "");
            number += 1;
        }
        raw
    }

    #[inline(never)]
    fn block(&mut self, form: &str, parts: &[&str]) {
        if self.stopped.is_none() {
            self.any_block(form, parts);
        }
    }

    #[inline(never)]
    pub(super) fn any_block(&mut self, form: &str, parts: &[&str]) {
        self.close_block();
        self.blocks.put(form, parts);
        self.count += 1;
        self.opaque = take(&mut self.pending);
    }

    pub(super) fn close_block(&mut self) {
        if self.count > 0 {
            opaque::write(&mut self.blocks, self.state.provider, &self.state.family(), self.opaque.text());
            self.blocks.end();
        }
    }

    /// Keeps something only the provider understands with the block that comes next; `form` has a place for it.
    #[inline(never)]
    pub(super) fn opaque(&mut self, form: &str, part: Value<'_>) {
        if self.stopped.is_none() {
            self.pending.value(form, part);
        }
    }

    /// Keeps something that came after a block with that block; with the next one if there is none yet.
    pub(super) fn opaque_after(&mut self, form: &str, part: Value<'_>) {
        if self.count == 0 {
            self.opaque(form, part);
        } else if self.stopped.is_none() {
            self.opaque.value(form, part);
        }
    }

    /// Reports something that is not in the result; `what` and `name` are as they stand between quotes.
    #[inline(never)]
    pub(super) fn drop_block(&mut self, what: &str, name: Option<&str>, reason: &str) {
        self.dropped.one("{\"what\":\"%v\"", what);
        if let Some(name) = name {
            self.dropped.one("\"name\":\"%v\"", name);
        }
        self.dropped.one("\"reason\":%q}", reason);
    }
}

/// How ids begin that were made here because the provider gave none.
pub(super) const MINTED: &str = "mcps_";
