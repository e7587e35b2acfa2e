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
//! that lacks its blank line is not lost ([`EventStream::finish`]), data stays bytes so that the JSON reader, and not a
//! replacement character, says what is wrong with it, and an event without data is told of only if it changes how to
//! resume.
//!
//! Ours, since no crate does all of that (tried: eventsource-stream, sse-codec, sse-core, sse-parse, sse-stream, sseer):
//! the two that cut our fixtures right at every split, sse-core and sse-parse, put replacement characters into the data,
//! lose an event without its blank line or, given one, believe its cut id, and take up to twice our time in wasm.

mod line;

use std::collections::VecDeque;
use std::fmt;
use std::mem;
use std::sync::Arc;

use line::{Field, number, read, split_at_line_end, text};

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    /// The event's name; `None` for messages, named so or not named at all.
    pub event: Option<Box<str>>,
    /// The data lines, joined by LF. Empty for an event that only brings an id or a waiting time.
    pub data: Vec<u8>,
    /// The last event ID as of this event: the newest one of this stream, be it from an earlier event. `Some("")` means
    /// that the server took it back, `None` that there has been none yet.
    pub id: Option<Arc<str>>,
    /// How long to wait before connecting again, if this event says so. Any number: the waiter sets the bounds.
    pub retry_ms: Option<u64>,
}

impl Event {
    /// True if this is a message to read: not of another name, and not without data as priming events are.
    pub fn is_message(&self) -> bool {
        self.event.is_none() && !self.data.is_empty()
    }
}

/// Cuts the bytes of one response into events.
///
/// [`push`](Self::push) what arrives, then take events with [`next`](Iterator::next) until there are none; after the
/// last byte, take the rest with [`finish`](Self::finish). Each byte is looked at once and copied once, or twice if its
/// line is spread over chunks, so the time is linear for any chunks.
#[derive(Debug)]
pub struct EventStream {
    max_buffer_bytes: usize,
    /// The start of a line whose end has not come yet.
    partial: Vec<u8>,
    /// The last byte was a CR: it ended a line, and an LF that follows belongs to it.
    after_cr: bool,
    /// No line has been read: a byte order mark may still come.
    at_start: bool,
    open: Open,
    last_id: Option<Arc<str>>,
    ready: VecDeque<Event>,
}

/// The event whose blank line has not come yet.
#[derive(Debug, Default)]
struct Open {
    /// Bytes of its lines so far, comments and unknown fields left out.
    size: usize,
    event: Option<Box<str>>,
    data: Option<Vec<u8>>,
    id: Option<Arc<str>>,
    retry_ms: Option<u64>,
}

impl EventStream {
    /// A stream that holds at most `max_buffer_bytes` of one event: its lines together, without line ends, and any
    /// comment or unknown field by itself. Events that are complete do not count, so take them after each push. The
    /// buffer grows by doubling, so up to twice as much may be allocated.
    pub fn new(max_buffer_bytes: usize) -> Self {
        Self {
            max_buffer_bytes,
            partial: Vec::new(),
            after_cr: false,
            at_start: true,
            open: Open::default(),
            last_id: None,
            ready: VecDeque::new(),
        }
    }

    /// Takes the next bytes of the response.
    ///
    /// # Errors
    ///
    /// [`EventTooLarge`] if an event does not fit. The stream is over then: events before it can still be taken, every
    /// further push fails.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), EventTooLarge> {
        let second_of_crlf = self.after_cr && chunk.starts_with(b"\n");
        self.after_cr &= chunk.is_empty();
        let mut rest = chunk.get(usize::from(second_of_crlf)..).unwrap_or_default();
        while let Some((line, tail)) = split_at_line_end(rest) {
            self.line(line)?;
            rest = self.skip_line_end(tail);
        }
        self.make_room(rest.len())?;
        self.partial.extend_from_slice(rest);
        Ok(())
    }

    /// As [`next`](Iterator::next), once the response has ended: the last event may lack its blank line, even the end of
    /// its line. Such an event does not bring an id or a waiting time: it may have been cut, and who resumed after it
    /// would never see it whole.
    pub fn finish(&mut self) -> Option<Event> {
        let line = mem::take(&mut self.partial);
        if let (Field::Data, value) = self.read(&line) {
            self.open.add_data(value);
        }
        let (event, data) = (self.open.event.take(), self.open.data.take().unwrap_or_default());
        if !data.is_empty() {
            self.ready.push_back(Event { event, data, id: self.last_id.clone(), retry_ms: None });
        }
        self.next()
    }

    /// Counts `more` bytes of the open line against the limit.
    fn make_room(&mut self, more: usize) -> Result<(), EventTooLarge> {
        let limit = self.max_buffer_bytes;
        if self.open.size.saturating_add(self.partial.len()).saturating_add(more) <= limit {
            return Ok(());
        }
        self.partial = Vec::new();
        // With this size nothing fits any more: a failed stream stays failed.
        self.open = Open { size: usize::MAX, ..Open::default() };
        Err(EventTooLarge { limit })
    }

    /// A line is complete; `end` is what this chunk has of it.
    fn line(&mut self, end: &[u8]) -> Result<(), EventTooLarge> {
        self.make_room(end.len())?;
        if self.partial.is_empty() {
            let (field, value) = self.read(end);
            self.apply(field, value);
        } else {
            self.joined_line(end);
        }
        Ok(())
    }

    /// As `line`, for one that began in an earlier chunk.
    fn joined_line(&mut self, end: &[u8]) {
        let mut line = mem::take(&mut self.partial);
        line.extend_from_slice(end);
        let (field, value) = self.read(&line);
        if field != Field::Data || self.open.data.is_some() {
            return self.apply(field, value);
        }
        // The buffer becomes the data: a large message is spread over many chunks, and is worth one copy less.
        line.drain(..line.len() - value.len());
        self.open.data = Some(line);
    }

    /// `tail` begins with the end of a line; what comes after it. The LF of a CRLF may be in the next chunk.
    fn skip_line_end<'c>(&mut self, tail: &'c [u8]) -> &'c [u8] {
        match tail {
            [b'\r', b'\n', rest @ ..] => rest,
            [end, rest @ ..] => {
                self.after_cr = *end == b'\r' && rest.is_empty();
                rest
            }
            [] => tail,
        }
    }

    /// Reads one whole line, and counts it if it belongs to the event.
    fn read<'l>(&mut self, mut line: &'l [u8]) -> (Field, &'l [u8]) {
        if mem::take(&mut self.at_start) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        let (field, value) = read(line);
        if field != Field::Ignored {
            self.open.size += line.len();
        }
        (field, value)
    }

    fn apply(&mut self, field: Field, value: &[u8]) {
        match field {
            Field::Data => self.open.add_data(value),
            Field::Event => self.open.event = (!matches!(value, b"" | b"message")).then(|| text(value).into()),
            Field::Id if !value.contains(&0) => self.open.id = Some(text(value).into()),
            Field::Retry => self.open.retry_ms = number(value).or(self.open.retry_ms),
            Field::End => self.dispatch(),
            Field::Id | Field::Ignored => {}
        }
    }

    fn dispatch(&mut self) {
        let Open { event, data, id, retry_ms, .. } = mem::take(&mut self.open);
        let data = data.unwrap_or_default();
        if data.is_empty() && id.is_none() && retry_ms.is_none() {
            return;
        }
        if id.is_some() {
            self.last_id = id;
        }
        self.ready.push_back(Event { event, data, id: self.last_id.clone(), retry_ms });
    }
}

/// The events that are complete. `None` means that more bytes are needed, and is no end.
impl Iterator for EventStream {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }
}

impl Open {
    fn add_data(&mut self, line: &[u8]) {
        match &mut self.data {
            None => self.data = Some(line.to_vec()),
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(line);
            }
        }
    }
}

/// An event, or a single line, is larger than the buffer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTooLarge {
    /// The limit in bytes, as given to [`EventStream::new`].
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
