//! Requests that a server of 2025 pushes: handed to the same handlers, answered with a message of their own.

use std::rc::Rc;

use super::connection::Connection;
use super::host;
use super::state::ClientState;
use crate::driver::Event;
use crate::error::{Code, Error};
use crate::json::{Document, Value, ValueId, integer, push_member};
use crate::mrtr::Ask;
use crate::wire::push::{self, Pushed};

/// A pushed request whose handler is at work.
pub(super) struct PushedAsk {
    ask: Ask,
    connection: Rc<Connection>,
    /// The call on whose stream it came.
    call: Option<u32>,
}

impl ClientState {
    pub(super) fn receive_request(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        document: &Rc<Document>,
        id: Value<'_>,
        method: &str,
        params: Option<ValueId>,
        call: Option<u32>,
    ) {
        let number = self.next_push.replace(self.next_push.get().wrapping_add(1));
        let mut accepts = self.capabilities().accepts;
        accepts.declared = connection.declared.get().unwrap_or(accepts).declared;
        let manner = connection.manner(&self.limits);
        match push::receive(document, id, method, params, number, accepts, manner) {
            Pushed::Reply(message) => self.tell_server(connection, &message),
            Pushed::Ask(ask) => self.ask_pushed(connection, ask, call),
        }
    }

    fn ask_pushed(self: &Rc<Self>, connection: &Rc<Connection>, ask: Ask, call: Option<u32>) {
        let (number, method) = (ask.index, ask.method.as_str());
        let params = ask.params().map(|params| params.raw().to_owned());
        let within = call.and_then(|call| self.call(call)).map(|call| call.described(&ask));
        let about = about(connection, &ask, within.as_deref());
        self.pause(call, Event::Paused);
        self.pushed.borrow_mut().push(PushedAsk { ask, connection: Rc::clone(connection), call });
        host::ask(self.number, 0, 0, number, method, params.as_deref(), &about);
    }

    /// A handler returned, or threw.
    pub(super) fn pushed_answered(self: &Rc<Self>, number: usize, result: Result<Option<String>, Error>) {
        let Some(pushed) = self.take_pushed(|pushed| pushed.ask.index == number) else { return };
        let ask = &pushed.ask;
        let manner = pushed.connection.manner(&self.limits);
        let answer = match result {
            // JavaScript has told what was thrown.
            Err(thrown) => Ok(push::refusal(&ask.key, &thrown)),
            Ok(Some(text)) => push::answer(ask, text, manner),
            Ok(None) => Err(Error::new(Code::InvalidHandlerResult, "The handler returned no JSON value")),
        };
        let message = answer.unwrap_or_else(|error| {
            self.on_error(&error);
            push::refusal(&ask.key, &error)
        });
        self.tell_server(&pushed.connection, &message);
        self.pause(pushed.call, Event::Unpaused);
    }

    /// The server no longer wants the answer: the handler is told, and nothing is sent.
    pub(super) fn cancel_pushed(self: &Rc<Self>, params: Value<'_>) {
        let Some(id) = params.get("requestId") else { return };
        if let Some(pushed) = self.take_pushed(|pushed| pushed.ask.key == id.raw()) {
            host::cancel_ask(self.number, pushed.ask.index);
            self.pause(pushed.call, Event::Unpaused);
        }
    }

    pub(super) fn abandon_pushed(&self) {
        for pushed in self.pushed.take() {
            host::cancel_ask(self.number, pushed.ask.index);
        }
    }

    fn take_pushed(&self, which: impl Fn(&PushedAsk) -> bool) -> Option<PushedAsk> {
        let mut pushed = self.pushed.borrow_mut();
        let at = pushed.iter().position(which)?;
        Some(pushed.remove(at))
    }

    /// The clock of the call that is asked for rests; of all, where it cannot be known.
    fn pause(&self, call: Option<u32>, event: Event) {
        let calls = self.calls.borrow().clone();
        let paused = matches!(event, Event::Paused);
        for running in calls.iter().filter(|running| call.is_none_or(|call| running.number() == call)) {
            running.handle(if paused { Event::Paused } else { Event::Unpaused });
        }
    }
}

/// What the thrown value says to the server: a decline is one, an error with a JSON-RPC code keeps it.
pub(super) fn thrown(code: &str, message: &str) -> Error {
    match integer(code) {
        Some(number) => Error::protocol(number, message.into(), None),
        None if code == "SAMPLING_DECLINED" => Error::new(Code::SamplingDeclined, message),
        None => Error::new(Code::HandlerFailed, message),
    }
}

/// Which server asks, and in which call, if that is known.
fn about(connection: &Connection, ask: &Ask, call: Option<&str>) -> String {
    let mut about = String::from("{");
    push_member(&mut about, "key", &ask.key);
    if let Some(server) = connection.fact("serverInfo") {
        push_member(&mut about, "server", &server);
    }
    if let Some(call) = call {
        push_member(&mut about, "call", call);
    }
    about.push('}');
    about
}
