//! The parser: bytes in, one event out at a time.

use std::mem;

use super::line::{DATA, EVENT, ID, RETRY, line_end, split, text};
use super::{Event, EventTooLarge};
use crate::json::whole;

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
            partial: const { Vec::new() },
            after_cr: false,
            begun: false,
            open: Event::default(),
            has_data: false,
            size: 0,
        }
    }

    /// Reads on to the end of the next event, and takes what was read off the chunk. Says whether there is an event, which
    /// is then to be [taken](Self::take); if not, all of the chunk has been read.
    ///
    /// # Errors
    ///
    /// [`EventTooLarge`] if an event does not fit. The stream is over then, and every further reading fails.
    pub fn read(&mut self, chunk: &mut &[u8]) -> Result<bool, EventTooLarge> {
        loop {
            if self.after_cr && !chunk.is_empty() {
                self.after_cr = false;
                if let [b'\n', rest @ ..] = *chunk {
                    *chunk = rest;
                }
            }
            let end = line_end(chunk);
            let (line, rest) = chunk.split_at_checked(end).unwrap_or_default();
            self.make_room(line.len())?;
            let Some((end, rest)) = rest.split_first() else {
                self.partial.extend_from_slice(line);
                *chunk = rest;
                return Ok(false);
            };
            self.after_cr = *end == b'\r';
            *chunk = rest;
            if self.line(line) {
                return Ok(true);
            }
        }
    }

    /// The event that was found last.
    pub fn take(&mut self) -> Event {
        mem::take(&mut self.open)
    }

    /// Takes back the buffer of an event that was taken, emptied, for the next one.
    pub(crate) fn reuse(&mut self, data: Vec<u8>) {
        self.open.data = data;
    }

    /// What that event says.
    pub(crate) fn data(&self) -> &Vec<u8> {
        &self.open.data
    }

    /// Says whether an event is left once the response has ended: the last one may lack its blank line, even the end of
    /// its line. Such an event does not bring an id or a waiting time: it may have been cut, and who resumed after it would
    /// never see it whole.
    pub fn finish(&mut self) -> bool {
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
        (self.size, self.partial, self.open) = (usize::MAX, const { Vec::new() }, Event::default());
        Err(EventTooLarge { limit })
    }

    /// A line is complete; `end` is what this chunk has of it. Says whether an event is.
    fn line(&mut self, end: &[u8]) -> bool {
        let begun = mem::replace(&mut self.begun, true);
        let mut line = end;
        if !self.partial.is_empty() {
            self.partial.extend_from_slice(end);
            line = &self.partial;
        }
        if line.is_empty() {
            self.size = 0;
            return self.dispatch();
        }
        if !begun {
            line = if let [0xef, 0xbb, 0xbf, line @ ..] = line { line } else { line };
        }
        let (mut size, (field, value)) = (line.len(), split(line));
        let open = &mut self.open;
        match field {
            DATA => {
                if self.has_data {
                    open.data.push(b'\n');
                }
                open.data.extend_from_slice(value);
                self.has_data = true;
            }
            EVENT => {
                let is_usual = value.is_empty() || value.len() == 7 && value.starts_with(b"message");
                open.event = if is_usual { None } else { Some(text(value)) };
            }
            ID if value.iter().all(|byte| *byte != 0) => open.id = Some(text(value)),
            ID => {}
            // A number beyond 64 bits is nobody's waiting time and counts as malformed.
            RETRY => {
                if let Some(retry_ms) = whole(value) {
                    open.retry_ms = Some(retry_ms);
                }
            }
            _ => size = 0,
        }
        self.size += size;
        self.partial = const { Vec::new() };
        false
    }

    /// The open event is complete. Says whether there is anything to tell.
    fn dispatch(&mut self) -> bool {
        self.has_data = false;
        let open = &mut self.open;
        if open.data.is_empty() && open.id.is_none() && open.retry_ms.is_none() {
            open.event = None;
            return false;
        }
        true
    }
}
