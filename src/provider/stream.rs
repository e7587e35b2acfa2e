//! Streams: the reply that they add up to.

use std::mem::take;

use crate::error::Error;
use crate::json::{Document, Value};
use crate::sse::EventReader;

use super::body::Json;
use super::failure::{Failure, invalid_reply};
use super::members::Members;
use super::prompt_api::Unfold;
use super::sink::{Ended, Sink};
use super::state::State;

/// The most bytes of one event: a finished image or a long chain of reasoning, and no more.
const MAX_EVENT_BYTES: usize = 64 << 20;

/// What the events of a stream add up to: the reply that the provider would have sent without streaming. That way streams
/// and replies are read by the same code and cannot differ. Each adapter uses what it needs.
#[derive(Debug)]
pub(super) struct Assembly {
    /// Members of the reply.
    pub(super) members: Members,
    /// Members of a part of it.
    pub(super) inner: Members,
    /// What comes in pieces: blocks, items, calls.
    pub(super) slots: Vec<Slot>,
    /// How many calls there were.
    pub(super) calls: usize,
    /// What is complete, or what goes on, as JSON.
    pub(super) json: Json,
    /// Where the text stands that goes on.
    pub(super) open: (i64, i64),
    /// For answers that the model was made to write as JSON.
    pub(super) unfold: Unfold,
}

impl Assembly {
    const EMPTY: Self = Self {
        members: Members::EMPTY,
        inner: Members::EMPTY,
        slots: Vec::new(),
        calls: 0,
        json: Json::EMPTY,
        open: NOT_OPEN,
        unfold: Unfold::EMPTY,
    };

    /// A new slot, in this place.
    #[inline(never)]
    pub(super) fn add(&mut self, at: usize, index: i64) -> Option<&mut Slot> {
        let (members, texts, done) = (Members::EMPTY, Members::EMPTY, const { String::new() });
        self.slots.insert(at, Slot { index, members, texts, done, call: None });
        self.slots.get_mut(at)
    }
}

/// No text goes on.
pub(super) const NOT_OPEN: (i64, i64) = (i64::MIN, 0);

/// Something that comes in pieces.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) index: i64,
    pub(super) members: Members,
    /// Its texts, by their places.
    pub(super) texts: Members,
    /// All of it, once it is done.
    pub(super) done: String,
    /// Which call of the answer this is, if it is one.
    pub(super) call: Option<usize>,
}

/// Reads a running reply: push its bytes as they come, then take the result.
///
/// A reply that turns out to be one JSON text and no stream is read as such.
#[derive(Debug)]
pub struct Accumulator {
    sink: Sink,
    assembly: Assembly,
    /// All bytes, unless it is a stream.
    bytes: Vec<u8>,
    is_stream: bool,
    reader: EventReader,
}

impl Accumulator {
    /// For the reply to the request that came with this state.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if the state is not one of `build`.
    pub fn new(state: &str) -> Result<Self, Error> {
        let state = State::from_json(state)?;
        Ok(Self {
            sink: Sink::new(state),
            assembly: const { Assembly::EMPTY },
            bytes: const { Vec::new() },
            is_stream: false,
            reader: EventReader::new(MAX_EVENT_BYTES),
        })
    }

    /// Takes the next bytes, cut anywhere, and tells what is new, for showing it: a JSON array of deltas. The result does
    /// not depend on them.
    ///
    /// | delta | meaning |
    /// |---|---|
    /// | `{"type":"text","text":…}` | more text of the answer; a stop sequence is never in it |
    /// | `{"type":"reasoning","text":…}` | more of what the model thinks, where the provider shows it |
    /// | `{"type":"toolUse","index":…,"name":…}` | the model begins to call a tool, by the name that the request has; the index counts the calls of this answer, from 0 |
    /// | `{"type":"toolInput","index":…,"json":…}` | more of the arguments of a call, as pieces of a JSON text |
    /// | `{"type":"stop"}` | a stop sequence was found: the answer is complete, cancel the request |
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` if the provider reports an error in the stream, or sends what its API does not have. The answer
    /// is lost then.
    pub fn push(&mut self, chunk: &[u8]) -> Result<String, Error> {
        let (mut begun, goes_on) = (Vec::new(), self.is_stream);
        if !goes_on {
            self.bytes.extend_from_slice(chunk);
            // An event stream cannot begin with a bracket: no field has such a name.
            self.is_stream = !matches!(first_byte(&self.bytes), None | Some(b'{' | b'['));
            if self.is_stream {
                begun = take(&mut self.bytes);
            }
        }
        let mut rest = if goes_on { chunk } else { begun.as_slice() };
        loop {
            match self.reader.read(&mut rest) {
                Ok(false) => return Ok(self.sink.take()),
                Ok(true) => self.event()?,
                Err(_) => return Err(self.invalid("an event of the stream is larger than 64 MiB")),
            }
        }
    }

    /// True once nothing more is needed: the provider is done, or a stop sequence was found.
    pub fn is_done(&self) -> bool {
        self.sink.stopped || self.sink.ended == Ended::Yes
    }

    /// The `CreateMessageResult` as JSON text, once the reply has ended or [`is_done`](Self::is_done).
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR`, retryable, if the stream was cut off; as [`parse`](super::parse) otherwise.
    pub fn finish(mut self) -> Result<String, Error> {
        self.end()
    }

    /// As [`finish`](Self::finish), for what is dropped then.
    pub(crate) fn end(&mut self) -> Result<String, Error> {
        let mut bytes = take(&mut self.bytes);
        if self.is_stream || first_byte(&bytes).is_none() {
            // The last event may lack its blank line.
            if self.reader.finish() {
                self.event()?;
            }
            if !self.is_done() && self.sink.ended == Ended::No {
                let message = "the stream ended before the answer was complete";
                return Err(invalid_reply(self.sink.state.provider, "stream_ended", message, true));
            }
            bytes = self.reply().into_bytes();
        }
        super::parse_with(&self.sink.state, bytes, 0)
    }

    /// Takes the event that was read.
    fn event(&mut self) -> Result<(), Error> {
        let data = self.reader.take().data;
        if data.is_empty() || self.is_done() {
            return Ok(());
        }
        if data == b"[DONE]" {
            self.sink.ended = Ended::Yes;
        } else {
            let Ok(document) = Document::parse(data) else {
                return Err(self.invalid("an event of the stream is not JSON"));
            };
            let (event, provider) = (document.root(), self.sink.state.provider);
            let mut failure = Failure::new(event);
            if (provider.adapter().event_failure)(event, &mut failure) {
                return Err(failure.to_error(provider, 0));
            }
            self.add(event);
        }
        self.sink.end_event();
        Ok(())
    }

    /// Takes an event that is no error.
    pub(super) fn add(&mut self, event: Value<'_>) {
        (self.sink.state.provider.adapter().event)(&mut self.assembly, event, &mut self.sink);
    }

    /// The reply so far, as JSON text.
    pub(super) fn reply(&self) -> String {
        (self.sink.state.provider.adapter().reply)(&self.assembly)
    }

    #[inline(never)]
    fn invalid(&self, message: &'static str) -> Error {
        invalid_reply(self.sink.state.provider, "invalid_reply", message, false)
    }
}

/// The first byte of a reply that is no blank; nothing if it has not come. Less than a byte order mark is no beginning yet.
fn first_byte(bytes: &[u8]) -> Option<u8> {
    let start = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => rest,
        _ => bytes,
    };
    start.trim_ascii_start().first().copied().filter(|byte| !matches!(byte, 0xef | 0xbb))
}
