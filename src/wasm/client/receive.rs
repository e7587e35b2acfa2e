//! Messages that come over a shared channel, and the end of a connection.

use std::rc::Rc;

use super::call::RunningCall;
use super::connection::{Connection, Kind};
use super::host;
use super::state::ClientState;
use crate::error::{Code, Error};
use crate::json::{Document, Kind as JsonKind, Value};
use crate::wire::{self, Message, Response};

impl ClientState {
    /// A message on a shared channel, or in revision 2025-03-26 a batch of them.
    pub(super) fn receive(self: &Rc<Self>, bytes: Vec<u8>) {
        let Ok(document) = Document::parse(bytes).map(Rc::new) else {
            return self.dropped("a message that is not JSON was dropped");
        };
        let root = document.root();
        if root.kind() == JsonKind::Array && self.session().is_some() {
            return root.items().for_each(|message| self.receive_message(&document, message));
        }
        self.receive_message(&document, root);
    }

    fn receive_message(self: &Rc<Self>, document: &Rc<Document>, message: Value<'_>) {
        match wire::read(message) {
            Err(error) => self.dropped(error.message()),
            Ok(Message::Response(response)) => match self.awaiting(&response) {
                Some(call) => call.respond(document, response),
                None => self.dropped("a response to no request was dropped"),
            },
            Ok(Message::Notification { method, params }) => self.receive_notification(&method, params),
            Ok(Message::Request { id, method, params }) => match self.session() {
                Some(connection) => {
                    let call = self.only_call().map(|call| call.number());
                    self.receive_request(&connection, document, id, &method, params.map(Value::id), call);
                }
                None => self.dropped("a request of the server was dropped: not in this revision"),
            },
        }
    }

    fn dropped(&self, message: &str) {
        self.warn("dropped-message", message, "", "");
    }

    /// The call that the response is for. An error that names no request is about the only one there is.
    fn awaiting(&self, response: &Response<'_>) -> Option<Rc<RunningCall>> {
        match response.id {
            Some(_) => self.calls.borrow().iter().find(|call| call.awaits(response)).cloned(),
            None => self.only_call(),
        }
    }

    /// The call under way, if there is just one.
    fn only_call(&self) -> Option<Rc<RunningCall>> {
        match self.calls.borrow().as_slice() {
            [call] => Some(Rc::clone(call)),
            _ => None,
        }
    }

    /// The connection, if it is a session of 2025, where servers may push requests: from `initialize` on.
    fn session(&self) -> Option<Rc<Connection>> {
        let connection = self.connection.borrow().clone();
        let beginning = || self.calls.borrow().iter().find_map(|call| call.begins_session());
        connection.or_else(beginning).filter(|connection| !connection.is_modern())
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

    /// The transport ended: there is nothing left to close.
    pub(super) fn transport_closed(&self) {
        if let Some(connection) = self.end_calls("The transport was closed while the call was under way")
            && connection.kind == Kind::Shared
        {
            host::release(self.number);
        }
    }

    /// Ends the connection.
    pub(super) fn close(&self) {
        if let Some(connection) = self.end_calls("The client was closed while the call was under way") {
            connection.end();
        }
    }

    /// Rejects calls under way, and tells the host that the connection is over.
    fn end_calls(&self, why: &str) -> Option<Rc<Connection>> {
        let connection = self.connection.take();
        let calls: Vec<Rc<RunningCall>> = self.calls.borrow().clone();
        // `connect` is a call too, and is under way before there is a connection.
        if connection.is_none() && calls.is_empty() {
            return None;
        }
        self.stop_listening();
        for call in calls {
            call.fail(&Error::new(Code::ConnectionClosed, why));
        }
        self.abandon_pushed();
        host::closed(self.number);
        connection
    }
}
