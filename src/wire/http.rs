//! Streamable HTTP as data: the headers of a request, and how its reply is read.
//! Specification: basic/transports/streamable-http.

use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::message::{self, Message, malformed};
use super::request::VERSION_KEY;
use crate::error::{Code, Error};
use crate::json::{Document, SyntaxError, Value, ValueId};
use crate::revision::Revision;
use crate::sse::{Event, EventStream};

/// The largest message that is taken from a server, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 << 20;
/// How long to wait before taking a stream up again, if the server does not say, in milliseconds.
const RETRY_MS: u64 = 1000;
/// How often a stream is taken up again in a row when it brings nothing.
const MAX_INTERRUPTIONS: u32 = 5;

/// The headers that say again what the body says: revision, method, and the name or URI that the method is about.
pub fn request_headers(revision: Revision, method: &str, params: Option<Value<'_>>) -> Vec<(&'static str, String)> {
    let text = |value: Option<Value<'_>>| value.and_then(Value::as_str).map(|text| header_value(&text.decode()));
    // A caller's own `_meta` wins in the body, and the header must equal the body.
    let own = params.filter(|_| revision.is_modern()).and_then(|params| params.get("_meta")?.get(VERSION_KEY));
    let version = text(own).unwrap_or_else(|| revision.as_str().to_owned());
    let mut headers = vec![("MCP-Protocol-Version", version), ("Mcp-Method", header_value(method))];
    let named = match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    };
    if let Some(name) = text(named.and_then(|member| params?.get(member))) {
        headers.push(("Mcp-Name", name));
    }
    headers
}

/// The text as it may stand in a header: itself if it is plain ASCII without blanks at its ends, else Base64 of its
/// UTF-8 between marks. Text that looks like the marked form is encoded too, so that it reads as itself.
pub fn header_value(text: &str) -> String {
    let printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if printable && text.trim_matches(' ') == text && !text.starts_with("=?base64?") {
        return text.to_owned();
    }
    let mut marked = String::from("=?base64?");
    marked.push_str(&STANDARD.encode(text));
    marked.push_str("?=");
    marked
}

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
    last_event_id: String,
    retry_ms: u64,
    /// How often the stream was taken up again without an event since.
    interruptions: u32,
    status: u16,
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
            last_event_id: String::new(),
            retry_ms: RETRY_MS,
            interruptions: 0,
            status: 0,
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

    /// The head came. Says how the body is to be read.
    pub fn head(&mut self, status: u16, content_type: &str) -> Body {
        self.status = status;
        let media_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_success = (200..300).contains(&status);
        if is_success && media_type == "text/event-stream" {
            self.events = Some(EventStream::new(MAX_MESSAGE_BYTES));
            return Body::Stream;
        }
        if !is_success || media_type == "application/json" {
            return Body::Whole;
        }
        self.settle(Incoming::Failed(unexpected_content(status, &media_type)));
        Body::None
    }

    /// The whole body, for [`Body::Whole`].
    pub fn body(&mut self, bytes: Vec<u8>) {
        let incoming = match (200..300).contains(&self.status) {
            true => self.success(bytes).unwrap_or_else(Incoming::Failed),
            false => Incoming::Failed(self.failure(bytes)),
        };
        self.settle(incoming);
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
            self.settle(Incoming::Failed(too_large()));
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

    /// Asks to take the stream up again, if it can be.
    pub fn interrupt(&mut self) -> bool {
        let resumable = self.legacy && self.events.is_some() && !self.settled;
        if !resumable || self.last_event_id.is_empty() || self.interruptions >= MAX_INTERRUPTIONS {
            return false;
        }
        self.interruptions += 1;
        let last_event_id = self.last_event_id.clone();
        self.found.push_back(Incoming::Interrupted { last_event_id, retry_ms: self.retry_ms as f64 });
        true
    }

    /// What was found next.
    pub fn poll(&mut self) -> Option<Incoming> {
        self.found.pop_front()
    }

    /// Whether the head came.
    pub fn has_begun(&self) -> bool {
        self.status != 0
    }

    /// Whether the answer is there, so that the rest need not be read.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    fn event(&mut self, event: Event) {
        if event.is_message() {
            self.interruptions = 0;
        }
        self.retry_ms = event.retry_ms.unwrap_or(self.retry_ms);
        if let Some(id) = &event.id {
            self.last_event_id = id.as_ref().to_owned();
        }
        if self.settled || !event.is_message() {
            return;
        }
        match self.message(event.data, true) {
            Ok(incoming @ (Incoming::Result { .. } | Incoming::Failed(_))) => self.settle(incoming),
            Ok(incoming) => self.found.push_back(incoming),
            // On a stream that is only listened to, one bad message is no reason to stop listening.
            Err(_) if self.id.is_none() => self.found.push_back(Incoming::Violation("a malformed message was dropped")),
            Err(error) => self.settle(Incoming::Failed(error)),
        }
    }

    fn success(&self, bytes: Vec<u8>) -> Result<Incoming, Error> {
        if bytes.is_empty() {
            return Err(unexpected_content(self.status, ""));
        }
        if bytes.len() > MAX_MESSAGE_BYTES {
            return Err(too_large());
        }
        match self.message(bytes, false)? {
            incoming @ (Incoming::Result { .. } | Incoming::Failed(_)) => Ok(incoming),
            _ => Err(malformed("expected the answer to the request")),
        }
    }

    fn message(&self, bytes: Vec<u8>, others_follow: bool) -> Result<Incoming, Error> {
        let media_type = if others_follow { "text/event-stream" } else { "application/json" };
        self.read(bytes, others_follow).map_err(|error| error.with("contentType", media_type))
    }

    fn read(&self, bytes: Vec<u8>, others_follow: bool) -> Result<Incoming, Error> {
        let size = bytes.len();
        let not_json = |error: SyntaxError| malformed(&error.to_string()).with_number("offset", error.offset as i64);
        let document = Rc::new(Document::parse(bytes).map_err(not_json)?);
        Ok(match message::read(document.root())? {
            Message::Response(response) if self.id.is_some_and(|id| response.answers(id)) => match response.outcome {
                Ok(result) => {
                    let result = result.id();
                    Incoming::Result { document, result, bytes: size }
                }
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

    /// A status that is no success: the JSON-RPC error in its body, if there is one, else the status itself.
    fn failure(&self, bytes: Vec<u8>) -> Error {
        let start = String::from_utf8_lossy(bytes.get(..bytes.len().min(400)).unwrap_or_default()).into_owned();
        match self.message(bytes, false) {
            Ok(Incoming::Failed(error)) => error,
            _ => status_error(self.status, &start),
        }
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

fn status_error(status: u16, text: &str) -> Error {
    let (code, what) = match status {
        401 => (Code::ClientHttpAuthentication, "the server requires authorization"),
        403 => (Code::ClientHttpForbidden, "the server denied access"),
        _ => (Code::ClientHttpNotImplemented, "expected a JSON-RPC reply"),
    };
    let mut message = String::from("The server answered HTTP ");
    message.push_str(&status.to_string());
    message.push_str(": ");
    message.push_str(what);
    Error::new(code, message).with_number("status", i64::from(status)).with("text", text)
}

fn too_large() -> Error {
    Error::new(Code::ParseError, "The server sent a message larger than 64 MiB")
}

fn unexpected_content(status: u16, media_type: &str) -> Error {
    let mut message = String::from("The server answered HTTP ");
    message.push_str(&status.to_string());
    message.push_str(if media_type.is_empty() { " without a reply" } else { " with content of type " });
    message.push_str(media_type);
    message.push_str("; expected application/json or text/event-stream");
    Error::new(Code::ClientHttpUnexpectedContent, message)
        .with_number("status", i64::from(status))
        .with("contentType", media_type)
}
