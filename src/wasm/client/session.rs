//! Agreeing with a server on a revision, and the sessions of 2025.

use std::rc::Rc;

use super::call::{Opening, Purpose};
use super::connection::{self, Connection};
use super::host;
use super::state::ClientState;
use super::table::share;
use crate::driver::Limits;
use crate::error::{Code, Error};
use crate::json::decimal;
use crate::mrtr::Accepts;
use crate::revision::Revision;
use crate::wire::era::{Prior, Step};
use crate::wire::http::Exchange;
use crate::wire::{Envelope, initialize_params};

impl ClientState {
    /// Goes on with a session, if there is one, or with what is known; otherwise asks the server.
    pub(super) fn connect(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        call: u32,
        limits: &Limits,
        session: &str,
        revision: &str,
        prior: Option<Prior>,
    ) {
        let (revision, server) = if !session.is_empty() {
            connection.declared.set(self.accepts() & Accepts::DECLARED);
            connection.begin_session(session);
            (connection::earlier_revision(revision), "")
        } else if let Some(Prior::Modern(discover)) = &prior {
            (Revision::LATEST, discover.text())
        } else {
            let mut negotiation = connection.negotiation.borrow_mut();
            if prior.is_some() {
                negotiation.assume_legacy();
            }
            let (method, params) = match negotiation.begin() {
                Step::Initialize(revision) => ("initialize", self.offer(connection, revision)),
                _ => ("server/discover", const { String::new() }),
            };
            drop(negotiation);
            return self.start(connection, method, call, limits, &mut Opening::of(Purpose::Connect, &params));
        };
        connection.agree(revision, server);
        self.establish(connection);
        host::resolve(self.number, call, "");
    }

    /// The parameters of `initialize`. What is declared now holds for the session.
    pub(super) fn offer(&self, connection: &Connection, revision: Revision) -> String {
        connection.revision.set(revision);
        let capabilities = self.capabilities.borrow();
        connection.declared.set(capabilities.accepts & Accepts::DECLARED);
        let envelope = Envelope { revision, client_info: &self.info, client_capabilities: &capabilities.json };
        initialize_params(envelope)
    }

    /// Calls can be made.
    pub(super) fn establish(self: &Rc<Self>, connection: &Rc<Connection>) {
        *self.connection.borrow_mut() = Some(share(connection));
        if !connection.is_modern() {
            self.stop_listening();
            if connection.is_http() {
                *self.listening.borrow_mut() = Exchange::legacy(None);
                self.listens.set(true);
                self.listen(connection, 0, 0, "", 0.0);
            }
        }
    }

    /// Opens a new session in place of one that the server forgot, for calls that then go out again.
    pub(super) fn renew_session(self: &Rc<Self>, connection: &Rc<Connection>) {
        connection.session.set(0);
        self.stop_listening();
        let params = self.offer(connection, connection.revision.get());
        self.help(connection, Purpose::Reconnect, &params);
    }

    /// Sends a message that has no answer.
    pub(super) fn tell_server(&self, connection: &Connection, message: &str) {
        host::post(self.number, &connection.headers("", None), message);
    }

    /// The server did not take such a message.
    pub(super) fn undelivered(&self, status: u32) {
        let status = decimal(i64::from(status));
        let sentence = "The server answered HTTP % to a notification or an answer";
        let error = Error::told(Code::ClientHttpNotImplemented, sentence, &[&status]);
        self.on_error(&error.facts("{\"status\":%}", &[&status]));
    }

    /// Opens a stream, of a call or, with 0, for what belongs to no call, or takes it up again after the event with this
    /// id.
    pub(super) fn listen(&self, connection: &Connection, call: u32, leg: u32, last_event_id: &str, delay_ms: f64) {
        host::listen(self.number, call, leg, &connection.headers("", None), last_event_id, delay_ms);
    }

    pub(super) fn stop_listening(&self) {
        if self.listens.take() {
            host::abort_leg(self.number as i32, 0);
        }
    }
}
