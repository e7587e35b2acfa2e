//! Messages that come over a shared channel or a stream, and the end of a connection.

use std::rc::Rc;

use super::call::RunningCall;
use super::connection::{Connection, SHARED};
use super::host;
use super::state::{ClientState, PROGRESS};
use super::table::share;
use crate::error::{Code, Error};
use crate::json::{Document, Kind as JsonKind, Value};
use crate::wire::http::Incoming;
use crate::wire::{self, Message};

impl ClientState {
    /// A message on a shared channel, or in revision 2025-03-26 a batch of them.
    pub(super) fn receive(self: &Rc<Self>, bytes: Vec<u8>) {
        let Ok(document) = Document::parse(bytes) else {
            return self.dropped("a message that is not JSON was dropped");
        };
        let root = document.root();
        if root.kind() == JsonKind::Array && self.session().is_some() {
            return root.items().for_each(|message| self.receive_message(&document, message));
        }
        self.receive_message(&document, root);
    }

    fn receive_message(self: &Rc<Self>, document: &Document, message: Value<'_>) {
        let read = wire::read(message);
        let message = match &read {
            Err(error) => return self.dropped(error.message()),
            Ok(message) => message,
        };
        let (method, params) = (message.method.text(), message.params());
        if message.is_answer() {
            match self.awaiting(message) {
                Some(call) => call.respond(document, message),
                None => self.dropped("a response to no request was dropped"),
            }
        } else if !message.is_request() {
            self.notified(&method, params);
        } else if let Some(connection) = self.session() {
            let call = self.only_call();
            self.receive_request(&connection, document, message.id, &method, message.body.id(), call.as_deref());
        } else {
            self.dropped("a request of the server was dropped: not in this revision");
        }
    }

    /// The call that the response is for. An error that names no request is about the only one there is.
    fn awaiting(&self, response: &Message<'_>) -> Option<Rc<RunningCall>> {
        if response.id.is_null() { self.only_call() } else { self.call_after(0, &|call| call.awaits(response)) }
    }

    /// The call under way, if there is just one.
    fn only_call(&self) -> Option<Rc<RunningCall>> {
        let first = self.calls.after(0)?;
        if self.calls.after(first.number).is_none() { Some(first) } else { None }
    }

    /// The connection, if it is a session of 2025, where servers may push requests: from `initialize` on.
    fn session(&self) -> Option<Rc<Connection>> {
        let mut connection = self.connection();
        if connection.is_none() {
            let beginning = self.call_after(0, &|call| call.is_of("initialize"));
            connection = beginning.map(|call| share(&call.connection));
        }
        connection.filter(|connection| !connection.is_modern())
    }

    /// Passes on what the reply to a leg brought, or, without a call, the stream that is only listened to.
    pub(super) fn take_incoming(self: &Rc<Self>, call: Option<&RunningCall>, leg: u32) {
        let connection = call.map(|call| share(&call.connection)).or_else(|| self.connection());
        let Some(connection) = connection else { return };
        loop {
            let incoming = self.next_incoming(call, leg);
            let Some(incoming) = &incoming else { break };
            let number = call.map_or(0, |call| call.number);
            match (incoming, call) {
                (Incoming::Message { document, id, method, params }, _) => {
                    let (method, id) = (document.value(*method).text(), document.value(*id));
                    if id.is_missing() {
                        let given = document.value(*params);
                        self.notified(&method, if given.is_missing() { None } else { Some(given) });
                    } else {
                        self.receive_request(&connection, document, id, &method, *params, call);
                    }
                }
                (Incoming::Interrupted { last_event_id, retry_ms }, _) => {
                    self.listen(&connection, number, leg, last_event_id, f64::from(*retry_ms));
                }
                (Incoming::Progress(list), Some(call)) => call.progress(list),
                (Incoming::Violation(message), _) => self.dropped(message),
                (Incoming::Result { document, result }, Some(call)) => call.on_result(document, *result),
                (Incoming::Failed(error), Some(call)) => call.leg_failed(leg, error.clone()),
                (Incoming::Accepted, Some(call)) => call.established(),
                // Servers need not offer this stream.
                (Incoming::Failed(_), None) => self.stop_listening(),
                _ => {}
            }
        }
    }

    fn next_incoming(&self, call: Option<&RunningCall>, leg: u32) -> Option<Incoming> {
        let exchange = match call {
            Some(call) if call.is_on(leg) => &call.exchange,
            None if self.listens.get() => &self.listening,
            _ => return None,
        };
        exchange.borrow_mut().poll()
    }

    /// A notification, save for progress on the stream of a leg.
    fn notified(self: &Rc<Self>, method: &str, params: Option<Value<'_>>) {
        if let Some(params) = params {
            let id = params.at("progressToken").integer_or(-1);
            if method == PROGRESS
                && let Some(call) = self.call_after(0, &|call| call.has_id(id))
            {
                return call.progress(params.raw());
            }
            if method == "notifications/cancelled" {
                self.cancel_pushed(params);
            }
        }
        self.notification(method, params);
    }

    /// The transport ended: there is nothing left to close.
    pub(super) fn transport_closed(&self) {
        if let Some(connection) = self.end_calls("The transport was closed while the call was under way")
            && connection.is(SHARED)
        {
            host::release(self.number as i32);
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
        let connection = self.connection.borrow_mut().take();
        // `connect` is a call too, and is under way before there is a connection.
        if connection.is_none() && self.calls.after(0).is_none() {
            return None;
        }
        self.stop_listening();
        let mut ended = 0;
        while let Some(call) = self.calls.after(ended) {
            ended = call.number;
            call.fail(Error::new(Code::ConnectionClosed, why));
        }
        self.abandon_pushed();
        host::closed(self.number as i32);
        connection
    }
}
