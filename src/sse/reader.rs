//! The parser: bytes in, one event out at a time.

use std::mem;
use std::sync::Arc;

use super::line::{line_end, number, split};
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
    /// The event whose blank line has not come yet.
    open: Event,
    has_data: bool,
    /// Bytes of its lines so far, comments and unknown fields left out.
    size: usize,
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
            open: Event::default(),
            has_data: false,
            size: 0,
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
        let event = self.open.event.take();
        if !self.partial.is_empty() {
            self.line(b"");
        }
        (self.open.event, self.open.id, self.open.retry_ms) = (event, None, None);
        self.dispatch()
    }

    /// Counts `more` bytes of the open line against the limit.
    fn make_room(&mut self, more: usize) -> Result<(), EventTooLarge> {
        let limit = self.max_buffer_bytes;
        if self.size.saturating_add(self.partial.len()).saturating_add(more) <= limit {
            return Ok(());
        }
        // With this size nothing fits any more: a failed stream stays failed.
        (self.size, self.partial, self.open) = (usize::MAX, Vec::new(), Event::default());
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
        let open = &mut self.open;
        match name {
            b"data" if joined.is_empty() || self.has_data => {
                if self.has_data {
                    open.data.push(b'\n');
                }
                open.data.extend_from_slice(value);
                self.has_data = true;
            }
            b"data" => {
                // The buffer becomes the data: a large message is spread over many chunks, and is worth one copy less.
                let from = joined.len() - value.len();
                joined.drain(..from);
                open.data = joined;
                self.has_data = true;
            }
            b"event" if matches!(value, b"" | b"message") => open.event = None,
            b"event" => open.event = Some(Box::from(&*String::from_utf8_lossy(value))),
            b"id" if value.contains(&0) => {}
            b"id" => open.id = Some(Arc::from(&*String::from_utf8_lossy(value))),
            b"retry" => open.retry_ms = number(value).or(open.retry_ms),
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
        self.has_data = false;
        let mut event = mem::take(&mut self.open);
        if event.data.is_empty() && event.id.is_none() && event.retry_ms.is_none() {
            return None;
        }
        if event.id.is_some() {
            self.last_id = event.id;
        }
        event.id = self.last_id.clone();
        Some(event)
    }
}
