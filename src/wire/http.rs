//! Streamable HTTP as data: how the reply to a request is read.
//! Specification: basic/transports/streamable-http.

use std::fmt;

use super::before;
use super::fault;
pub use super::headers::{push_header, request_headers};
pub use super::incoming::{Body, Incoming};
use super::message::{self, malformed};
use crate::error::{Code, Error};
use crate::json::{Document, Kind, Value, ValueId, push_item, whole};
use crate::sse::{EventReader, text};

/// The largest message that is taken from a server, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 << 20;
/// Progress that is larger is not kept for the next one.
const MAX_KEPT_BYTES: usize = 4096;
/// How long to wait before taking a stream up again, if the server does not say, in milliseconds; twice as long each
/// time it brought nothing, up to the longest.
const RETRY_MS: u32 = 1000;
const MAX_RETRY_MS: u32 = 30_000;
/// However soon the server says.
const MIN_RETRY_MS: u64 = 100;
/// Engines' timers fire at once past this.
const LONGEST_TIMER_MS: u64 = i32::MAX as u64;
/// How often a stream is taken up again in a row when it brings nothing.
const MAX_INTERRUPTIONS: u32 = 5;

const JSON: &str = "application/json";
const STREAM: &str = "text/event-stream";

/// The reply to one request, from its head to its end. Feed it, then take out what it found with [`Exchange::poll`].
pub struct Exchange {
    /// Nothing on a stream that the client only listens to.
    id: Option<u32>,
    legacy: bool,
    /// What was sent has no answer.
    is_notice: bool,
    last_event_id: String,
    /// As the server says, within bounds; 0 if it does not.
    retry_ms: u32,
    /// How often the stream was taken up again without an event since.
    interruptions: u32,
    status: u16,
    details: String,
    events: Option<Box<EventReader>>,
    /// Those that were taken out already are gone.
    found: Vec<Option<Incoming>>,
    polled: usize,
    settled: bool,
    /// The progress that was read last, and its `params`.
    last: Option<(Document, ValueId)>,
}

impl Exchange {
    /// The reply to the request with this id, in revision 2026-07-28.
    pub fn new(id: u32) -> Self {
        Self::made(Some(id), false, false)
    }

    /// As [`Exchange::new`] in a session of 2025, where servers push requests and streams can be taken up again. Without
    /// an id it is the stream that is only listened to.
    pub fn legacy(id: Option<u32>) -> Self {
        Self::made(id, true, false)
    }

    /// What the server makes of a message that has no answer.
    pub fn notice() -> Self {
        Self::made(Some(0), false, true)
    }

    #[inline(never)]
    fn made(id: Option<u32>, legacy: bool, is_notice: bool) -> Self {
        Self {
            id,
            legacy,
            is_notice,
            last_event_id: const { String::new() },
            retry_ms: 0,
            interruptions: 0,
            status: 0,
            details: const { String::new() },
            events: None,
            found: Vec::new(),
            polled: 0,
            settled: false,
            last: None,
        }
    }

    /// What the head says besides its status; told before it. In lines: `WWW-Authenticate` of a 401 or 403, `Location` of
    /// a redirect, or nothing; and the words after the status.
    pub fn set_details(&mut self, details: &str) {
        details.clone_into(&mut self.details);
    }

    /// The head came. Says how the body is to be read.
    pub fn head(&mut self, status: u16, content_type: &str) -> Body {
        self.status = status;
        let mut media_type = content_type;
        while let Some(rest) = media_type.strip_prefix(" ") {
            media_type = rest;
        }
        let media_type = before(media_type, "; \t");
        if !self.is_success() {
            return Body::Whole;
        }
        let end = if self.is_notice {
            Incoming::Accepted
        } else if media_type.eq_ignore_ascii_case(STREAM) {
            self.events = Some(Box::new(EventReader::new(MAX_MESSAGE_BYTES)));
            return Body::Stream;
        } else if media_type.eq_ignore_ascii_case(JSON) {
            return Body::Whole;
        } else {
            Incoming::Failed(fault::unexpected_content(status, media_type))
        };
        self.take(end);
        Body::None
    }

    /// The whole body, for [`Body::Whole`].
    pub fn body(&mut self, bytes: Vec<u8>) {
        // The server is out for a while.
        let is_out = self.id.is_none() && self.status >= 500;
        if self.settled || (is_out && self.interrupt()) {
            return;
        }
        let before = self.found.len();
        let error = if self.is_success() { self.success(bytes) } else { self.failure(bytes) };
        if let Some(error) = error {
            self.replace(before, Incoming::Failed(error));
        }
    }

    /// A piece of the body, for [`Body::Stream`].
    pub fn chunk(&mut self, mut bytes: &[u8]) {
        while !self.settled
            && let Some(events) = &mut self.events
        {
            match events.read(&mut bytes) {
                Ok(true) => self.event(),
                Ok(false) => return,
                Err(_) => self.take(Incoming::Failed(fault::too_large())),
            }
        }
    }

    /// The body ended. A stream that ends without having answered has failed.
    pub fn end(&mut self) {
        // The last one may have been cut in the middle: then the stream ended early, and nobody wrote bad JSON.
        if let Some(events) = &mut self.events
            && events.finish()
            && Document::parse(events.data().clone()).is_ok()
        {
            self.event();
        }
        if !self.settled && !self.interrupt() {
            let message = "The event stream ended before the answer came";
            self.take(Incoming::Failed(Error::new(Code::ConnectionClosed, message)));
        }
    }

    /// Asks to take the stream up again, if it can be: an answer can only be waited for after an event with an id; what
    /// is only listened to may begin anew, and as often as the server lets it.
    pub fn interrupt(&mut self) -> bool {
        let goes_on = self.id.is_none() || !self.last_event_id.is_empty();
        let is_open = self.legacy && self.events.is_some() && !self.settled;
        let in_vain = self.interruptions >= MAX_INTERRUPTIONS && (self.id.is_some() || !self.is_success());
        if !is_open || !goes_on || in_vain {
            return false;
        }
        let grown = (RETRY_MS << self.interruptions.min(5)).min(MAX_RETRY_MS);
        let retry_ms = if self.retry_ms > 0 { self.retry_ms } else { grown };
        let last_event_id = self.last_event_id.clone();
        self.interruptions = self.interruptions.wrapping_add(1);
        self.status = 0;
        self.take(Incoming::Interrupted { last_event_id, retry_ms });
        true
    }

    /// What was found next.
    pub fn poll(&mut self) -> Option<Incoming> {
        let next = self.found.get_mut(self.polled).and_then(Option::take);
        self.polled += 1;
        if next.is_none() {
            (self.found, self.polled) = (Vec::new(), 0);
        }
        next
    }

    /// A channel took the message, which is all there is to wait for if it has no answer.
    pub fn delivered(&mut self) {
        if self.is_notice {
            self.take(Incoming::Accepted);
        }
    }

    /// Whether the head came.
    pub fn has_begun(&self) -> bool {
        self.status != 0 || self.events.is_some()
    }

    /// The status of the reply; 0 before it came.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Whether the answer is there, so that the rest need not be read.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// Takes the event that the reader found.
    fn event(&mut self) {
        let Some(events) = &mut self.events else { return };
        let mut event = events.take();
        let is_message = event.is_message();
        // A server that says when to come back is at work.
        if is_message || event.retry_ms.is_some() {
            self.interruptions = 0;
        }
        if let Some(retry_ms) = event.retry_ms {
            self.retry_ms = retry_ms.clamp(MIN_RETRY_MS, LONGEST_TIMER_MS) as u32;
        }
        if let Some(id) = event.id {
            self.last_event_id = id;
        }
        if self.settled || !is_message {
            return;
        }
        if let Some(params) = self.advanced(&event.data) {
            self.progress(params);
            event.data.clear();
            if let Some(events) = &mut self.events {
                events.reuse(event.data);
            }
            return;
        }
        let before = self.found.len();
        if let Err(error) = self.read_all(event.data, true) {
            self.replace(
                before,
                match self.id {
                    Some(_) => Incoming::Failed(error),
                    // On a stream that is only listened to, one bad message is no reason to stop listening.
                    None => Incoming::Violation("a malformed message was dropped"),
                },
            );
        }
    }

    /// Why a success is none, if it is none.
    fn success(&mut self, bytes: Vec<u8>) -> Option<Error> {
        if bytes.is_empty() {
            return Some(fault::unexpected_content(self.status, ""));
        }
        if bytes.len() > MAX_MESSAGE_BYTES {
            return Some(fault::too_large());
        }
        match self.read_all(bytes, false) {
            Ok(()) if self.settled => None,
            Ok(()) => Some(malformed("expected the answer to the request")),
            Err(error) => Some(error),
        }
    }

    /// A status that is no success: the JSON-RPC error in its body, if there is one, else the status itself. What
    /// guards the server answers 401 and 403 for it, whatever it writes into the body.
    fn failure(&mut self, bytes: Vec<u8>) -> Option<Error> {
        let start = text(bytes.get(..400).unwrap_or(&bytes));
        let first = self.found.len();
        if !matches!(self.status, 401 | 403)
            && self.read_all(bytes, false).is_ok()
            && matches!(self.found.get(first), Some(Some(Incoming::Failed(_))))
        {
            return None;
        }
        Some(fault::status(self.status, &start, &self.details))
    }

    /// Reads a message, or in revisions that have them, a batch. After an error, what was found of it must be forgotten,
    /// save for progress.
    fn read_all(&mut self, bytes: Vec<u8>, others_follow: bool) -> Result<(), Error> {
        let read = match Document::parse(bytes) {
            Err(error) => Err(malformed(&error.message()).with_number("offset", error.offset as i64)),
            Ok(document) => {
                let root = document.root();
                if self.legacy && root.is(Kind::Array) {
                    root.items().try_for_each(|message| self.read(&document, message, true))
                } else {
                    self.read(&document, root, others_follow)
                }
            }
        };
        read.map_err(|error| error.with("contentType", if others_follow { STREAM } else { JSON }))
    }

    fn read(&mut self, document: &Document, message: Value<'_>, others_follow: bool) -> Result<(), Error> {
        let message = message::read(message)?;
        let document = document.clone();
        let incoming = if !message.is_answer() {
            if message.is_request() && !self.legacy {
                Incoming::Violation("a request on a reply's stream was dropped")
            } else if self.id.is_some() && message.is_progress() {
                self.progress(message.body.raw());
                // In a batch others stand beside it.
                let is_alone = document.root().is(Kind::Object) && document.text().len() <= MAX_KEPT_BYTES;
                let stands_for_all = is_alone && message.body.at("progress").is(Kind::Number);
                self.last = if stands_for_all { Some((document, message.body.id())) } else { None };
                return Ok(());
            } else {
                let (id, method, params) = (message.id.id(), message.method.id(), message.body.id());
                Incoming::Message { document, id, method, params }
            }
        } else if self.id.is_some_and(|id| message.answers(id)) {
            match message.error {
                Some(error) => Incoming::Failed(error),
                None => Incoming::Result { document, result: message.body.id() },
            }
        } else if others_follow {
            Incoming::Violation("a response to another request was dropped")
        } else {
            return Err(malformed("it answers another request"));
        };
        self.take(incoming);
        Ok(())
    }

    /// The `params` of a message that differs from the progress before in nothing but the number of its `progress`, and in a
    /// whole number now. Most do, and what is read already need not be read again.
    fn advanced<'n>(&self, new: &'n [u8]) -> Option<&'n str> {
        let (last, params) = self.last.as_ref()?;
        let (last, params) = (last.text().as_bytes(), last.value(*params));
        let ((start, end), (params_start, params_end)) = (params.at("progress").place(), params.place());
        let number = new.strip_prefix(last.get(..start)?)?.strip_suffix(last.get(end..)?)?;
        if number.first() == Some(&b'0') || whole(number).is_none() {
            return None;
        }
        str::from_utf8(new.get(params_start..new.len() - (last.len() - params_end))?).ok()
    }

    /// All that one piece of a stream brings in a row is told at once.
    fn progress(&mut self, params: &str) {
        match self.found.last_mut() {
            Some(Some(Incoming::Progress(list))) => push_item(list, params),
            _ => self.take(Incoming::Progress(params.to_owned())),
        }
    }

    fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Keeps what was found. What settles the reply is the last of it.
    fn take(&mut self, incoming: Incoming) {
        if !self.settled {
            self.settled = matches!(incoming, Incoming::Result { .. } | Incoming::Failed(_) | Incoming::Accepted);
            self.found.push(Some(incoming));
        }
    }

    /// Takes back what was found in a reply, which was not settled before, for this.
    fn replace(&mut self, before: usize, incoming: Incoming) {
        self.found.truncate(before);
        self.settled = false;
        self.take(incoming);
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Exchange(HTTP {})", self.status)
    }
}
