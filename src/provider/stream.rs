//! Streams: what they show while they run, and the reply they add up to.

use crate::error::Error;
use crate::json::{Document, JsonStr, Value, decimal};

use super::body::{Json, code_unit};
use super::cut::Cut;
use super::failure::invalid_reply;
use super::feed::Feed;
use super::state::State;

/// Something new in a running answer, for showing it. The result does not depend on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// More text of the answer. A stop sequence is never in it.
    Text(String),
    /// More of what the model thinks, where the provider shows it.
    Reasoning(String),
    /// The model begins to call a tool; the index counts the calls of this answer.
    ToolUse {
        /// Which call, from 0.
        index: usize,
        /// The tool, by the name that the request has.
        name: String,
    },
    /// More of the arguments of a call, as pieces of a JSON text.
    ToolInput {
        /// Which call, from 0.
        index: usize,
        /// The piece.
        json: String,
    },
    /// A stop sequence was found: the answer is complete, cancel the request.
    Stop,
}

impl Delta {
    /// The delta as a JSON object: `{"type":"text","text":…}`, `reasoning` likewise, `{"type":"toolUse","index":…,
    /// "name":…}`, `{"type":"toolInput","index":…,"json":…}`, `{"type":"stop"}`.
    pub fn to_json(&self) -> String {
        let (kind, index, name, text) = match self {
            Self::Text(text) => ("text", None, "text", text.as_str()),
            Self::Reasoning(text) => ("reasoning", None, "text", text.as_str()),
            Self::ToolUse { index, name } => ("toolUse", Some(*index), "name", name.as_str()),
            Self::ToolInput { index, json } => ("toolInput", Some(*index), "json", json.as_str()),
            Self::Stop => ("stop", None, "", ""),
        };
        let mut json = Json::default();
        json.one("{\"type\":%q", kind);
        if let Some(index) = index {
            json.one("\"index\":%r", &decimal(index as i64));
        }
        if !name.is_empty() {
            json.two("\"%r\":%q", name, text);
        }
        json.lit("}");
        json.finish()
    }
}

/// What the events of one provider add up to: the reply it would have sent without streaming. That way streams and
/// replies are read by the same code and cannot differ.
pub(super) trait Assembly: std::fmt::Debug {
    /// Where an event may have the body of an error, which is looked for first.
    fn suspect<'e>(&self, event: Value<'e>) -> Option<Value<'e>> {
        Some(event)
    }

    /// Takes the data of one event.
    fn event(&mut self, event: Value<'_>, sink: &mut Sink);

    /// Whether the provider has said that it is done: without that, the stream was cut off.
    fn ended(&self) -> Ended;

    /// The reply so far, as JSON text.
    fn reply(&mut self) -> String;
}

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

/// Where an [`Assembly`] puts what can be shown.
#[derive(Debug)]
pub(super) struct Sink {
    deltas: Vec<Delta>,
    cut: Cut,
    stopped: bool,
    halves: Halves,
}

impl Sink {
    fn new(state: &State) -> Self {
        Self { deltas: Vec::new(), cut: Cut::new(&state.stops), stopped: false, halves: Halves::default() }
    }

    /// More text of the answer.
    pub(super) fn text(&mut self, piece: JsonStr<'_>) {
        if self.stopped {
            return;
        }
        let (text, stopped) = self.cut.push(&self.halves.join(piece));
        self.show(text);
        self.stopped = stopped.is_some();
    }

    /// A run of text is over: a stop sequence does not go on in the next.
    #[inline(never)]
    pub(super) fn end_text(&mut self) {
        if !self.stopped {
            let held = self.cut.flush();
            self.show(held);
        }
    }

    /// More of what the model thinks.
    pub(super) fn reasoning(&mut self, piece: JsonStr<'_>) {
        if !piece.is_empty() {
            self.deltas.push(Delta::Reasoning(piece.decode().into_owned()));
        }
    }

    /// A call begins.
    pub(super) fn tool_use(&mut self, index: usize, name: JsonStr<'_>) {
        self.deltas.push(Delta::ToolUse { index, name: name.decode().into_owned() });
    }

    /// More arguments of a call.
    pub(super) fn tool_input(&mut self, index: usize, piece: JsonStr<'_>) {
        if !piece.is_empty() {
            self.whole_tool_input(index, &piece.decode());
        }
    }

    /// All arguments of a call at once, as JSON.
    pub(super) fn whole_tool_input(&mut self, index: usize, json: &str) {
        self.deltas.push(Delta::ToolInput { index, json: json.to_owned() });
    }

    fn show(&mut self, text: String) {
        if !text.is_empty() {
            self.deltas.push(Delta::Text(text));
        }
    }
}

/// Half of a surrogate pair at the end of the last piece of a text, as an escape.
#[derive(Debug, Default)]
pub(super) struct Halves(String);

impl Halves {
    /// The text of a piece. Half of a character waits for the other half, which the next piece begins with.
    #[inline(never)]
    pub(super) fn join(&mut self, piece: JsonStr<'_>) -> String {
        let raw = piece.raw();
        let at = raw.len().saturating_sub(6);
        let end = raw.as_bytes().get(at..).unwrap_or_default();
        let ends_in_half = (0xd800..0xdc00).contains(&code_unit(end));
        let (now, later) = raw.split_at(if ends_in_half { at } else { raw.len() });
        let text = ["\"", &self.0, now, "\""].concat();
        later.clone_into(&mut self.0);
        decoded(text)
    }
}

/// The text that a string token stands for.
fn decoded(token: String) -> String {
    let document = Document::from_text(token).unwrap_or_default();
    document.root().as_str().map(|text| text.decode().into_owned()).unwrap_or_default()
}

/// Reads a running reply: push its bytes as they come, then take the result.
///
/// A reply that turns out to be one JSON text and no stream is read as such.
#[derive(Debug)]
pub struct Accumulator {
    state: State,
    feed: Feed,
    sink: Sink,
    assembly: Box<dyn Assembly>,
    /// `[DONE]` came.
    over: bool,
}

impl Accumulator {
    /// For the reply to the request that came with this state.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if the state is not one of `build`.
    pub fn new(state: &str) -> Result<Self, Error> {
        let state = State::from_json(state)?;
        let assembly = (state.provider.adapter().assembly)(&state);
        Ok(Self { feed: Feed::Empty(Vec::new()), sink: Sink::new(&state), assembly, over: false, state })
    }

    /// Takes the next bytes, cut anywhere, and tells what is new.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` if the provider reports an error in the stream, or sends what its API does not have. The answer
    /// is lost then.
    pub fn push(&mut self, chunk: &[u8]) -> Result<Vec<Delta>, Error> {
        self.read(chunk)?;
        if let Some(bytes) = self.feed.begin() {
            self.read(&bytes)?;
        }
        Ok(self.take_deltas())
    }

    /// True once nothing more is needed: the provider is done, or a stop sequence was found.
    pub fn is_done(&self) -> bool {
        self.sink.stopped || self.over || self.assembly.ended() == Ended::Yes
    }

    /// The `CreateMessageResult` as JSON text, once the reply has ended or [`is_done`](Self::is_done).
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR`, retryable, if the stream was cut off; as [`parse`](super::parse) otherwise.
    pub fn finish(mut self) -> Result<String, Error> {
        if let Feed::Json(bytes) = self.feed {
            return super::parse_with(&self.state, bytes, None);
        }
        if let Some(data) = self.feed.last() {
            self.event(data)?;
        }
        if !self.is_done() && self.assembly.ended() == Ended::No {
            let message = "the stream ended before the answer was complete";
            return Err(invalid_reply(self.state.provider, "stream_ended", message, true));
        }
        super::parse_with(&self.state, self.assembly.reply().into_bytes(), None)
    }

    fn read(&mut self, mut chunk: &[u8]) -> Result<(), Error> {
        while let Some(data) = self.feed.next(&mut chunk, self.state.provider)? {
            self.event(data)?;
        }
        Ok(())
    }

    fn event(&mut self, data: Vec<u8>) -> Result<(), Error> {
        if self.is_done() {
            return Ok(());
        }
        if data == b"[DONE]" {
            self.over = true;
            self.sink.end_text();
            return Ok(());
        }
        let provider = self.state.provider;
        let Ok(document) = Document::parse(data) else {
            return Err(invalid_reply(provider, "invalid_reply", "an event of the stream is not JSON", false));
        };
        let (event, read) = (document.root(), provider.adapter().failure);
        if let Some(failure) = self.assembly.suspect(event).and_then(read) {
            return Err(failure.into_error(provider, None));
        }
        self.assembly.event(event, &mut self.sink);
        if self.sink.stopped {
            self.sink.deltas.push(Delta::Stop);
        } else if self.assembly.ended() != Ended::No {
            self.sink.end_text();
        }
        Ok(())
    }

    fn take_deltas(&mut self) -> Vec<Delta> {
        let mut deltas = std::mem::take(&mut self.sink.deltas);
        for delta in &mut deltas {
            let Delta::ToolUse { name, .. } = delta else { continue };
            if let Some(original) = self.state.original_name(name) {
                *name = decoded(original.raw().to_owned());
            }
        }
        deltas
    }
}
