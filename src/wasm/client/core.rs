//! The object behind `Client`: what JavaScript calls.

use std::cell::{Cell, RefCell};
use std::panic::RefUnwindSafe;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::call::Completion;
use super::connection::{Connection, Kind};
use super::options::{self, ConnectionOptions, Options};
use super::port::Port;
use super::state::{ClientState, Start};
use super::{host, plain, rejected};
use crate::error::{Code, Error};
use crate::json::{Document, SyntaxError};
use crate::mrtr::InputMethod;
use crate::wire::era::Prior;
use crate::wire::pages::Pages;
use crate::wire::{Capabilities, Handlers, method};

/// What stands behind `Client`. Internal to the package: `src/js/client.js` is its public face.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Core {
    state: Rc<ClientState>,
    options: ConnectionOptions,
}

// As for `Port`.
impl RefUnwindSafe for Core {}

#[wasm_bindgen]
impl Core {
    /// `info` and `capabilities` are JSON texts of objects.
    #[wasm_bindgen(constructor)]
    pub fn new(info: String, capabilities: Option<String>, options: &JsValue) -> Result<Self, JsValue> {
        let limits = options::client_limits(options).map_err(|error| plain(&error))?;
        let connection = options::connection(options).map_err(|error| plain(&error))?;
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
            pushed: RefCell::default(),
            next_push: Cell::new(0),
            listening: RefCell::default(),
        });
        Ok(Self { state, options: connection })
    }

    /// Sets the object whose `error` and `close` are called.
    pub fn watch(&self, watchers: JsValue) {
        self.state.watchers.replace(watchers);
    }

    /// Makes a transport report to this client. The promise is fulfilled when it has started.
    pub fn attach(&self, transport: &JsValue) -> Promise {
        if self.state.is_connected() {
            return rejected(&already_connected());
        }
        host::attach(transport, &self.state.port())
    }

    /// Agrees with the server on a revision. The promise is fulfilled when calls can be made. `kind` says what the
    /// endpoint is: 0 an HTTP endpoint, 1 a transport, 2 a function. `prior` is the JSON text of an earlier verdict.
    pub fn connect(&self, endpoint: JsValue, kind: u8, options: &JsValue, prior: Option<String>) -> Promise {
        if self.state.is_connected() {
            return rejected(&already_connected());
        }
        match prior.map(Prior::read).transpose() {
            Err(error) => rejected(&error),
            Ok(prior) => {
                let connection = Rc::new(Connection::new(endpoint, Kind::from(kind), self.options));
                self.state.connect(connection, options, prior)
            }
        }
    }

    /// Ends the connection. Calls in flight are rejected. Returns a promise if there is something to wait for.
    pub fn close(&self) -> JsValue {
        self.state.close()
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

    /// Calls a method. `params` is the JSON text of an object, as bytes: strings cross slowly. `pages` names the list whose pages are all wanted.
    pub fn request(&self, method: &str, params: Option<Vec<u8>>, options: &JsValue, pages: &str) -> Promise {
        let Some(connection) = self.state.connection.borrow().clone() else {
            return rejected(&not_connected());
        };
        if let Err(error) = method::check(method, connection.revision.get()) {
            return rejected(&error);
        }
        let params = match params.map(Document::parse).transpose() {
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

    /// What is known of the server now, as JSON text, for a later `connect`.
    pub fn prior(&self) -> Option<String> {
        Some(self.state.connection.borrow().as_ref()?.prior())
    }

    /// The protocol revision that was agreed on.
    #[wasm_bindgen(js_name = protocolVersion)]
    pub fn protocol_version(&self) -> Option<String> {
        Some(self.state.connection.borrow().as_ref()?.revision.get().as_str().to_owned())
    }

    /// `modern` from 2026-07-28 on, `legacy` before.
    #[wasm_bindgen(js_name = protocolEra)]
    pub fn protocol_era(&self) -> Option<String> {
        let is_modern = self.state.connection.borrow().as_ref()?.is_modern();
        Some(String::from(if is_modern { "modern" } else { "legacy" }))
    }
}

fn not_connected() -> Error {
    Error::new(Code::NotConnected, "The client is not connected: await connect() first")
}

fn already_connected() -> Error {
    Error::new(Code::AlreadyConnected, "The client is connected already: close it first")
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
