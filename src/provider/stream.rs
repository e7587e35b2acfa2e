//! Streams: what they show while they run, and the reply they add up to.

use crate::error::Error;
use crate::json::{Document, JsonStr, Value, quote};

use super::Provider;
use super::body::code_unit;
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
        let index = |index: &usize| index.to_string();
        match self {
            Self::Text(text) => ["{\"type\":\"text\",\"text\":", &quote(text), "}"].concat(),
            Self::Reasoning(text) => ["{\"type\":\"reasoning\",\"text\":", &quote(text), "}"].concat(),
            Self::ToolUse { index: at, name } => {
                ["{\"type\":\"toolUse\",\"index\":", &index(at), ",\"name\":", &quote(name), "}"].concat()
            }
            Self::ToolInput { index: at, json } => {
                ["{\"type\":\"toolInput\",\"index\":", &index(at), ",\"json\":", &quote(json), "}"].concat()
            }
            Self::Stop => "{\"type\":\"stop\"}".to_owned(),
        }
    }
}

/// What the events of one provider add up to: the reply it would have sent without streaming. That way streams and
/// replies are read by the same code and cannot differ.
pub(super) trait Assembly: std::fmt::Debug {
    /// Takes the data of one event.
    fn event(&mut self, event: Value<'_>, sink: &mut Sink) -> Result<(), Error>;

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

    /// More text of the answer, as it stands between its quotes.
    pub(super) fn text(&mut self, piece: JsonStr<'_>) {
        if self.stopped {
            return;
        }
        let piece = self.halves.join(piece);
        let shown = self.cut.push(&piece);
        self.show(shown.text);
        self.stopped = shown.stopped.is_some();
    }

    /// A run of text is over: a stop sequence does not go on in the next.
    pub(super) fn end_text(&mut self) {
        let held = if self.stopped { String::new() } else { self.cut.flush() };
        self.show(held);
    }

    /// More of what the model thinks.
    pub(super) fn reasoning(&mut self, piece: JsonStr<'_>) {
        if !piece.is_empty() {
            self.deltas.push(Delta::Reasoning(piece.decode().into_owned()));
        }
    }

    /// A call begins.
    pub(super) fn tool_use(&mut self, index: usize, name: &str) {
        self.deltas.push(Delta::ToolUse { index, name: name.to_owned() });
    }

    /// More arguments of a call.
    pub(super) fn tool_input(&mut self, index: usize, piece: JsonStr<'_>) {
        if !piece.is_empty() {
            self.deltas.push(Delta::ToolInput { index, json: piece.decode().into_owned() });
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
    pub(super) fn join(&mut self, piece: JsonStr<'_>) -> String {
        let raw = piece.raw();
        let at = raw.len().saturating_sub(6);
        let ends_in_half = raw.get(at..).and_then(code_unit).is_some_and(|unit| (0xd800..0xdc00).contains(&unit));
        let (now, later) = raw.split_at(if ends_in_half { at } else { raw.len() });
        let text = ["\"", &std::mem::replace(&mut self.0, later.to_owned()), now, "\""].concat();
        let document = Document::from_text(text).ok();
        document.and_then(|text| Some(text.root().as_str()?.decode().into_owned())).unwrap_or_default()
    }
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
        Ok(Self { feed: Feed::new(), sink: Sink::new(&state), assembly, over: false, state })
    }

    /// Takes the next bytes, cut anywhere, and tells what is new.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` if the provider reports an error in the stream, or sends what its API does not have. The answer
    /// is lost then.
    pub fn push(&mut self, chunk: &[u8]) -> Result<Vec<Delta>, Error> {
        self.feed.push(chunk, self.state.provider)?;
        while let Some(data) = self.feed.next() {
            self.event(data)?;
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
            return Err(self.cut_off());
        }
        super::parse_with(&self.state, self.assembly.reply().into_bytes(), None)
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
        let document = Document::parse(data).map_err(|_| not_json(self.state.provider))?;
        self.assembly.event(document.root(), &mut self.sink)?;
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
            if let Delta::ToolUse { name, .. } = delta {
                self.rename(name);
            }
        }
        deltas
    }

    fn rename(&self, name: &mut String) {
        let original =
            self.state.original_name(name).and_then(|raw| Document::from_text(["\"", raw, "\""].concat()).ok());
        if let Some(text) = original.as_ref().and_then(|document| document.root().as_str()) {
            *name = text.decode().into_owned();
        }
    }

    fn cut_off(&self) -> Error {
        invalid_reply(self.state.provider, "stream_ended", "the stream ended before the answer was complete", true)
    }
}

fn not_json(provider: Provider) -> Error {
    invalid_reply(provider, "invalid_reply", "an event of the stream is not JSON", false)
}
