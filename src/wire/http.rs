//! Streamable HTTP as data: how the reply to a request is read.
//! Specification: basic/transports/streamable-http.

use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use super::fault::{self, Details};
pub use super::headers::{header_value, request_headers};
use super::message::{self, Message, malformed};
use crate::error::{Code, Error};
use crate::json::{Document, Kind, SyntaxError, Value, ValueId};
use crate::sse::{Event, EventStream};

/// The largest message that is taken from a server, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 << 20;
/// How long to wait before taking a stream up again, if the server does not say, in milliseconds; twice as long each
/// time it brought nothing, up to the longest.
const RETRY_MS: u64 = 1000;
const MAX_RETRY_MS: u64 = 30_000;
/// However soon the server says.
const MIN_RETRY_MS: u64 = 100;
/// Engines' timers fire at once past this.
const LONGEST_TIMER_MS: u64 = i32::MAX as u64;
/// How often a stream is taken up again in a row when it brings nothing.
const MAX_INTERRUPTIONS: u32 = 5;

/// How the body of a reply is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// All of it at once.
    Whole,
    /// As it comes.
    Stream,
    /// Not at all.
    None,
}

/// What a reply brought.
#[derive(Debug)]
pub enum Incoming {
    /// The result of the request. The reply is settled; what follows it does not matter.
    Result {
        /// The message.
        document: Rc<Document>,
        /// The `result` in it.
        result: ValueId,
        /// The size of the message in bytes.
        bytes: usize,
    },
    /// There will be no result.
    Failed(Error),
    /// The message was one that has no answer, and the server took it.
    Accepted,
    /// A notification that belongs to the request.
    Notification {
        /// The message.
        document: Rc<Document>,
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<ValueId>,
    },
    /// A request that the server pushes. Specification of 2025-11-25: basic/transports.
    Request {
        /// The message.
        document: Rc<Document>,
        /// Its id.
        id: ValueId,
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<ValueId>,
    },
    /// The stream ended early, and goes on in another one that is asked for with this id as `Last-Event-ID`.
    Interrupted {
        /// The id of the last event.
        last_event_id: String,
        /// How long to wait before asking, in milliseconds.
        retry_ms: f64,
    },
    /// Something the server must not send here; it was dropped. A sentence for the host.
    Violation(&'static str),
}

/// The reply to one request, from its head to its end. Feed it, then take out what it found with [`Exchange::poll`].
pub struct Exchange {
    /// Nothing on a stream that the client only listens to.
    id: Option<u32>,
    legacy: bool,
    /// What was sent has no answer.
    is_notice: bool,
    last_event_id: String,
    /// As the server says.
    retry_ms: Option<u64>,
    /// How often the stream was taken up again without an event since.
    interruptions: u32,
    status: u16,
    details: Details,
    events: Option<EventStream>,
    found: VecDeque<Incoming>,
    settled: bool,
}

impl Exchange {
    /// The reply to the request with this id, in revision 2026-07-28.
    pub fn new(id: u32) -> Self {
        Self {
            id: Some(id),
            legacy: false,
            is_notice: false,
            last_event_id: String::new(),
            retry_ms: None,
            interruptions: 0,
            status: 0,
            details: Details::default(),
            events: None,
            found: VecDeque::new(),
            settled: false,
        }
    }

    /// As [`Exchange::new`] in a session of 2025, where servers push requests and streams can be taken up again. Without
    /// an id it is the stream that is only listened to.
    pub fn legacy(id: Option<u32>) -> Self {
        Self { id, legacy: true, ..Self::new(0) }
    }

    /// What the server makes of a message that has no answer.
    pub fn notice() -> Self {
        Self { is_notice: true, ..Self::new(0) }
    }

    /// What the head says besides its status; told before it.
    pub fn set_details(&mut self, details: Details) {
        self.details = details;
    }

    /// The head came. Says how the body is to be read.
    pub fn head(&mut self, status: u16, content_type: &str) -> Body {
        self.status = status;
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_success = self.is_success();
        if self.is_notice && is_success {
            self.settle(Incoming::Accepted);
            return Body::None;
        }
        if is_success && media_type == "text/event-stream" {
            self.events = Some(EventStream::new(MAX_MESSAGE_BYTES));
            return Body::Stream;
        }
        if !is_success || media_type == "application/json" {
            return Body::Whole;
        }
        self.settle(Incoming::Failed(fault::unexpected_content(status, &media_type)));
        Body::None
    }

    /// The whole body, for [`Body::Whole`].
    pub fn body(&mut self, bytes: Vec<u8>) {
        // The server is out for a while.
        if self.id.is_none() && self.status >= 500 && self.interrupt() {
            return;
        }
        let read = if self.is_success() { self.success(bytes) } else { Err(self.failure(bytes)) };
        match read {
            Ok(all) => all.into_iter().for_each(|incoming| self.take(incoming)),
            Err(error) => self.settle(Incoming::Failed(error)),
        }
    }

    /// A piece of the body, for [`Body::Stream`].
    pub fn chunk(&mut self, bytes: &[u8]) {
        let Some(events) = &mut self.events else { return };
        let pushed = events.push(bytes);
        // What is complete before an event that does not fit may be the answer.
        while let Some(event) = self.events.as_mut().and_then(Iterator::next) {
            self.event(event);
        }
        if pushed.is_err() {
            self.settle(Incoming::Failed(fault::too_large()));
        }
    }

    /// The body ended. A stream that ends without having answered has failed.
    pub fn end(&mut self) {
        while let Some(event) = self.events.as_mut().and_then(EventStream::finish) {
            // The last one may have been cut in the middle: then the stream ended early, and nobody wrote bad JSON.
            if Document::parse(event.data.clone()).is_ok() {
                self.event(event);
            }
        }
        if self.settled || self.interrupt() {
            return;
        }
        let message = "The event stream ended before the answer came";
        self.settle(Incoming::Failed(Error::new(Code::ConnectionClosed, message)));
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
        let grown = RETRY_MS.saturating_mul(1 << self.interruptions.min(8)).min(MAX_RETRY_MS);
        let retry_ms = self.retry_ms.unwrap_or(grown).clamp(MIN_RETRY_MS, LONGEST_TIMER_MS) as f64;
        self.interruptions = self.interruptions.saturating_add(1);
        self.status = 0;
        self.found.push_back(Incoming::Interrupted { last_event_id: self.last_event_id.clone(), retry_ms });
        true
    }

    /// What was found next.
    pub fn poll(&mut self) -> Option<Incoming> {
        self.found.pop_front()
    }

    /// A channel took the message, which is all there is to wait for if it has no answer.
    pub fn delivered(&mut self) {
        if self.is_notice {
            self.settle(Incoming::Accepted);
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

    fn event(&mut self, event: Event) {
        // A server that says when to come back is at work.
        if event.is_message() || event.retry_ms.is_some() {
            self.interruptions = 0;
        }
        self.retry_ms = event.retry_ms.or(self.retry_ms);
        if let Some(id) = &event.id {
            self.last_event_id = id.as_ref().to_owned();
        }
        if self.settled || !event.is_message() {
            return;
        }
        match self.messages(event.data, true) {
            Ok(all) => all.into_iter().for_each(|incoming| self.take(incoming)),
            // On a stream that is only listened to, one bad message is no reason to stop listening.
            Err(_) if self.id.is_none() => self.found.push_back(Incoming::Violation("a malformed message was dropped")),
            Err(error) => self.settle(Incoming::Failed(error)),
        }
    }

    fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Result { .. } | Incoming::Failed(_) => self.settle(incoming),
            _ if self.settled => {}
            _ => self.found.push_back(incoming),
        }
    }

    fn success(&self, bytes: Vec<u8>) -> Result<Vec<Incoming>, Error> {
        if bytes.is_empty() {
            return Err(fault::unexpected_content(self.status, ""));
        }
        if bytes.len() > MAX_MESSAGE_BYTES {
            return Err(fault::too_large());
        }
        let all = self.messages(bytes, false)?;
        let answers = |incoming: &Incoming| matches!(incoming, Incoming::Result { .. } | Incoming::Failed(_));
        if all.iter().any(answers) { Ok(all) } else { Err(malformed("expected the answer to the request")) }
    }

    fn messages(&self, bytes: Vec<u8>, others_follow: bool) -> Result<Vec<Incoming>, Error> {
        let media_type = if others_follow { "text/event-stream" } else { "application/json" };
        self.read_all(bytes, others_follow).map_err(|error| error.with("contentType", media_type))
    }

    /// Reads a message, or in revisions that have them, a batch.
    fn read_all(&self, bytes: Vec<u8>, others_follow: bool) -> Result<Vec<Incoming>, Error> {
        let size = bytes.len();
        let not_json = |error: SyntaxError| malformed(&error.to_string()).with_number("offset", error.offset as i64);
        let document = Rc::new(Document::parse(bytes).map_err(not_json)?);
        let root = document.root();
        if self.legacy && root.kind() == Kind::Array {
            return root.items().map(|message| self.read(&document, message, size, true)).collect();
        }
        self.read(&document, root, size, others_follow).map(|incoming| vec![incoming])
    }

    fn read(
        &self,
        document: &Rc<Document>,
        message: Value<'_>,
        bytes: usize,
        others_follow: bool,
    ) -> Result<Incoming, Error> {
        let document = Rc::clone(document);
        Ok(match message::read(message)? {
            Message::Response(response) if self.id.is_some_and(|id| response.answers(id)) => match response.outcome {
                Ok(result) => Incoming::Result { result: result.id(), document, bytes },
                Err(error) => Incoming::Failed(error),
            },
            Message::Response(_) if others_follow => Incoming::Violation("a response to another request was dropped"),
            Message::Response(_) => return Err(malformed("it answers another request")),
            Message::Request { id, method, params } if self.legacy => {
                let (id, method, params) = (id.id(), method.into_owned(), params.map(Value::id));
                Incoming::Request { document, id, method, params }
            }
            Message::Request { .. } => Incoming::Violation("a request on a reply's stream was dropped"),
            Message::Notification { method, params } => {
                let (method, params) = (method.into_owned(), params.map(Value::id));
                Incoming::Notification { document, method, params }
            }
        })
    }

    /// A status that is no success: the JSON-RPC error in its body, if there is one, else the status itself. What
    /// guards the server answers 401 and 403 for it, whatever it writes into the body.
    fn failure(&self, bytes: Vec<u8>) -> Error {
        let start = String::from_utf8_lossy(bytes.get(..bytes.len().min(400)).unwrap_or_default()).into_owned();
        let error = || fault::status(self.status, &start, &self.details);
        if matches!(self.status, 401 | 403) {
            return error();
        }
        match self.messages(bytes, false).map(|all| all.into_iter().next()) {
            Ok(Some(Incoming::Failed(error))) => error,
            _ => error(),
        }
    }

    fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    fn settle(&mut self, incoming: Incoming) {
        if !self.settled {
            self.settled = true;
            self.found.push_back(incoming);
        }
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Exchange(HTTP {})", self.status)
    }
}
