//! What a client holds: the connection, and the calls in flight; and where all clients are kept.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::call::{Completion, RunningCall};
use super::connection::Connection;
use super::host;
use super::options::{CallOptions, ConnectionOptions};
use super::pushed::PushedAsk;
use crate::driver::{Call, Limits};
use crate::error::Error;
use crate::json::{Document, Value, push_member, write_quoted};
use crate::wire::http::Exchange;
use crate::wire::{Capabilities, Handlers};

thread_local! {
    /// In the order of their numbers, which JavaScript gives.
    static CLIENTS: RefCell<Vec<Rc<ClientState>>> = const { RefCell::new(Vec::new()) };
}

/// The client with this number.
#[inline(never)]
pub(super) fn client(number: u32) -> Option<Rc<ClientState>> {
    CLIENTS.with_borrow(|clients| {
        let at = clients.binary_search_by_key(&number, |client| client.number).ok()?;
        clients.get(at).cloned()
    })
}

pub(super) fn keep(client: ClientState) {
    CLIENTS.with_borrow_mut(|clients| clients.push(Rc::new(client)));
}

pub(super) fn forget(number: u32) {
    CLIENTS.with_borrow_mut(|clients| clients.retain(|client| client.number != number));
}

pub(super) struct ClientState {
    pub(super) number: u32,
    pub(super) info: String,
    pub(super) limits: Limits,
    pub(super) options: ConnectionOptions,
    explicit: Option<Document>,
    /// The methods whose notifications have handlers.
    pub(super) notifications: RefCell<Vec<String>>,
    capabilities: RefCell<Rc<Capabilities>>,
    pub(super) connection: RefCell<Option<Rc<Connection>>>,
    /// In the order of their numbers.
    pub(super) calls: RefCell<Vec<Rc<RunningCall>>>,
    /// JavaScript gives odd numbers to calls; those that help them have even ones.
    next_help: Cell<u32>,
    next_id: Cell<u32>,
    pub(super) pushed: RefCell<Vec<PushedAsk>>,
    pub(super) next_push: Cell<usize>,
    /// The stream on which a server of 2025 sends what belongs to no call.
    pub(super) listening: RefCell<Option<Exchange>>,
}

/// How a call begins.
pub(super) enum Start<'a> {
    /// A method and its parameters.
    Call(&'a str, Option<Rc<Document>>),
    /// A checkpoint, as JSON text.
    Resume(&'a str),
}

impl ClientState {
    pub(super) fn new(
        number: u32,
        info: String,
        explicit: Option<Document>,
        limits: Limits,
        options: ConnectionOptions,
    ) -> Self {
        let capabilities = Rc::new(Capabilities::new(explicit.as_ref(), Handlers::default()));
        Self {
            number,
            info,
            limits,
            options,
            explicit,
            notifications: RefCell::default(),
            capabilities: RefCell::new(capabilities),
            connection: RefCell::default(),
            calls: RefCell::default(),
            next_help: Cell::new(2),
            next_id: Cell::new(0),
            pushed: RefCell::default(),
            next_push: Cell::new(0),
            listening: RefCell::default(),
        }
    }

    /// Begins a call. After an error there is none.
    pub(super) fn start(
        self: &Rc<Self>,
        connection: Rc<Connection>,
        start: Start<'_>,
        number: u32,
        options: CallOptions,
        completion: Completion,
    ) -> Result<(), Error> {
        let method = if let Start::Call(method, _) = &start { Some(*method) } else { None };
        let limits = connection.suited(&options.limits, method);
        let driver = match start {
            Start::Call(method, params) => Call::new(method, params, limits),
            Start::Resume(checkpoint) => Call::resume(checkpoint, limits)?,
        };
        // A resumed call's legs must not have the ids of those that left elsewhere.
        self.next_id.set(self.next_id.get().max(driver.last_id().wrapping_add(u32::from(driver.last_id() > 0))));
        let call = Rc::new(RunningCall::new(self, number, connection, driver, options, completion));
        let mut calls = self.calls.borrow_mut();
        let at = calls.partition_point(|call| call.number() < number);
        calls.insert(at, Rc::clone(&call));
        drop(calls);
        call.begin();
        Ok(())
    }

    /// Begins a call that helps others. Returns its number.
    pub(super) fn help(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        method: &str,
        params: Option<Rc<Document>>,
        completion: Completion,
    ) {
        let number = self.next_help.replace(self.next_help.get().wrapping_add(2));
        let (start, options) = (Start::Call(method, params), CallOptions::of(&self.limits));
        // Only checkpoints can be refused.
        let _ = self.start(Rc::clone(connection), start, number, options, completion);
    }

    /// The number of the next call that helps others.
    pub(super) fn next_help(&self) -> u32 {
        self.next_help.get()
    }

    /// Connected, or about to be.
    pub(super) fn is_connected(&self) -> bool {
        self.connection.borrow().is_some() || self.calls.borrow().iter().any(|call| call.connects())
    }

    #[inline(never)]
    pub(super) fn call(&self, number: u32) -> Option<Rc<RunningCall>> {
        let calls = self.calls.borrow();
        let at = calls.binary_search_by_key(&number, |call| call.number()).ok()?;
        calls.get(at).cloned()
    }

    pub(super) fn forget(&self, number: u32) {
        let mut calls = self.calls.borrow_mut();
        if let Ok(at) = calls.binary_search_by_key(&number, |call| call.number()) {
            calls.remove(at);
        }
    }

    pub(super) fn next_id(&self) -> u32 {
        self.next_id.replace(self.next_id.get().wrapping_add(1))
    }

    /// What is declared with the next request.
    pub(super) fn capabilities(&self) -> Rc<Capabilities> {
        Rc::clone(&self.capabilities.borrow())
    }

    pub(super) fn set_handlers(&self, handlers: Handlers) {
        self.capabilities.replace(Rc::new(Capabilities::new(self.explicit.as_ref(), handlers)));
    }

    /// Whether notifications of this method have a handler.
    pub(super) fn watches(&self, method: &str) -> bool {
        self.notifications.borrow().iter().any(|known| known == method)
    }

    /// Hands a notification of the server to its handler.
    pub(super) fn notification(&self, method: &str, params: Option<Value<'_>>) {
        if !self.watches(method) {
            return;
        }
        let mut text = String::from("{\"method\":");
        write_quoted(&mut text, method);
        if let Some(params) = params {
            push_member(&mut text, "params", params.raw());
        }
        text.push('}');
        host::notification(self.number, method, &text);
    }

    pub(super) fn warn(&self, code: &str, message: &str, path: &str, key: &str) {
        host::warn(self.number, code, message, path, key);
    }

    /// Tells of an error that ends no call.
    pub(super) fn on_error(&self, error: &Error) {
        host::failed(self.number, &super::code_of(error), error.message(), error.data());
    }
}
