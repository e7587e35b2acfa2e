//! What a client holds: the connection, and the calls in flight; and where all clients are kept.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::call::{Opening, Purpose, RunningCall};
use super::connection::Connection;
use super::host;
use super::options::{self, ConnectionOptions};
use super::pushed::PushedAsk;
use super::table::{Table, share};
use crate::driver::{Call, Event, Limits};
use crate::error::Error;
use crate::json::{Document, Value, push_member, write_quoted};
use crate::lines;
use crate::mrtr::Accepts;
use crate::wire::Capabilities;
use crate::wire::era::Verdicts;
use crate::wire::http::Exchange;

/// The method of notifications that say how far a call is.
pub(super) const PROGRESS: &str = "notifications/progress";

/// What the module holds.
pub(super) struct Shell {
    /// By the numbers that JavaScript gives.
    pub(super) clients: Table<ClientState>,
    pub(super) verdicts: RefCell<Verdicts>,
}

thread_local! {
    // It stays as long as the module: what is never dropped needs no bookkeeping.
    static SHELL: Cell<Option<&'static Shell>> = const { Cell::new(None) };
}

#[inline(never)]
pub(super) fn shell() -> &'static Shell {
    SHELL.with(|kept| {
        if let Some(shell) = kept.get() {
            return shell;
        }
        let shell = Shell { clients: Table::new(), verdicts: const { RefCell::new(Verdicts::new()) } };
        let shell: &Shell = Box::leak(Box::new(shell));
        kept.set(Some(shell));
        shell
    })
}

// The order is for size: what is used most comes first.
#[repr(C)]
pub(super) struct ClientState {
    pub(super) number: u32,
    pub(super) connection: RefCell<Option<Rc<Connection>>>,
    pub(super) calls: Table<RunningCall>,
    pub(super) pushed: Table<PushedAsk>,
    pub(super) next_push: Cell<u32>,
    /// JavaScript gives odd numbers to calls; those that help them have even ones.
    pub(super) next_help: Cell<u32>,
    next_id: Cell<u32>,
    pub(super) info: String,
    /// What is declared with the next request.
    pub(super) capabilities: RefCell<Capabilities>,
    pub(super) limits: Limits,
    pub(super) options: ConnectionOptions,
    /// What the host declares, or `null`.
    explicit: Document,
    /// The methods whose notifications have handlers, in lines.
    notifications: RefCell<String>,
    /// The stream on which a server of 2025 sends what belongs to no call.
    pub(super) listens: Cell<bool>,
    pub(super) listening: RefCell<Exchange>,
}

impl ClientState {
    pub(super) fn new(
        number: u32,
        info: String,
        explicit: Document,
        limits: Limits,
        options: ConnectionOptions,
    ) -> Self {
        let client = Self {
            number,
            info,
            limits,
            options,
            explicit,
            notifications: const { RefCell::new(String::new()) },
            capabilities: const { RefCell::new(Capabilities::NONE) },
            connection: const { RefCell::new(None) },
            calls: Table::new(),
            next_help: Cell::new(2),
            next_id: Cell::new(0),
            pushed: Table::new(),
            next_push: Cell::new(1),
            listening: RefCell::new(Exchange::legacy(None)),
            listens: Cell::new(false),
        };
        client.set_handlers(0, const { String::new() });
        client
    }

    /// Begins a call of this method.
    pub(super) fn start(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        method: &str,
        number: u32,
        limits: &Limits,
        opening: &mut Opening<'_>,
    ) {
        let driver = Call::new(method, opening.params.take(), *limits);
        self.run(connection, driver, number, limits, opening);
    }

    /// Runs a call that has not begun yet.
    pub(super) fn run(
        self: &Rc<Self>,
        connection: &Rc<Connection>,
        mut driver: Call,
        number: u32,
        limits: &Limits,
        opening: &mut Opening<'_>,
    ) {
        connection.suit(&mut driver);
        // A resumed call's legs must not have the ids of those that left elsewhere.
        self.next_id.set(self.next_id.get().max(driver.last_id().wrapping_add(u32::from(driver.last_id() > 0))));
        let call = Rc::new(RunningCall::new(self, number, connection, driver, limits, opening));
        self.calls.insert(number, share(&call));
        call.handle(Event::Start);
    }

    /// Begins a call that helps others.
    pub(super) fn help(self: &Rc<Self>, connection: &Rc<Connection>, purpose: Purpose, params: &str) {
        let (method, list) = match purpose {
            Purpose::Relist => ("tools/list", "tools"),
            _ => ("initialize", ""),
        };
        let mut opening = Opening::of(purpose, params);
        opening.list = list;
        let number = self.next_help.replace(self.next_help.get().wrapping_add(2));
        let limits = &options::of_call(&self.limits, f64::NAN, f64::NAN, 0);
        self.start(connection, method, number, limits, &mut opening);
    }

    /// The connection, if there is one.
    pub(super) fn connection(&self) -> Option<Rc<Connection>> {
        self.connection.borrow().as_ref().map(share)
    }

    /// Connected, or about to be.
    pub(super) fn is_connected(&self) -> bool {
        self.connection().is_some() || self.call_after(0, &|call| matches!(call.purpose, Purpose::Connect)).is_some()
    }

    /// The first call past this number of which something is true.
    pub(super) fn call_after(&self, number: u32, is_it: &dyn Fn(&RunningCall) -> bool) -> Option<Rc<RunningCall>> {
        let mut next = self.calls.after(number);
        while let Some(call) = next {
            if is_it(&call) {
                return Some(call);
            }
            next = self.calls.after(call.number);
        }
        None
    }

    pub(super) fn next_id(&self) -> u32 {
        self.next_id.replace(self.next_id.get().wrapping_add(1))
    }

    /// What can be answered now.
    pub(super) fn accepts(&self) -> Accepts {
        self.capabilities.borrow().accepts
    }

    /// Says which requests have handlers: the bits 1 sampling, 2 elicitation, 4 roots; and, in lines, which notifications.
    pub(super) fn set_handlers(&self, bits: u32, notifications: String) {
        *self.capabilities.borrow_mut() = Capabilities::new(Some(&self.explicit), Accepts::from(bits));
        *self.notifications.borrow_mut() = notifications;
    }

    /// Whether notifications of this method have a handler.
    pub(super) fn watches(&self, method: &str) -> bool {
        lines::place_of(&self.notifications.borrow(), method) != lines::NOWHERE
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
        text.push_str("}");
        host::notification(self.number, method, &text);
    }

    /// Tells of something that was dropped.
    pub(super) fn dropped(&self, message: &str) {
        self.warn("dropped-message", message);
    }

    pub(super) fn warn(&self, code: &str, message: &str) {
        host::warn(self.number, code, message, "", "");
    }

    /// Tells of an error that ends no call.
    pub(super) fn on_error(&self, error: &Error) {
        host::failed(self.number, &super::code_of(error), error.message(), error.data());
    }
}
