//! Agreeing with a server on a revision, and the sessions of 2025.

use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use web_sys::AbortController;

use super::call::Completion;
use super::connection::{Connection, Kind, listed};
use super::state::{ClientState, Start};
use super::{host, plain};
use crate::error::{Code, Error};
use crate::json::{Document, Value};
use crate::revision::Revision;
use crate::wire::era::{Prior, Step};
use crate::wire::http::{Exchange, Incoming};
use crate::wire::{Envelope, initialize_params};

/// The stream on which a server of 2025 sends what belongs to no call.
pub(super) struct Listening {
    exchange: Exchange,
    controller: AbortController,
    _owner: JsValue,
}

impl ClientState {
    pub(super) fn connect(
        self: &Rc<Self>,
        connection: Rc<Connection>,
        options: &JsValue,
        prior: Option<Prior>,
    ) -> Promise {
        if let Some((id, revision)) = connection.earlier_session() {
            connection.declared.set(Some(self.capabilities().accepts));
            connection.begin_session(id);
            return self.connected(&connection, revision, Document::default().root());
        }
        match prior {
            Some(Prior::Modern(discover)) => return self.connected(&connection, Revision::LATEST, discover.root()),
            Some(Prior::Legacy) => connection.negotiation.borrow_mut().assume_legacy(),
            None => {}
        }
        let step = connection.negotiation.borrow().begin();
        let (method, params) = match step {
            Step::Initialize(revision) => ("initialize", Some(self.offer(&connection, revision))),
            _ => ("server/discover", None),
        };
        self.start(connection, Start::Call(method, params), options, Completion::Connect)
    }

    fn connected(self: &Rc<Self>, connection: &Rc<Connection>, revision: Revision, server: Value<'_>) -> Promise {
        connection.agree(revision, server);
        self.establish(connection);
        Promise::resolve(&JsValue::UNDEFINED)
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

    /// Calls can be made.
    pub(super) fn establish(self: &Rc<Self>, connection: &Rc<Connection>) {
        self.connection.replace(Some(Rc::clone(connection)));
        if !connection.is_modern() {
            self.stop_listening();
            self.listen(connection, "", 0.0);
        }
    }

    /// Opens a new session in place of one that the server forgot, for calls that then go out again.
    pub(super) fn renew_session(self: &Rc<Self>, connection: &Rc<Connection>, call: u32) {
        if !connection.begin_renewal(call) {
            return;
        }
        connection.session_id.take();
        self.stop_listening();
        let params = self.offer(connection, connection.revision.get());
        let start = Start::Call("initialize", Some(params));
        host::hush(&self.start(Rc::clone(connection), start, &JsValue::UNDEFINED, Completion::Reconnect));
    }

    /// Sends a message that has no answer.
    pub(super) fn tell_server(&self, connection: &Connection, message: &str) {
        let (endpoint, port) = (&connection.endpoint, self.port());
        match connection.kind {
            Kind::Shared => drop(host::transmit(endpoint, message, &JsValue::UNDEFINED, &port, 0, 0)),
            Kind::Function => drop(host::pass(endpoint, message, &port, 0, 0)),
            Kind::Http => host::post(endpoint, listed(&connection.headers("", None)), message, &port),
        }
    }

    /// The server did not take such a message.
    pub(super) fn undelivered(&self, status: u16) {
        let message = ["The server answered HTTP ", &status.to_string(), " to a notification or an answer"].concat();
        let error = Error::new(Code::ClientHttpNotImplemented, message).with_number("status", i64::from(status));
        self.on_error(&plain(&error));
    }

    /// Opens the stream for what belongs to no call, or takes it up again after the event with this id.
    fn listen(&self, connection: &Connection, last_event_id: &str, delay_ms: f64) {
        if connection.kind != Kind::Http {
            return;
        }
        let headers = listed(&connection.headers("", None));
        let controller = host::listen(&connection.endpoint, headers, last_event_id, delay_ms, &self.port(), 0, 0);
        let exchange = self.listening.take().map_or_else(|| Exchange::legacy(None), |listening| listening.exchange);
        self.listening.replace(Some(Listening { exchange, controller, _owner: self.owner() }));
    }

    pub(super) fn stop_listening(&self) {
        if let Some(listening) = self.listening.take() {
            listening.controller.abort();
        }
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
                    self.listen(&connection, &last_event_id, retry_ms);
                }
                Incoming::Violation(message) => self.warn("dropped-message", message, "", ""),
                // Servers need not offer this stream.
                Incoming::Failed(_) => self.stop_listening(),
                Incoming::Result { .. } | Incoming::Accepted => {}
            }
        }
    }
}
