//! Event streams (`text/event-stream`): bytes in, events out, whatever the chunks.
//!
//! ```
//! # use mcp_sampling::sse::EventStream;
//! let mut stream = EventStream::new(1 << 20);
//! stream.push(b"event: message\r\ndata: {\"id\":1}\r").unwrap();
//! assert!(stream.next().is_none());
//! stream.push(b"\n\r\n").unwrap();
//! assert_eq!(stream.next().unwrap().data, b"{\"id\":1}");
//! ```
//!
//! The rules are those of the HTML standard ("interpreting an event stream"), except where MCP wants more: a last event
//! that lacks its blank line is not lost ([`EventReader::finish`]), data stays bytes so that the JSON reader, and not a
//! replacement character, says what is wrong with it, and an event without data is told of only if it changes how to
//! resume.
//!
//! Ours, since no crate does all of that (tried: eventsource-stream, sse-codec, sse-core, sse-parse, sse-stream, sseer):
//! the two that cut our fixtures right at every split, sse-core and sse-parse, put replacement characters into the data,
//! lose an event without its blank line or, given one, believe its cut id, and take up to twice our time in wasm.

mod line;
mod reader;

use std::collections::VecDeque;
use std::fmt;

pub(crate) use line::text;
pub use reader::EventReader;

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The event's name; `None` for messages, named so or not named at all.
    pub event: Option<String>,
    /// The data lines, joined by LF. Empty for an event that only brings an id or a waiting time.
    pub data: Vec<u8>,
    /// The last event ID, where it is a new one; from an [`EventStream`], the one as of this event, be it from an earlier
    /// event. `Some("")` means that the server took it back, `None` that there is none.
    pub id: Option<String>,
    /// How long to wait before connecting again, if this event says so. Any number: the waiter sets the bounds.
    pub retry_ms: Option<u64>,
}

impl Event {
    /// True if this is a message to read: not of another name, and not without data as priming events are.
    pub fn is_message(&self) -> bool {
        self.event.is_none() && !self.data.is_empty()
    }
}

/// Cuts the bytes of one response into events, and keeps them until they are taken.
///
/// [`push`](Self::push) what arrives, then take events with [`next`](Iterator::next) until there are none; after the
/// last byte, take the rest with [`finish`](Self::finish).
#[derive(Debug)]
pub struct EventStream {
    reader: EventReader,
    ready: VecDeque<Event>,
    last_id: Option<String>,
}

impl EventStream {
    /// A stream with the limit of an [`EventReader`]. Events that are complete do not count, so take them after each push.
    pub fn new(max_buffer_bytes: usize) -> Self {
        Self { reader: EventReader::new(max_buffer_bytes), ready: VecDeque::new(), last_id: None }
    }

    /// Takes the next bytes of the response.
    ///
    /// # Errors
    ///
    /// [`EventTooLarge`] if an event does not fit. The stream is over then: events before it can still be taken, every
    /// further push fails.
    pub fn push(&mut self, mut chunk: &[u8]) -> Result<(), EventTooLarge> {
        while self.reader.read(&mut chunk)? {
            let event = self.take();
            self.ready.push_back(event);
        }
        Ok(())
    }

    fn take(&mut self) -> Event {
        let mut event = self.reader.take();
        match &event.id {
            Some(id) => self.last_id = Some(id.clone()),
            None => event.id.clone_from(&self.last_id),
        }
        event
    }

    /// As [`next`](Iterator::next), once the response has ended; see [`EventReader::finish`].
    pub fn finish(&mut self) -> Option<Event> {
        self.next().or_else(|| self.reader.finish().then(|| self.take()))
    }
}

/// The events that are complete. `None` means that more bytes are needed, and is no end.
impl Iterator for EventStream {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }
}

/// An event, or a single line, is larger than the buffer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTooLarge {
    /// The limit in bytes, as given to [`EventReader::new`].
    pub limit: usize,
}

impl fmt::Display for EventTooLarge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an event of the stream is larger than ")?;
        fmt::Display::fmt(&self.limit, formatter)?;
        formatter.write_str(" bytes")
    }
}

impl std::error::Error for EventTooLarge {}
