//! The way to one server: what kind it is, and what was agreed on.

use std::cell::{Cell, RefCell};

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::host;
use super::options::ConnectionOptions;
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

impl From<u8> for Kind {
    fn from(kind: u8) -> Self {
        match kind {
            1 => Self::Shared,
            2 => Self::Function,
            _ => Self::Http,
        }
    }
}

thread_local! {
    /// For all clients of this module.
    static VERDICTS: RefCell<Verdicts> = const { RefCell::new(Verdicts::new()) };
}

pub(super) struct Connection {
    pub(super) endpoint: JsValue,
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
    /// The server's answer to `server/discover` or `initialize`.
    server: RefCell<Option<Document>>,
}

impl Connection {
    pub(super) fn new(endpoint: JsValue, kind: Kind, options: ConnectionOptions) -> Self {
        let crossing = if kind == Kind::Http { crossing(&endpoint) } else { None };
        let channel = match (kind, &crossing) {
            (Kind::Shared, _) => Channel::Shared,
            (_, Some(_)) => Channel::Page,
            _ => Channel::Http,
        };
        let connection = Self {
            endpoint,
            kind,
            revision: Cell::new(Revision::LATEST),
            session_id: RefCell::default(),
            declared: Cell::default(),
            negotiation: RefCell::new(Negotiation::new(options.mode, channel, options.probe_retries)),
            crossing,
            tools: RefCell::default(),
            waiting: RefCell::default(),
            options,
            server: RefCell::default(),
        };
        let remembers = |url: &str| VERDICTS.with_borrow(|verdicts| verdicts.is_legacy(url, host::now()));
        if connection.url().is_some_and(|url| remembers(&url)) {
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
            limits.timeout_ms = self.options.probe_timeout_ms.unwrap_or(limits.timeout_ms);
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
        let is_pipe = self.has("stderr") && self.has("pid");
        self.is_modern() && (self.kind == Kind::Http || (self.kind == Kind::Shared && !is_pipe))
    }

    /// Whether each request has a stream of its own, whose end tells the server that the answer is not wanted.
    pub(super) fn has_streams(&self) -> bool {
        self.kind == Kind::Http || self.field("hasPerRequestStream").is_truthy()
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
        if self.kind == Kind::Shared
            && let Ok(tell) = self.field("setProtocolVersion").dyn_into::<Function>()
        {
            let _ = tell.call1(&self.endpoint, &revision.as_str().into());
        }
        self.set_field("protocolVersion", revision.as_str());
        self.keep_verdict(revision);
    }

    /// Remembers which era the server is of, for the next connection.
    pub(super) fn keep_verdict(&self, revision: Revision) {
        if let Some(url) = self.url().filter(|_| self.negotiation.borrow().is_open()) {
            VERDICTS.with_borrow_mut(|verdicts| verdicts.note(&url, revision, host::now()));
        }
    }

    pub(super) fn begin_session(&self, id: String) {
        self.set_field("sessionId", &id);
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

    /// A session that was begun elsewhere, as the host says on the transport.
    pub(super) fn earlier_session(&self) -> Option<(String, Revision)> {
        let id = self.field("sessionId").as_string()?;
        let version = self.field("protocolVersion").as_string();
        let revision = version.and_then(|version| Revision::from_date(&version)).filter(|it| !it.is_modern());
        Some((id, revision.unwrap_or(Revision::V2025_11_25)))
    }

    /// Lets go of the endpoint; ends the session, if there is one.
    pub(super) fn end(&self) -> JsValue {
        match self.kind {
            Kind::Shared => host::detach(&self.endpoint).into(),
            Kind::Http if self.session_id.borrow().is_some() => {
                let ended = host::end_session(&self.endpoint, listed(&self.headers("", None)), END_MS).into();
                self.set_field("sessionId", JsValue::UNDEFINED);
                ended
            }
            _ => JsValue::UNDEFINED,
        }
    }

    /// The headers of a message: names and values, each in a line.
    pub(super) fn headers(&self, method: &str, params: Option<Value<'_>>) -> String {
        let mut headers = String::new();
        request_headers(&mut headers, self.revision.get(), method, params);
        if let Some(session_id) = self.session_id.borrow().as_ref().filter(|_| method != "initialize") {
            for line in ["Mcp-Session-Id\n", session_id, "\n"] {
                headers.push_str(line);
            }
        }
        headers
    }

    /// Names the server for the verdicts: with the host's own fetch, the same URL may be another server.
    fn url(&self) -> Option<String> {
        let plain = self.kind == Kind::Http && !self.field("fetch").is_truthy();
        plain.then(|| self.field("url").as_string()).flatten()
    }

    fn field(&self, name: &str) -> JsValue {
        Reflect::get(&self.endpoint, &name.into()).unwrap_or_default()
    }

    fn has(&self, name: &str) -> bool {
        Reflect::has(&self.endpoint, &name.into()).unwrap_or_default()
    }

    /// On a transport of ours, what the host may keep to go on with the session elsewhere.
    fn set_field(&self, name: &str, value: impl Into<JsValue>) {
        if self.kind == Kind::Http {
            // A frozen transport stays as it is.
            let _ = Reflect::set(&self.endpoint, &name.into(), &value.into());
        }
    }
}

/// Headers as a flat list of names and values.
pub(super) fn listed(headers: &str) -> Array {
    headers.split_terminator('\n').map(JsValue::from).collect()
}

fn crossing(endpoint: &JsValue) -> Option<Crossing> {
    let origins = host::origins(endpoint)?;
    let origin = |index| origins.get(index).as_string();
    let (page, server) = (origin(0)?, origin(1)?);
    (page != server).then_some(Crossing { page, server })
}
