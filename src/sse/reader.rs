//! The parser: bytes in, one event out at a time.

use std::mem;
use std::sync::Arc;

use super::line::{line_end, number, split, text};
use super::{Event, EventTooLarge};

/// Cuts the bytes of one response into events, and keeps none: [`EventStream`](super::EventStream) without its queue.
///
/// Each byte is looked at once and copied once, or twice if its line is spread over chunks, so the time is linear for any
/// chunks.
#[derive(Debug)]
pub struct EventReader {
    max_buffer_bytes: usize,
    /// The start of a line whose end has not come yet.
    partial: Vec<u8>,
    /// The last byte was a CR: it ended a line, and an LF that follows belongs to it.
    after_cr: bool,
    /// A line has been read: no byte order mark can come any more.
    begun: bool,
    last_id: Option<Arc<str>>,
    /// Bytes of the open event's lines so far, comments and unknown fields left out. The event is the one whose blank
    /// line has not come yet.
    size: usize,
    event: Option<Box<str>>,
    data: Option<Vec<u8>>,
    id: Option<Arc<str>>,
    retry_ms: Option<u64>,
}

impl EventReader {
    /// A reader that holds at most `max_buffer_bytes` of one event: its lines together, without line ends, and any
    /// comment or unknown field by itself. The buffer grows by doubling, so up to twice as much may be allocated.
    pub fn new(max_buffer_bytes: usize) -> Self {
        Self {
            max_buffer_bytes,
            partial: Vec::new(),
            after_cr: false,
            begun: false,
            last_id: None,
            size: 0,
            event: None,
            data: None,
            id: None,
            retry_ms: None,
        }
    }

    /// The next event, and `chunk` without what was read of it. `None` when all of the chunk has been read.
    ///
    /// # Errors
    ///
    /// [`EventTooLarge`] if an event does not fit. The stream is over then, and every further reading fails.
    pub fn read(&mut self, chunk: &mut &[u8]) -> Result<Option<Event>, EventTooLarge> {
        loop {
            if self.after_cr && !chunk.is_empty() {
                self.after_cr = false;
                *chunk = chunk.strip_prefix(b"\n").unwrap_or(chunk);
            }
            let end = line_end(chunk);
            let (line, rest) = chunk.split_at_checked(end).unwrap_or_default();
            self.make_room(line.len())?;
            let Some((end, rest)) = rest.split_first() else {
                self.partial.extend_from_slice(line);
                *chunk = rest;
                return Ok(None);
            };
            self.after_cr = *end == b'\r';
            *chunk = rest;
            if let Some(event) = self.line(line) {
                return Ok(Some(event));
            }
        }
    }

    /// What is left once the response has ended: the last event may lack its blank line, even the end of its line. Such
    /// an event does not bring an id or a waiting time: it may have been cut, and who resumed after it would never see it
    /// whole.
    pub fn finish(&mut self) -> Option<Event> {
        let event = self.event.take();
        if !self.partial.is_empty() {
            self.line(b"");
        }
        (self.event, self.id, self.retry_ms) = (event, None, None);
        self.dispatch()
    }

    /// Counts `more` bytes of the open line against the limit.
    fn make_room(&mut self, more: usize) -> Result<(), EventTooLarge> {
        let limit = self.max_buffer_bytes;
        if self.size.saturating_add(self.partial.len()).saturating_add(more) <= limit {
            return Ok(());
        }
        // With this size nothing fits any more: a failed stream stays failed.
        (self.size, self.partial, self.data) = (usize::MAX, Vec::new(), None);
        Err(EventTooLarge { limit })
    }

    /// A line is complete; `end` is what this chunk has of it.
    fn line(&mut self, end: &[u8]) -> Option<Event> {
        let (mut joined, mut line) = (mem::take(&mut self.partial), end);
        if !joined.is_empty() {
            joined.extend_from_slice(end);
            line = &joined;
        }
        if !mem::replace(&mut self.begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        let (size, (name, value)) = (line.len(), split(line));
        match (name, &mut self.data) {
            (b"data", Some(data)) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            (b"data", None) if joined.is_empty() => self.data = Some(value.to_vec()),
            (b"data", None) => {
                // The buffer becomes the data: a large message is spread over many chunks, and is worth one copy less.
                let from = joined.len() - value.len();
                joined.drain(..from);
                self.data = Some(joined);
            }
            (b"event", _) => self.event = (!matches!(value, b"" | b"message")).then(|| text(value).into()),
            (b"id", _) if !value.contains(&0) => self.id = Some(text(value).into()),
            (b"id", _) => {}
            (b"retry", _) => self.retry_ms = number(value).or(self.retry_ms),
            _ if size == 0 => {
                self.size = 0;
                return self.dispatch();
            }
            _ => return None,
        }
        self.size += size;
        None
    }

    /// The open event, if there is anything to tell.
    fn dispatch(&mut self) -> Option<Event> {
        let (event, data) = (self.event.take(), self.data.take().unwrap_or_default());
        let (id, retry_ms) = (self.id.take(), self.retry_ms.take());
        if data.is_empty() && id.is_none() && retry_ms.is_none() {
            return None;
        }
        if id.is_some() {
            self.last_id = id;
        }
        Some(Event { event, data, id: self.last_id.clone(), retry_ms })
    }
}
