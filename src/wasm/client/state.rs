//! What a client holds: the connection, and the calls in flight; and where all clients are kept.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::call::{Purpose, RunningCall};
use super::connection::Connection;
use super::host;
use super::options::{CallOptions, ConnectionOptions};
use super::pushed::PushedAsk;
use crate::driver::{Call, Limits};
use crate::error::Error;
use crate::json::{Document, Value, push_member, write_quoted};
use crate::mrtr::Accepts;
use crate::wire::http::Exchange;
use crate::wire::pages::Pages;
use crate::wire::{Capabilities, Handlers};

thread_local! {
    /// In the order of their numbers, which JavaScript gives.
    static CLIENTS: RefCell<Vec<Rc<ClientState>>> = const { RefCell::new(Vec::new()) };
}

/// The client with this number.
pub(super) fn client(number: u32) -> Option<Rc<ClientState>> {
    CLIENTS.with_borrow(|clients| {
        let at = clients.binary_search_by_key(&number, |client| client.number).ok()?;
        clients.get(at).cloned()
    })
}

pub(super) fn keep(client: ClientState) {
    CLIENTS.with_borrow_mut(|clients| clients.push(Rc::new(client)));
}

/// Nobody has the client any more.
pub(super) fn forget(number: u32) -> u32 {
    CLIENTS.with_borrow_mut(|clients| {
        if let Ok(at) = clients.binary_search_by_key(&number, |client| client.number) {
            clients.remove(at);
        }
    });
    0
}

pub(super) struct ClientState {
    pub(super) number: u32,
    pub(super) info: String,
    pub(super) limits: Limits,
    pub(super) options: ConnectionOptions,
    explicit: Option<Document>,
    /// The methods whose notifications have handlers.
    notifications: RefCell<Vec<String>>,
    /// What is declared with the next request.
    pub(super) capabilities: RefCell<Capabilities>,
    pub(super) connection: RefCell<Option<Rc<Connection>>>,
    /// In the order of their numbers.
    pub(super) calls: RefCell<Vec<Rc<RunningCall>>>,
    /// JavaScript gives odd numbers to calls; those that help them have even ones.
    pub(super) next_help: Cell<u32>,
    next_id: Cell<u32>,
    pub(super) pushed: RefCell<Vec<PushedAsk>>,
    pub(super) next_push: Cell<usize>,
    /// The stream on which a server of 2025 sends what belongs to no call.
    pub(super) listening: RefCell<Exchange>,
    pub(super) listens: Cell<bool>,
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
        let capabilities = Capabilities::new(explicit.as_ref(), Handlers::default());
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
            listening: RefCell::new(Exchange::legacy(None)),
            listens: Cell::new(false),
        }
    }

    /// Begins a call. After an error there is none.
    #[inline(never)]
    pub(super) fn start(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        start: Start<'_>,
        number: u32,
        options: CallOptions,
        purpose: Purpose,
        pages: Option<Pages>,
    ) -> Result<(), Error> {
        let driver = match start {
            Start::Call(method, params) => Call::new(method, params, connection.suited(&options.limits, method)),
            Start::Resume(checkpoint) => Call::resume(checkpoint, connection.suited(&options.limits, ""))?,
        };
        // A resumed call's legs must not have the ids of those that left elsewhere.
        self.next_id.set(self.next_id.get().max(driver.last_id().wrapping_add(u32::from(driver.last_id() > 0))));
        let call = Rc::new(RunningCall::new(self, number, connection, driver, options, purpose, pages));
        if let Err(at) = self.place(number) {
            self.calls.borrow_mut().insert(at, Rc::clone(&call));
        }
        call.begin();
        Ok(())
    }

    /// Begins a call that helps others. Returns its number.
    pub(super) fn help(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        method: &str,
        params: Option<Rc<Document>>,
        purpose: Purpose,
        pages: Option<Pages>,
    ) {
        let number = self.next_help.replace(self.next_help.get().wrapping_add(2));
        let options = CallOptions::new(&self.limits, [f64::NAN; 2], 0);
        // Only checkpoints can be refused.
        let _ = self.start(connection, Start::Call(method, params), number, options, purpose, pages);
    }

    /// The connection, if there is one.
    #[inline(never)]
    pub(super) fn connection(&self) -> Option<Rc<Connection>> {
        self.connection.borrow().clone()
    }

    /// Connected, or about to be.
    pub(super) fn is_connected(&self) -> bool {
        self.connection().is_some() || self.calls.borrow().iter().any(|call| matches!(call.purpose, Purpose::Connect))
    }

    /// Where in the list the call is, or would be.
    #[inline(never)]
    fn place(&self, number: u32) -> Result<usize, usize> {
        self.calls.borrow().binary_search_by_key(&number, |call| call.number)
    }

    #[inline(never)]
    pub(super) fn call(&self, number: u32) -> Option<Rc<RunningCall>> {
        let at = self.place(number).ok()?;
        self.calls.borrow().get(at).cloned()
    }

    pub(super) fn forget(&self, number: u32) {
        if let Ok(at) = self.place(number) {
            let _call = self.calls.borrow_mut().remove(at);
        }
    }

    /// Does something with each call, even if it ends calls.
    #[inline(never)]
    pub(super) fn each_call(&self, act: &mut dyn FnMut(&RunningCall)) {
        let calls = self.calls.borrow().clone();
        for call in &calls {
            act(call);
        }
    }

    pub(super) fn next_id(&self) -> u32 {
        self.next_id.replace(self.next_id.get().wrapping_add(1))
    }

    /// What can be answered now.
    #[inline(never)]
    pub(super) fn accepts(&self) -> Accepts {
        self.capabilities.borrow().accepts
    }

    /// Says which requests have handlers: the bits 1 sampling, 2 elicitation, 4 roots.
    pub(super) fn set_handlers(&self, bits: u32) {
        let handlers = Handlers { samples: bits & 1 != 0, elicits: bits & 2 != 0, lists_roots: bits & 4 != 0 };
        self.capabilities.replace(Capabilities::new(self.explicit.as_ref(), handlers));
    }

    /// Says whether notifications of this method have a handler.
    pub(super) fn watch(&self, method: &str, watched: bool) {
        let mut notifications = self.notifications.borrow_mut();
        match notifications.iter().position(|known| known == method) {
            Some(at) if !watched => {
                notifications.remove(at);
            }
            None if watched => notifications.push(method.to_owned()),
            _ => {}
        }
    }

    /// Whether notifications of this method have a handler.
    #[inline(never)]
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

    /// Tells of something that was dropped.
    #[inline(never)]
    pub(super) fn dropped(&self, message: &str) {
        self.warn("dropped-message", message);
    }

    #[inline(never)]
    pub(super) fn warn(&self, code: &str, message: &str) {
        host::warn(self.number, code, message, "", "");
    }

    /// Tells of an error that ends no call.
    #[inline(never)]
    pub(super) fn on_error(&self, error: &Error) {
        host::failed(self.number, &super::code_of(error), error.message(), error.data());
    }
}
