//! What a stream shows while it runs.

use std::mem::take;

use crate::error::part;
use crate::json::{Document, JsonStr, Value, concat, decimal};

use super::body::{Json, code_unit};
use super::cut::Cut;
use super::state::State;

/// How far a stream has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The answer is not complete.
    No,
    /// The answer is complete; more about it may follow.
    Maybe,
    /// Nothing follows.
    Yes,
}

/// Where an [`Assembly`](super::stream::Assembly) puts what can be shown.
#[derive(Debug)]
pub(super) struct Sink {
    pub(super) state: State,
    /// Whether the provider has said that it is done: without that, the stream was cut off.
    pub(super) ended: Ended,
    /// A stop sequence was found.
    pub(super) stopped: bool,
    /// What is new, each a JSON object.
    deltas: Json,
    cut: Cut,
    half: String,
}

impl Sink {
    pub(super) fn new(state: State) -> Self {
        let (cut, half) = (Cut::new(state.stops()), String::new());
        Self { state, ended: Ended::No, stopped: false, deltas: Json::default(), cut, half }
    }

    /// More text of the answer.
    pub(super) fn text(&mut self, piece: JsonStr<'_>) {
        if !self.stopped {
            let text = self.cut.push(&join(&mut self.half, piece));
            self.stopped = self.cut.stopped.is_some();
            self.show(TEXT, &text);
        }
    }

    /// A run of text is over: a stop sequence does not go on in the next.
    #[inline(never)]
    pub(super) fn end_text(&mut self) {
        if !self.stopped {
            let held = self.cut.flush();
            self.show(TEXT, &held);
        }
    }

    /// More of what the model thinks.
    pub(super) fn reasoning(&mut self, piece: JsonStr<'_>) {
        self.show("{\"type\":\"reasoning\",\"text\":%q}", &piece.decode());
    }

    /// A call begins; the index counts the calls of the answer.
    pub(super) fn tool_use(&mut self, index: usize, name: JsonStr<'_>) {
        let mut name = name.value().text();
        if let Some(original) = self.state.original_name(&name) {
            name = original.value().text();
        }
        self.deltas.two("{\"type\":\"toolUse\",\"index\":%r,\"name\":%q}", &decimal(index as i64), &name);
    }

    /// A call that comes at once.
    pub(super) fn whole_call(&mut self, index: usize, name: JsonStr<'_>, arguments: Value<'_>) {
        self.tool_use(index, name);
        self.whole_tool_input(index, if arguments.is_missing() { "{}" } else { arguments.raw() });
    }

    /// More arguments of a call.
    pub(super) fn tool_input(&mut self, index: usize, piece: JsonStr<'_>) {
        if !piece.is_empty() {
            self.whole_tool_input(index, &piece.decode());
        }
    }

    /// All arguments of a call at once, as JSON.
    pub(super) fn whole_tool_input(&mut self, index: usize, json: &str) {
        self.deltas.two("{\"type\":\"toolInput\",\"index\":%r,\"json\":%q}", &decimal(index as i64), json);
    }

    /// An event was read.
    pub(super) fn end_event(&mut self) {
        if self.stopped {
            self.deltas.lit("{\"type\":\"stop\"}");
        } else if self.ended != Ended::No {
            self.end_text();
        }
    }

    /// What is new since the last time.
    pub(super) fn take(&mut self) -> String {
        concat(&["[", take(&mut self.deltas).text(), "]"])
    }

    #[inline(never)]
    fn show(&mut self, form: &str, text: &str) {
        if !text.is_empty() {
            self.deltas.one(form, text);
        }
    }
}

const TEXT: &str = "{\"type\":\"text\",\"text\":%q}";

/// The text of a piece. Half of a surrogate pair at its end waits in `half`, as an escape, for the other half, which the
/// next piece begins with.
#[inline(never)]
pub(super) fn join(half: &mut String, piece: JsonStr<'_>) -> String {
    let raw = piece.raw();
    let at = raw.len().saturating_sub(6);
    let end = raw.as_bytes().get(at..).unwrap_or_default();
    let ends_in_half = (0xd800..0xdc00).contains(&code_unit(end));
    let at = if ends_in_half { at } else { raw.len() };
    let (now, later) = (part(raw, 0, at), part(raw, at, raw.len()));
    let text = Document::or_null(&concat(&["\"", half, now, "\""]));
    later.clone_into(half);
    text.root().text()
}
