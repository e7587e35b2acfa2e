//! The client object: handlers, connection, and the calls in flight.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::RefUnwindSafe;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;

use super::call::{Completion, RunningCall};
use super::options::{self, Options};
use super::port::Port;
use super::{convert, host, plain};
use crate::driver::{Call, Limits};
use crate::error::{Code, Error};
use crate::json::{Document, SyntaxError, Value, push_member, write_quoted};
use crate::mrtr::InputMethod;
use crate::revision::Revision;
use crate::wire::pages::Pages;
use crate::wire::{Capabilities, Handlers};

/// What stands behind `Client`. Internal to the package: `src/js/client.js` is its public face.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    state: Rc<ClientState>,
}

// As for `Port`.
impl RefUnwindSafe for Core {}

pub(super) struct ClientState {
    info: String,
    explicit: Option<Document>,
    limits: Limits,
    handlers: RefCell<[Option<Function>; 3]>,
    notifications: RefCell<Vec<(String, Function)>>,
    capabilities: RefCell<Rc<Capabilities>>,
    on_warning: Option<Function>,
    watchers: RefCell<JsValue>,
    port: RefCell<JsValue>,
    connection: RefCell<Option<Rc<Connection>>>,
    /// In the order of their numbers.
    calls: RefCell<Vec<Rc<RunningCall>>>,
    next_call: Cell<u32>,
    next_id: Cell<u32>,
}

/// What `connect` established.
pub(super) struct Connection {
    pub(super) endpoint: JsValue,
    pub(super) revision: Revision,
    /// The server's answer to `server/discover`.
    pub(super) discovered: Option<Document>,
}

#[wasm_bindgen]
impl Core {
    /// `info` and `capabilities` are JSON texts of objects.
    #[wasm_bindgen(constructor)]
    pub fn new(info: String, capabilities: Option<String>, options: &JsValue) -> Result<Self, JsValue> {
        let limits = options::client_limits(options).map_err(|error| plain(&error))?;
        let on_warning = Options::new(options, "options").function("onWarning").map_err(|error| plain(&error))?;
        let explicit = capabilities.map(Document::from_text).transpose().map_err(not_json)?;
        let capabilities = Rc::new(Capabilities::new(explicit.as_ref(), Handlers::default()));
        let state = Rc::new_cyclic(|weak| ClientState {
            info,
            explicit,
            limits,
            handlers: RefCell::default(),
            notifications: RefCell::default(),
            capabilities: RefCell::new(capabilities),
            on_warning,
            watchers: RefCell::default(),
            port: RefCell::new(Port::new(weak.clone()).into()),
            connection: RefCell::default(),
            calls: RefCell::default(),
            next_call: Cell::new(1),
            next_id: Cell::new(0),
        });
        Ok(Self { state })
    }

    /// Sets the object whose `error` and `close` are called.
    pub fn watch(&self, watchers: JsValue) {
        self.state.watchers.replace(watchers);
    }

    /// Asks the server what it is and can do. The promise is fulfilled when calls can be made.
    pub fn connect(&self, endpoint: JsValue, options: &JsValue) -> Promise {
        let state = &self.state;
        if state.connection.borrow().is_some() {
            return rejected(&Error::new(Code::AlreadyConnected, "The client is connected already: close it first"));
        }
        let connection = Rc::new(Connection { endpoint, revision: Revision::LATEST, discovered: None });
        state.start(connection, Start::Call("server/discover", None), options, Completion::Connect)
    }

    /// Ends the connection. Calls in flight are rejected.
    pub fn close(&self) {
        let state = &self.state;
        if state.connection.take().is_none() {
            return;
        }
        let calls = state.calls.borrow().clone();
        for call in calls {
            call.fail(&Error::new(Code::ConnectionClosed, "The client was closed while the call was under way"));
        }
        state.tell("close", &JsValue::UNDEFINED);
    }

    /// Registers what answers the server's requests of this method.
    #[wasm_bindgen(js_name = setRequestHandler)]
    pub fn set_request_handler(&self, method: &str, handler: JsValue) -> Result<(), JsValue> {
        let slot = slot(method)?;
        let handler = handler.dyn_into().map_err(|_| {
            plain(
                &Error::new(Code::InvalidArgument, "expected the request handler to be a function")
                    .with("method", method),
            )
        })?;
        self.state.set_handler(slot, Some(handler));
        Ok(())
    }

    /// Takes a handler away.
    #[wasm_bindgen(js_name = removeRequestHandler)]
    pub fn remove_request_handler(&self, method: &str) -> Result<(), JsValue> {
        self.state.set_handler(slot(method)?, None);
        Ok(())
    }

    /// Registers what is called with the server's notifications of this method; `undefined` takes it away.
    #[wasm_bindgen(js_name = setNotificationHandler)]
    pub fn set_notification_handler(&self, method: String, handler: JsValue) {
        let mut notifications = self.state.notifications.borrow_mut();
        notifications.retain(|(known, _)| *known != method);
        if let Ok(handler) = handler.dyn_into() {
            notifications.push((method, handler));
        }
    }

    /// Calls a method. `params` is the JSON text of an object. `pages` names the list whose pages are all wanted.
    pub fn request(&self, method: &str, params: Option<String>, options: &JsValue, pages: &str) -> Promise {
        let Some(connection) = self.state.connection.borrow().clone() else {
            return rejected(&not_connected());
        };
        let params = match params.map(Document::from_text).transpose() {
            Ok(params) => params.map(Rc::new),
            Err(error) => return Promise::reject(&not_json(error)),
        };
        let completion =
            if pages.is_empty() { Completion::Plain } else { Completion::Pages(Pages::new(method, pages)) };
        self.state.start(connection, Start::Call(method, params), options, completion)
    }

    /// Goes on with a call from its checkpoint, given as JSON text.
    pub fn resume(&self, checkpoint: &str, options: &JsValue) -> Promise {
        let Some(connection) = self.state.connection.borrow().clone() else {
            return rejected(&not_connected());
        };
        self.state.start(connection, Start::Resume(checkpoint), options, Completion::Plain)
    }

    /// A member of what the server said of itself, as JSON text.
    #[wasm_bindgen(js_name = serverFact)]
    pub fn server_fact(&self, name: &str) -> Option<String> {
        self.state.connection.borrow().as_ref()?.fact(name)
    }

    /// The protocol revision that was agreed on.
    #[wasm_bindgen(js_name = protocolVersion)]
    pub fn protocol_version(&self) -> Option<String> {
        Some(self.state.connection.borrow().as_ref()?.revision.as_str().to_owned())
    }
}

impl Connection {
    /// A member of the discover result; the server's identity stands in its `_meta`, in some servers beside it.
    pub(super) fn fact(&self, name: &str) -> Option<String> {
        let root = self.discovered.as_ref()?.root();
        let in_meta =
            (name == "serverInfo").then(|| root.get("_meta")?.get("io.modelcontextprotocol/serverInfo")).flatten();
        in_meta.or_else(|| root.get(name)).map(|value| value.raw().to_owned())
    }
}

impl ClientState {
    fn start(
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
        let driver = match start {
            Start::Call(method, params) => Call::new(method, params, options.limits.clone()),
            Start::Resume(checkpoint) => match Call::resume(checkpoint, options.limits.clone()) {
                Ok(driver) => driver,
                Err(error) => return rejected(&error),
            },
        };
        if let Some(signal) = options.signal.as_ref().filter(|signal| signal.aborted()) {
            return Promise::reject(&signal.reason());
        }
        let number = self.next_call.replace(self.next_call.get().wrapping_add(1));
        let deferred = host::deferred();
        let promise = deferred.promise();
        let call = Rc::new(RunningCall::new(self, number, connection, driver, options, deferred, completion));
        self.calls.borrow_mut().push(Rc::clone(&call));
        call.begin();
        promise
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

    pub(super) fn info(&self) -> &str {
        &self.info
    }

    /// What is declared with the next request.
    pub(super) fn capabilities(&self) -> Rc<Capabilities> {
        Rc::clone(&self.capabilities.borrow())
    }

    pub(super) fn handler(&self, method: InputMethod) -> Option<Function> {
        self.handlers.borrow().get(method as usize).cloned().flatten()
    }

    fn set_handler(&self, method: InputMethod, handler: Option<Function>) {
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

    pub(super) fn connected(&self, connection: Connection) {
        self.connection.replace(Some(Rc::new(connection)));
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

    fn tell(&self, what: &str, value: &JsValue) {
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

/// How a call begins.
enum Start<'a> {
    Call(&'a str, Option<Rc<Document>>),
    Resume(&'a str),
}

fn not_connected() -> Error {
    Error::new(Code::NotConnected, "The client is not connected: await connect() first")
}

fn slot(method: &str) -> Result<InputMethod, JsValue> {
    InputMethod::from_name(method).ok_or_else(|| {
        let message = "expected the method to be sampling/createMessage, elicitation/create or roots/list";
        plain(&Error::new(Code::InvalidArgument, message).with("method", method))
    })
}

fn not_json(error: SyntaxError) -> JsValue {
    plain(&Error::new(Code::InvalidArgument, error.to_string()))
}

fn rejected(error: &Error) -> Promise {
    Promise::reject(&plain(error))
}
