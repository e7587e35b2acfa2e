//! The way to one server: what kind it is, what was agreed on, and messages that belong to no call.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Promise};
use wasm_bindgen::JsValue;
use web_sys::AbortController;

use super::call::{Completion, RunningCall};
use super::host;
use super::options::NegotiationOptions;
use super::state::{ClientState, Start};
use crate::driver::Limits;
use crate::error::{Code, Error};
use crate::json::{Document, Value};
use crate::mrtr::{Accepts, Manner};
use crate::revision::Revision;
use crate::wire::era::{Channel, Negotiation, Step};
use crate::wire::http::{Exchange, Incoming, request_headers};
use crate::wire::{self, Envelope, Message, initialize_params, notification};

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

pub(super) struct Connection {
    pub(super) endpoint: JsValue,
    pub(super) kind: Kind,
    pub(super) revision: Cell<Revision>,
    /// `Mcp-Session-Id` of a session of 2025.
    pub(super) session_id: RefCell<Option<String>>,
    /// What was declared in `initialize`; from 2026-07-28 on it is declared with each request.
    pub(super) declared: Cell<Option<Accepts>>,
    pub(super) negotiation: RefCell<Negotiation>,
    options: NegotiationOptions,
    /// The server's answer to `server/discover` or `initialize`.
    server: RefCell<Option<Document>>,
}

/// The stream on which a server of 2025 sends what belongs to no call.
pub(super) struct Listening {
    pub(super) exchange: Exchange,
    pub(super) controller: AbortController,
}

impl Connection {
    pub(super) fn new(endpoint: JsValue, kind: Kind, options: NegotiationOptions) -> Self {
        let channel = if kind == Kind::Shared { Channel::Shared } else { Channel::Http };
        Self {
            endpoint,
            kind,
            revision: Cell::new(Revision::LATEST),
            session_id: RefCell::default(),
            declared: Cell::default(),
            negotiation: RefCell::new(Negotiation::new(options.mode, channel, options.probe_retries)),
            options,
            server: RefCell::default(),
        }
    }

    /// Sets what in a call's limits depends on the revision.
    pub(super) fn suit(&self, limits: &mut Limits) {
        limits.revision = self.revision.get();
        limits.result_rules.legacy = !limits.revision.is_modern();
    }

    pub(super) fn manner(&self, limits: &Limits) -> Manner {
        Manner { revision: self.revision.get(), lenient: limits.lenient }
    }

    pub(super) fn probe_timeout_ms(&self) -> Option<f64> {
        self.options.probe_timeout_ms
    }

    /// A member of what the server said of itself; its identity stands in `_meta`, with some servers beside it.
    pub(super) fn fact(&self, name: &str) -> Option<String> {
        let server = self.server.borrow();
        let root = server.as_ref()?.root();
        let in_meta =
            (name == "serverInfo").then(|| root.get("_meta")?.get("io.modelcontextprotocol/serverInfo")).flatten();
        in_meta.or_else(|| root.get(name)).map(|value| value.raw().to_owned())
    }

    pub(super) fn set_server(&self, result: Value<'_>) {
        self.server.replace(Document::from_text(result.raw().to_owned()).ok());
    }

    /// Lets go of the endpoint; ends the session, if there is one.
    fn end(&self) -> JsValue {
        match self.kind {
            Kind::Shared => host::detach(&self.endpoint).into(),
            Kind::Http if self.session_id.borrow().is_some() => {
                host::end_session(&self.endpoint, self.headers("", None)).into()
            }
            _ => JsValue::UNDEFINED,
        }
    }

    /// The headers of a message, as a flat list of names and values.
    pub(super) fn headers(&self, method: &str, params: Option<Value<'_>>) -> Array {
        let headers = Array::new();
        let push = |name: &str, value: &str| {
            headers.push(&name.into());
            headers.push(&value.into());
        };
        for (name, value) in request_headers(self.revision.get(), method, params) {
            push(name, &value);
        }
        if let Some(session_id) = self.session_id.borrow().as_ref().filter(|_| method != "initialize") {
            push("Mcp-Session-Id", session_id);
        }
        headers
    }
}

impl ClientState {
    pub(super) fn connect(self: &Rc<Self>, connection: Rc<Connection>, options: &JsValue) -> Promise {
        let step = connection.negotiation.borrow().begin();
        let (method, params) = match step {
            Step::Initialize(revision) => ("initialize", Some(self.offer(&connection, revision))),
            _ => ("server/discover", None),
        };
        self.start(connection, Start::Call(method, params), options, Completion::Connect)
    }

    /// The parameters of `initialize`. What is declared now holds for the session.
    pub(super) fn offer(&self, connection: &Connection, revision: Revision) -> Rc<Document> {
        connection.revision.set(revision);
        let capabilities = self.capabilities();
        connection.declared.set(Some(capabilities.accepts));
        let envelope = Envelope { revision, client_info: &self.info, client_capabilities: &capabilities.json };
        let params = Document::from_text(initialize_params(envelope));
        // Both texts were checked when the client was made.
        Rc::new(params.unwrap_or_default())
    }

    /// The server speaks this revision: calls can be made.
    pub(super) fn connected(self: &Rc<Self>, connection: &Rc<Connection>, revision: Revision, result: Value<'_>) {
        connection.revision.set(revision);
        connection.set_server(result);
        self.connection.replace(Some(Rc::clone(connection)));
        if !revision.is_modern() {
            self.tell_server(connection, &notification("notifications/initialized", ""));
            self.listen(connection, None, 0.0);
        }
    }

    /// Opens a new session in place of one that the server forgot, for a call that then is sent again.
    pub(super) fn renew_session(self: &Rc<Self>, connection: &Rc<Connection>, call: u32) {
        connection.session_id.take();
        let params = self.offer(connection, connection.revision.get());
        let start = Start::Call("initialize", Some(params));
        // The promise is nobody's: it is fulfilled whatever comes, and the call learns of it.
        let _ = self.start(Rc::clone(connection), start, &JsValue::UNDEFINED, Completion::Reconnect(call));
    }

    /// Sends a message that has no answer.
    pub(super) fn tell_server(&self, connection: &Connection, message: &str) {
        match connection.kind {
            Kind::Shared => host::transmit(&connection.endpoint, message, &self.port(), 0, 0),
            _ => host::post(&connection.endpoint, connection.headers("", None), message, &self.port()),
        }
    }

    /// Opens the stream for what belongs to no call, or takes it up again after the event with this id.
    fn listen(&self, connection: &Connection, last_event_id: Option<&str>, delay_ms: f64) {
        if connection.kind != Kind::Http {
            return;
        }
        let headers = connection.headers("", None);
        let controller = host::listen(&connection.endpoint, headers, last_event_id, delay_ms, &self.port(), 0, 0);
        let exchange = self.listening.take().map_or_else(|| Exchange::legacy(None), |listening| listening.exchange);
        self.listening.replace(Some(Listening { exchange, controller }));
    }

    pub(super) fn listening<T>(&self, act: impl FnOnce(&mut Exchange) -> T) -> Option<T> {
        self.listening.borrow_mut().as_mut().map(|listening| act(&mut listening.exchange))
    }

    /// Passes on what the stream brought.
    pub(super) fn take_heard(self: &Rc<Self>) {
        let Some(connection) = self.connection.borrow().clone() else { return };
        while let Some(incoming) = self.listening(Exchange::poll).flatten() {
            match incoming {
                Incoming::Request { document, id, method, params } => {
                    self.receive_request(&connection, &document, document.value(id), &method, params, None);
                }
                Incoming::Notification { document, method, params } => {
                    self.receive_notification(&method, params.map(|params| document.value(params)));
                }
                Incoming::Interrupted { last_event_id, retry_ms } => {
                    self.listen(&connection, Some(&last_event_id), retry_ms);
                }
                Incoming::Violation(message) => self.warn("dropped-message", message, "", ""),
                // Servers need not offer this stream.
                Incoming::Result { .. } | Incoming::Failed(_) => {}
            }
        }
    }

    /// A message on a shared channel.
    pub(super) fn receive(self: &Rc<Self>, text: String) {
        let document = match Document::from_text(text) {
            Ok(document) => Rc::new(document),
            Err(_) => return self.warn("dropped-message", "a message that is not JSON was dropped", "", ""),
        };
        match wire::read(document.root()) {
            Err(error) => self.warn("dropped-message", error.message(), "", ""),
            Ok(Message::Response(response)) => {
                let calls = self.calls.borrow().clone();
                match calls.iter().find(|call| call.awaits(&response)) {
                    Some(call) => call.respond(&document, response),
                    None => self.warn("dropped-message", "a response to no request was dropped", "", ""),
                }
            }
            Ok(Message::Notification { method, params }) => self.receive_notification(&method, params),
            Ok(Message::Request { id, method, params }) => match self.session() {
                Some(connection) => {
                    self.receive_request(&connection, &document, id, &method, params.map(Value::id), None);
                }
                None => {
                    self.warn("dropped-message", "a request of the server was dropped: not in this revision", "", "")
                }
            },
        }
    }

    /// The connection, if it is a session of 2025, where servers may push requests.
    fn session(&self) -> Option<Rc<Connection>> {
        self.connection.borrow().clone().filter(|connection| !connection.revision.get().is_modern())
    }

    pub(super) fn receive_notification(self: &Rc<Self>, method: &str, params: Option<Value<'_>>) {
        match (method, params) {
            ("notifications/cancelled", Some(params)) => self.cancel_pushed(params),
            ("notifications/progress", Some(params)) => {
                let calls = self.calls.borrow().clone();
                calls.iter().for_each(|call| call.on_progress(params));
            }
            _ => {}
        }
        self.notification(method, params);
    }

    /// Ends the connection; calls under way are rejected. Returns what is still to be awaited.
    pub(super) fn close(&self, why: &str) -> JsValue {
        let connection = self.connection.take();
        let calls: Vec<Rc<RunningCall>> = self.calls.borrow().clone();
        // `connect` is a call too, and is under way before there is a connection.
        if connection.is_none() && calls.is_empty() {
            return JsValue::UNDEFINED;
        }
        if let Some(listening) = self.listening.take() {
            listening.controller.abort();
        }
        for call in calls {
            call.fail(&Error::new(Code::ConnectionClosed, why));
        }
        self.abandon_pushed();
        let ended = connection.map(|connection| connection.end()).unwrap_or_default();
        self.tell("close", &JsValue::UNDEFINED);
        ended
    }
}
