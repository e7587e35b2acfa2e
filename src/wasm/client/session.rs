//! Agreeing with a server on a revision, and the sessions of 2025.

use std::rc::Rc;

use super::call::Completion;
use super::connection::{Connection, Kind};
use super::host;
use super::options::CallOptions;
use super::state::{ClientState, Start};
use crate::error::{Code, Error, fill};
use crate::json::{Document, Value, decimal};
use crate::revision::Revision;
use crate::wire::era::{Prior, Step};
use crate::wire::http::{Exchange, Incoming};
use crate::wire::{Envelope, initialize_params};

impl ClientState {
    pub(super) fn connect(
        self: &Rc<Self>,
        connection: Rc<Connection>,
        call: u32,
        options: CallOptions,
        session: Option<(String, Revision)>,
        prior: Option<Prior>,
    ) -> Result<(), Error> {
        if let Some((id, revision)) = session {
            connection.declared.set(Some(self.capabilities().accepts));
            connection.begin_session(id);
            return self.connected(&connection, call, revision, Document::default().root());
        }
        match prior {
            Some(Prior::Modern(discover)) => {
                return self.connected(&connection, call, Revision::LATEST, discover.root());
            }
            Some(Prior::Legacy) => connection.negotiation.borrow_mut().assume_legacy(),
            None => {}
        }
        let step = connection.negotiation.borrow().begin();
        let (method, params) = match step {
            Step::Initialize(revision) => ("initialize", Some(self.offer(&connection, revision))),
            _ => ("server/discover", None),
        };
        self.start(connection, Start::Call(method, params), call, options, Completion::Connect)
    }

    fn connected(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        call: u32,
        revision: Revision,
        server: Value<'_>,
    ) -> Result<(), Error> {
        connection.agree(revision, server);
        self.establish(connection);
        host::resolve(self.number, call, "");
        Ok(())
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
        self.help(connection, "initialize", Some(params), Completion::Reconnect);
    }

    /// Sends a message that has no answer.
    pub(super) fn tell_server(&self, connection: &Connection, message: &str) {
        host::post(self.number, &connection.headers("", None), message);
    }

    /// The server did not take such a message.
    pub(super) fn undelivered(&self, status: u16) {
        let message = fill("The server answered HTTP % to a notification or an answer", &[&decimal(i64::from(status))]);
        let error = Error::new(Code::ClientHttpNotImplemented, message).with_number("status", i64::from(status));
        self.on_error(&error);
    }

    /// Opens the stream for what belongs to no call, or takes it up again after the event with this id.
    fn listen(&self, connection: &Connection, last_event_id: &str, delay_ms: f64) {
        if connection.kind != Kind::Http {
            return;
        }
        let headers = connection.headers("", None);
        self.listening.borrow_mut().get_or_insert_with(|| Exchange::legacy(None));
        host::listen(self.number, 0, 0, &headers, last_event_id, delay_ms);
    }

    pub(super) fn stop_listening(&self) {
        if self.listening.take().is_some() {
            host::abort_leg(self.number, 0);
        }
    }

    pub(super) fn listening<T>(&self, act: impl FnOnce(&mut Exchange) -> T) -> Option<T> {
        self.listening.borrow_mut().as_mut().map(act)
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
