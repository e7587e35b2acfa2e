//! What a client holds: handlers, the connection, and the calls in flight.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::call::{Completion, RunningCall};
use super::connection::Connection;
use super::pushed::PushedAsk;
use super::session::Listening;
use super::{convert, host, options, rejected};
use crate::driver::{Call, Limits};
use crate::json::{Document, Value, push_member, write_quoted};
use crate::mrtr::InputMethod;
use crate::wire::{Capabilities, Handlers};

pub(super) struct ClientState {
    pub(super) info: String,
    pub(super) explicit: Option<Document>,
    pub(super) limits: Limits,
    pub(super) handlers: RefCell<[Option<Function>; 3]>,
    pub(super) notifications: RefCell<Vec<(String, Function)>>,
    pub(super) capabilities: RefCell<Rc<Capabilities>>,
    pub(super) on_warning: Option<Function>,
    pub(super) watchers: RefCell<JsValue>,
    pub(super) port: RefCell<JsValue>,
    pub(super) connection: RefCell<Option<Rc<Connection>>>,
    /// In the order of their numbers.
    pub(super) calls: RefCell<Vec<Rc<RunningCall>>>,
    pub(super) next_call: Cell<u32>,
    pub(super) next_id: Cell<u32>,
    pub(super) pushed: RefCell<Vec<PushedAsk>>,
    pub(super) next_push: Cell<usize>,
    pub(super) listening: RefCell<Option<Listening>>,
}

/// How a call begins.
pub(super) enum Start<'a> {
    /// A method and its parameters.
    Call(&'a str, Option<Rc<Document>>),
    /// A checkpoint, as JSON text.
    Resume(&'a str),
}

impl ClientState {
    pub(super) fn start(
        self: &Rc<Self>,
        connection: Rc<Connection>,
        start: Start<'_>,
        options: &JsValue,
        completion: Completion,
    ) -> Promise {
        let options = match options::call_options(options, &self.limits) {
            Ok(options) => options,
            Err(error) => return rejected(&error),
        };
        let method = if let Start::Call(method, _) = &start { Some(*method) } else { None };
        let limits = connection.suited(&options.limits, method);
        let driver = match start {
            Start::Call(method, params) => Call::new(method, params, limits),
            Start::Resume(checkpoint) => match Call::resume(checkpoint, limits) {
                Ok(driver) => driver,
                Err(error) => return rejected(&error),
            },
        };
        if let Some(signal) = options.signal.as_ref().filter(|signal| signal.aborted()) {
            return Promise::reject(&signal.reason());
        }
        // A resumed call's legs must not have the ids of those that left elsewhere.
        self.next_id.set(self.next_id.get().max(driver.last_id().wrapping_add(u32::from(driver.last_id() > 0))));
        let number = self.next_call.replace(self.next_call.get().wrapping_add(1));
        let deferred = host::deferred();
        let promise = deferred.promise();
        let call = Rc::new(RunningCall::new(self, number, connection, driver, options, deferred, completion));
        self.calls.borrow_mut().push(Rc::clone(&call));
        call.begin();
        promise
    }

    /// Connected, or about to be.
    pub(super) fn is_connected(&self) -> bool {
        self.connection.borrow().is_some() || self.calls.borrow().iter().any(|call| call.connects())
    }

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

    pub(super) fn handler(&self, method: InputMethod) -> Option<Function> {
        self.handlers.borrow().get(method as usize).cloned().flatten()
    }

    pub(super) fn set_handler(&self, method: InputMethod, handler: Option<Function>) {
        if let Some(slot) = self.handlers.borrow_mut().get_mut(method as usize) {
            *slot = handler;
        }
        let handlers = Handlers {
            samples: self.handler(InputMethod::CreateMessage).is_some(),
            elicits: self.handler(InputMethod::Elicit).is_some(),
            lists_roots: self.handler(InputMethod::ListRoots).is_some(),
        };
        self.capabilities.replace(Rc::new(Capabilities::new(self.explicit.as_ref(), handlers)));
    }

    pub(super) fn port(&self) -> JsValue {
        self.port.borrow().clone()
    }

    /// The client's JavaScript object. Whatever is under way holds it; in between only JavaScript does, so that it can be
    /// collected with all that its handlers refer to.
    pub(super) fn owner(&self) -> JsValue {
        host::owner(&self.watchers.borrow().clone())
    }

    /// Hands a notification of the server to its handler.
    pub(super) fn notification(&self, method: &str, params: Option<Value<'_>>) {
        let handler =
            self.notifications.borrow().iter().find(|(known, _)| known == method).map(|(_, handler)| handler.clone());
        if let Some(handler) = handler {
            let mut text = String::from("{\"method\":");
            write_quoted(&mut text, method);
            if let Some(params) = params {
                push_member(&mut text, "params", params.raw());
            }
            text.push('}');
            host::notify(&handler, &convert::parsed(&text), &self.port());
        }
    }

    pub(super) fn warn(&self, code: &str, message: &str, path: &str, key: &str) {
        if let Some(on_warning) = &self.on_warning {
            let warning = convert::object(&convert::Warning { code, message, path, key });
            host::notify(on_warning, &warning, &self.port());
        }
    }

    pub(super) fn on_error(&self, error: &JsValue) {
        self.tell("error", error);
    }

    pub(super) fn tell(&self, what: &str, value: &JsValue) {
        let watchers = self.watchers.borrow().clone();
        if let Ok(watcher) = Reflect::get(&watchers, &what.into()).and_then(JsCast::dyn_into::<Function>) {
            // A watcher of errors that throws has nobody left to tell.
            let _ = watcher.call1(&JsValue::UNDEFINED, value);
        }
    }
}

impl fmt::Debug for ClientState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Client")
    }
}
