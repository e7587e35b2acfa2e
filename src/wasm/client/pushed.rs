//! Requests that a server of 2025 pushes: handed to the same handlers, answered with a message of their own.

use std::mem;
use std::rc::Rc;

use super::call::RunningCall;
use super::connection::Connection;
use super::host;
use super::state::ClientState;
use super::table::share;
use crate::driver::Event;
use crate::error::Error;
use crate::json::{Document, Value, ValueId};
use crate::mrtr::{Accepts, Ask};
use crate::wire::push::{self, Pushed};

/// A pushed request whose handler is at work.
pub(super) struct PushedAsk {
    ask: Rc<Ask>,
    connection: Rc<Connection>,
    /// The call on whose stream it came, or 0.
    call: u32,
}

impl ClientState {
    pub(super) fn receive_request(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        document: &Document,
        id: Value<'_>,
        method: &str,
        params: ValueId,
        call: Option<&RunningCall>,
    ) {
        let number = self.next_push.replace(self.next_push.get().wrapping_add(1));
        // What was declared for the session, and what has handlers now.
        let accepts = connection.declared.get() | (self.accepts() & Accepts::HANDLERS);
        let manner = connection.manner(&self.limits);
        let ask = match push::receive(document, id, method, params, number as usize, accepts, manner) {
            Pushed::Reply(message) => return self.tell_server(connection, &message),
            Pushed::Ask(ask) => Rc::new(ask),
        };
        let call = call.map_or(0, |call| call.number);
        self.pause(call, true);
        let pushed = PushedAsk { ask: share(&ask), connection: share(connection), call };
        self.pushed.insert(number, Rc::new(pushed));
        self.ask(0, call, &ask);
    }

    /// Hands a request to its handler. `within` is the call that it belongs to, as far as that is known.
    pub(super) fn ask(&self, call: u32, within: u32, ask: &Ask) {
        let params = ask.params().map_or("", Value::raw);
        host::ask(self.number, call, ask.round, ask.index, ask.method as u32, within, &ask.key, params);
    }

    /// A handler returned, or it threw, of which JavaScript has told.
    pub(super) fn pushed_answered(self: &Rc<Self>, number: u32, text: &mut String, error: Option<Error>, thrown: bool) {
        let Some(pushed) = self.pushed.get(number) else { return };
        self.pushed.remove(number);
        let (ask, manner) = (&pushed.ask, pushed.connection.manner(&self.limits));
        let answer = match error {
            Some(error) => Err(error),
            None => push::answer(ask, mem::take(text), manner),
        };
        let message = match answer {
            Ok(message) => message,
            Err(error) => {
                if !thrown {
                    self.on_error(&error);
                }
                push::refusal(&ask.key, &error)
            }
        };
        self.tell_server(&pushed.connection, &message);
        self.pause(pushed.call, false);
    }

    /// The server no longer wants the answer: the handler is told, and nothing is sent.
    pub(super) fn cancel_pushed(self: &Rc<Self>, params: Value<'_>) {
        let Some(id) = params.get("requestId") else { return };
        let mut number = 0;
        while let Some(pushed) = self.pushed.after(number) {
            number = pushed.ask.index as u32;
            if pushed.ask.key == id.raw() {
                return self.cancel(number);
            }
        }
    }

    pub(super) fn abandon_pushed(&self) {
        while let Some(pushed) = self.pushed.after(0) {
            self.cancel(pushed.ask.index as u32);
        }
    }

    fn cancel(&self, number: u32) {
        if let Some(pushed) = self.pushed.remove(number) {
            host::cancel_ask(self.number as i32, pushed.ask.index as i32);
            self.pause(pushed.call, false);
        }
    }

    /// The clock of the call that is asked for rests; of all, where it cannot be known.
    fn pause(&self, call: u32, paused: bool) {
        let mut number = call.saturating_sub(1);
        while let Some(running) = self.calls.after(number) {
            number = running.number;
            if call == 0 || number == call {
                running.handle(if paused { Event::Paused } else { Event::Unpaused });
            }
        }
    }
}
