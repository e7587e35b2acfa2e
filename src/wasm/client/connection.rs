//! The way to one server: what kind it is, and what was agreed on.

use std::cell::{Cell, RefCell};

use super::host;
use super::options;
use super::state::{ClientState, shell};
use crate::driver::{Call, Limits};
use crate::json::{Document, Value};
use crate::mrtr::{Accepts, Manner};
use crate::revision::Revision;
use crate::wire::era::{Channel, Negotiation, Prior};
use crate::wire::fault::Crossing;
use crate::wire::http::request_headers;
use crate::wire::mirror::KnownTools;

/// How long the server may take to end a session, in milliseconds: closing waits for it.
const END_MS: f64 = 5000.0;

/// In the flags of an endpoint: it is an object with the official `Transport` shape, one channel for all messages.
pub(super) const SHARED: u32 = 32;
/// It is a function from request bytes to reply bytes. What is neither is a URL that is posted to.
const FUNCTION: u32 = 64;
/// It is a pipe to a process.
const PIPE: u32 = 128;
/// It is a transport with a stream for each request.
const STREAMS: u32 = 256;

// The order is for size: what is used most comes first.
#[repr(C)]
pub(super) struct Connection {
    client: u32,
    pub(super) revision: Cell<Revision>,
    /// `Mcp-Session-Id` of the session of 2025, if there is one.
    session_id: RefCell<String>,
    /// Which one it is, from 1; 0 if there is none.
    pub(super) session: Cell<u32>,
    sessions: Cell<u32>,
    /// What was declared in `initialize`; from 2026-07-28 on it is declared with each request.
    pub(super) declared: Cell<Accepts>,
    pub(super) negotiation: RefCell<Negotiation>,
    /// The origins of the page and of the server, where there is a page.
    crossing: Crossing,
    /// What the tools want mirrored.
    pub(super) tools: RefCell<KnownTools>,
    probe_timeout_ms: f64,
    /// Whether arguments of tools go out as headers too, where messages have any.
    mirrors_tools: bool,
    /// What the endpoint is: [`SHARED`] and so on.
    flags: u32,
    /// Names the server for the verdicts. Empty with the host's own fetch: then the same URL may be another server.
    url: String,
    /// The server's answer to `server/discover` or `initialize`.
    server: RefCell<Option<Document>>,
}

impl Connection {
    pub(super) fn new(client: &ClientState, crossing: Crossing, flags: u32, url: &str) -> Self {
        let options = &client.options;
        let crosses = crosses(&crossing);
        let channel = match flags & SHARED {
            0 if crosses => Channel::Page,
            0 => Channel::Http,
            _ => Channel::Shared,
        };
        let mut negotiation = Negotiation::new(options.mode, channel, options.probe_retries());
        if !url.is_empty() && shell().verdicts.borrow().is_legacy(url, host::now()) {
            negotiation.assume_legacy();
        }
        Self {
            client: client.number,
            revision: Cell::new(Revision::LATEST),
            session_id: const { RefCell::new(String::new()) },
            session: Cell::default(),
            sessions: Cell::default(),
            declared: Cell::default(),
            negotiation: RefCell::new(negotiation),
            probe_timeout_ms: options.probe_timeout_ms,
            mirrors_tools: options.mirrors_tools(!crosses),
            crossing,
            tools: RefCell::default(),
            flags,
            url: url.to_owned(),
            server: const { RefCell::new(None) },
        }
    }

    /// Sets what in the limits of a call depends on the revision, and on what is asked.
    pub(super) fn suit(&self, call: &mut Call) {
        call.limits.revision = self.revision.get();
        if call.method() == "server/discover" && self.negotiates() {
            options::set(&mut call.limits.timeout_ms, self.probe_timeout_ms);
        }
    }

    pub(super) fn manner(&self, limits: &Limits) -> Manner {
        Manner { revision: self.revision.get(), lenient: limits.has(Limits::LENIENT) }
    }

    /// Where the rules for pages hold.
    pub(super) fn crossing(&self) -> Option<&Crossing> {
        if crosses(&self.crossing) { Some(&self.crossing) } else { None }
    }

    pub(super) fn is_modern(&self) -> bool {
        self.revision.get().is_modern()
    }

    /// Nothing has been agreed on yet.
    fn negotiates(&self) -> bool {
        self.server.borrow().is_none()
    }

    /// Whether arguments of tools go out as headers too: not from a page to another origin unless the host says so,
    /// since servers cannot allow headers by names that they do not know.
    pub(super) fn mirrors(&self) -> bool {
        self.mirrors_tools && self.carries_headers()
    }

    /// Whether the annotations of tools mean anything: not where no message has headers of its own.
    pub(super) fn carries_headers(&self) -> bool {
        self.is_modern() && !self.is(FUNCTION | PIPE)
    }

    /// Whether each request has a stream of its own, whose end tells the server that the answer is not wanted.
    pub(super) fn has_streams(&self) -> bool {
        self.is_http() || self.is(STREAMS)
    }

    pub(super) fn is_http(&self) -> bool {
        !self.is(SHARED | FUNCTION)
    }

    /// Whether the endpoint is any of these.
    pub(super) fn is(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    /// A member of what the server said of itself; its identity stands in `_meta`, with some servers beside it.
    /// As JSON text, or nothing.
    pub(super) fn fact(&self, name: &str) -> String {
        let server = self.server.borrow();
        let Some(server) = server.as_ref() else { return const { String::new() } };
        let mut fact = server.root().at(name);
        if *name == *"serverInfo" {
            let in_meta = server.root().at("_meta").at("io.modelcontextprotocol/serverInfo");
            fact = if in_meta.is_missing() { fact } else { in_meta };
        }
        fact.raw().to_owned()
    }

    /// All the server said of itself, in the form that `connect` takes as `prior`.
    pub(super) fn prior(&self) -> String {
        let server = self.server.borrow();
        Prior::write(self.revision.get(), server.as_ref().map_or("{}", Document::text))
    }

    /// Takes note of what was agreed on, and tells the transport. The result is JSON text; none stands for `null`.
    pub(super) fn agree(&self, revision: Revision, result: &str) {
        self.revision.set(revision);
        *self.server.borrow_mut() = Some(Document::or_null(result));
        host::agreed(self.client, revision.as_str());
        self.keep_verdict(revision);
    }

    /// Remembers which era the server is of, for the next connection.
    pub(super) fn keep_verdict(&self, revision: Revision) {
        if !self.url.is_empty() && self.negotiation.borrow().is_open() {
            shell().verdicts.borrow_mut().note(&self.url, revision, host::now());
        }
    }

    pub(super) fn begin_session(&self, id: &str) {
        *self.session_id.borrow_mut() = id.to_owned();
        self.sessions.set(self.sessions.get() + 1);
        self.session.set(self.sessions.get());
        host::session(self.client, id);
    }

    /// Lets go of the endpoint; ends the session, if there is one.
    pub(super) fn end(&self) {
        let in_session = self.is_http() && self.session.get() != 0;
        let headers = if in_session { self.headers("", None) } else { const { String::new() } };
        host::detach(self.client, &headers, END_MS);
    }

    /// The headers of a message, as lines: names and values in turn.
    pub(super) fn headers(&self, method: &str, params: Option<Value<'_>>) -> String {
        let mut headers = String::with_capacity(128);
        request_headers(&mut headers, self.revision.get(), method, params);
        if self.session.get() != 0 && method != "initialize" {
            headers.push_str("Mcp-Session-Id\n");
            headers.push_str(&self.session_id.borrow());
            headers.push_str("\n");
        }
        headers
    }
}

/// Whether the rules for pages hold.
fn crosses(Crossing { page, server }: &Crossing) -> bool {
    !page.is_empty() && !server.is_empty() && page != server
}

/// A session that was begun elsewhere, in the revision that the host names.
pub(super) fn earlier_revision(protocol_version: &str) -> Revision {
    let revision = Revision::from_date(protocol_version).filter(|it| !it.is_modern());
    revision.unwrap_or(Revision::V2025_11_25)
}
