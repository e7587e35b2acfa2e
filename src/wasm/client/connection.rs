//! The way to one server: what kind it is, and what was agreed on.

use std::cell::{Cell, RefCell};

use super::host;
use super::options::{self, ConnectionOptions};
use crate::driver::Limits;
use crate::json::{Document, Value};
use crate::mrtr::{Accepts, Manner};
use crate::revision::Revision;
use crate::wire::era::{Channel, Negotiation, Prior, Verdicts};
use crate::wire::fault::Crossing;
use crate::wire::http::request_headers;
use crate::wire::mirror::KnownTools;

/// How long the server may take to end a session, in milliseconds: closing waits for it.
const END_MS: f64 = 5000.0;

/// What an endpoint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A URL that is posted to.
    Http,
    /// An object with the official `Transport` shape: one channel for all messages.
    Shared,
    /// A function from request bytes to reply bytes.
    Function,
}

thread_local! {
    /// For all clients of this module.
    static VERDICTS: RefCell<Verdicts> = const { RefCell::new(Verdicts::new()) };
}

pub(super) struct Connection {
    client: u32,
    pub(super) kind: Kind,
    pub(super) revision: Cell<Revision>,
    /// `Mcp-Session-Id` of a session of 2025.
    pub(super) session_id: RefCell<Option<String>>,
    /// What was declared in `initialize`; from 2026-07-28 on it is declared with each request.
    pub(super) declared: Cell<Option<Accepts>>,
    pub(super) negotiation: RefCell<Negotiation>,
    /// Where the rules for pages hold.
    pub(super) crossing: Option<Crossing>,
    /// What the tools want mirrored.
    pub(super) tools: RefCell<KnownTools>,
    /// Calls that go out again when there is a new session; some while one is being opened.
    waiting: RefCell<Vec<u32>>,
    options: ConnectionOptions,
    /// To a process, where no message has headers of its own.
    is_pipe: bool,
    /// Whether each request has a stream of its own, whose end tells the server that the answer is not wanted.
    pub(super) has_streams: bool,
    /// Names the server for the verdicts. None with the host's own fetch: then the same URL may be another server.
    url: Option<String>,
    /// The server's answer to `server/discover` or `initialize`.
    server: RefCell<Option<Document>>,
}

impl Connection {
    pub(super) fn new(
        client: u32,
        kind: Kind,
        options: ConnectionOptions,
        crossing: Option<Crossing>,
        is_pipe: bool,
        has_streams: bool,
        url: Option<String>,
    ) -> Self {
        let channel = match (kind, &crossing) {
            (Kind::Shared, _) => Channel::Shared,
            (_, Some(_)) => Channel::Page,
            _ => Channel::Http,
        };
        let connection = Self {
            client,
            kind,
            revision: Cell::new(Revision::LATEST),
            session_id: RefCell::default(),
            declared: Cell::default(),
            negotiation: RefCell::new(Negotiation::new(options.mode, channel, options.probe_retries)),
            crossing,
            tools: RefCell::default(),
            waiting: RefCell::default(),
            options,
            is_pipe,
            has_streams,
            url,
            server: RefCell::default(),
        };
        let remembers = |url: &String| VERDICTS.with_borrow(|verdicts| verdicts.is_legacy(url, host::now()));
        if connection.url.as_ref().is_some_and(remembers) {
            connection.negotiation.borrow_mut().assume_legacy();
        }
        connection
    }

    /// The limits of a call of this method: what in them depends on the revision, and on what is asked.
    pub(super) fn suited(&self, limits: &Limits, method: Option<&str>) -> Limits {
        let mut limits = limits.clone();
        limits.revision = self.revision.get();
        limits.result_rules.legacy = !limits.revision.is_modern();
        if method == Some("server/discover") && self.negotiates() {
            options::set(&mut limits.timeout_ms, self.options.probe_timeout_ms);
        }
        limits
    }

    pub(super) fn manner(&self, limits: &Limits) -> Manner {
        Manner { revision: self.revision.get(), lenient: limits.lenient }
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
        self.carries_headers() && self.options.mirror_tool_headers.unwrap_or_else(|| self.crossing.is_none())
    }

    /// Whether the annotations of tools mean anything: not where no message has headers of its own.
    pub(super) fn carries_headers(&self) -> bool {
        self.is_modern() && self.kind != Kind::Function && !self.is_pipe
    }

    /// A member of what the server said of itself; its identity stands in `_meta`, with some servers beside it.
    pub(super) fn fact(&self, name: &str) -> Option<String> {
        let server = self.server.borrow();
        let root = server.as_ref()?.root();
        let in_meta =
            (name == "serverInfo").then(|| root.get("_meta")?.get("io.modelcontextprotocol/serverInfo")).flatten();
        in_meta.or_else(|| root.get(name)).map(|value| value.raw().to_owned())
    }

    /// All the server said of itself, in the form that `connect` takes as `prior`.
    pub(super) fn prior(&self) -> String {
        let server = self.server.borrow();
        Prior::write(self.revision.get(), server.as_ref().map_or("{}", Document::text))
    }

    /// Takes note of what was agreed on, and tells the transport.
    pub(super) fn agree(&self, revision: Revision, result: Value<'_>) {
        self.revision.set(revision);
        self.server.replace(Document::from_text(result.raw().to_owned()).ok());
        host::agreed(self.client, revision.as_str());
        self.keep_verdict(revision);
    }

    /// Remembers which era the server is of, for the next connection.
    pub(super) fn keep_verdict(&self, revision: Revision) {
        if let Some(url) = self.url.as_ref().filter(|_| self.negotiation.borrow().is_open()) {
            VERDICTS.with_borrow_mut(|verdicts| verdicts.note(url, revision, host::now()));
        }
    }

    pub(super) fn begin_session(&self, id: String) {
        host::session(self.client, Some(&id));
        self.session_id.replace(Some(id));
    }

    /// Lets a call wait for a new session. Says whether it is the first, so that one has to be opened.
    pub(super) fn begin_renewal(&self, call: u32) -> bool {
        let mut waiting = self.waiting.borrow_mut();
        waiting.push(call);
        waiting.len() == 1
    }

    /// There is a new session, or there will be none. The calls that waited.
    pub(super) fn end_renewal(&self) -> Vec<u32> {
        self.waiting.take()
    }

    /// Whether there has been a new session since a call was sent in this one.
    pub(super) fn is_renewed(&self, since: Option<&str>) -> bool {
        self.waiting.borrow().is_empty() && self.session_id.borrow().as_deref() != since
    }

    /// Lets go of the endpoint; ends the session, if there is one.
    pub(super) fn end(&self) {
        let in_session = self.kind == Kind::Http && self.session_id.borrow().is_some();
        let headers = in_session.then(|| self.headers("", None));
        host::detach(self.client, headers.as_deref(), END_MS);
    }

    /// The headers of a message, as lines: names and values in turn.
    pub(super) fn headers(&self, method: &str, params: Option<Value<'_>>) -> String {
        let mut headers = String::new();
        request_headers(&mut headers, self.revision.get(), method, params);
        if let Some(session_id) = self.session_id.borrow().as_ref().filter(|_| method != "initialize") {
            for line in ["Mcp-Session-Id", session_id] {
                headers.push_str(line);
                headers.push('\n');
            }
        }
        headers
    }
}

/// The origins of the page and of the server, if there is a page.
pub(super) fn crossing(page: Option<String>, server: Option<String>) -> Option<Crossing> {
    let (page, server) = page.zip(server)?;
    (page != server).then_some(Crossing { page, server })
}

/// A session that was begun elsewhere, in the revision that the host names.
pub(super) fn earlier_revision(protocol_version: &str) -> Revision {
    let revision = Revision::from_date(protocol_version).filter(|it| !it.is_modern());
    revision.unwrap_or(Revision::V2025_11_25)
}
