//! What becomes of a result, or of a failure.

use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::JsValue;

use super::{Completion, RunningCall};
use crate::driver::{Call, Event, Reply};
use crate::error::{Code, Error};
use crate::json::{Document, Value};
use crate::revision::Revision;
use crate::wasm::client::{convert, host};
use crate::wasm::errors;
use crate::wire::era::Step;
use crate::wire::pages::{Next, Pages};

impl RunningCall {
    pub(super) fn done(&self, reply: &Reply) {
        let result = reply.result();
        // A step may put another completion in place of this one.
        let completion = self.completion.replace(Completion::Plain);
        match completion {
            Completion::Plain => self.resolve_with(&convert::result(result)),
            Completion::Pages(pages) => self.page(pages, result),
            Completion::Connect | Completion::Reconnect(_) => {
                self.completion.replace(completion);
                self.take_step(self.verdict(result), result);
            }
        }
    }

    fn verdict(&self, result: Value<'_>) -> Step {
        let mut negotiation = self.connection.negotiation.borrow_mut();
        match self.driver.borrow().method() {
            "initialize" => negotiation.on_initialized(result),
            _ => negotiation.on_discovered(result),
        }
    }

    fn take_step(&self, step: Step, result: Value<'_>) {
        match step {
            Step::Discover => self.restart("server/discover", None),
            Step::Initialize(revision) => {
                let params = self.client.offer(&self.connection, revision);
                self.restart("initialize", Some(params));
            }
            Step::Speak(revision) => self.connected(revision, result),
            Step::Fail(error) => self.reject_failed(&error),
        }
    }

    fn connected(&self, revision: Revision, result: Value<'_>) {
        self.client.connected(&self.connection, revision, result);
        if let Completion::Reconnect(number) = *self.completion.borrow()
            && let Some(call) = self.client.call(number)
        {
            call.again();
        }
        self.resolve_with(&JsValue::UNDEFINED);
    }

    /// Adds a page and starts on the next, or hands out the whole list.
    fn page(&self, mut pages: Pages, result: Value<'_>) {
        let next = pages.add(result, self.driver.borrow().params());
        match next {
            Err(error) => self.reject_failed(&error),
            Ok(Next::Done(text)) => {
                let whole = Document::from_text(text).unwrap_or_default();
                self.resolve_with(&convert::result(whole.root()));
            }
            Ok(Next::Page(params)) => {
                self.completion.replace(Completion::Pages(pages));
                let method = self.driver.borrow().method().to_owned();
                self.restart(&method, Document::from_text(params).ok().map(Rc::new));
            }
        }
    }

    /// Begins anew within the same promise. The loop in `handle` goes on with the new state machine.
    fn restart(&self, method: &str, params: Option<Rc<Document>>) {
        let mut limits = self.options.limits.clone();
        self.connection.suit(&mut limits);
        let mut driver = Call::new(method, params, limits);
        driver.handle(Event::Start, host::now());
        self.driver.replace(driver);
    }

    /// Sends the call again in the new session.
    fn again(&self) {
        let (method, params) = {
            let driver = self.driver.borrow();
            let params = driver.params().and_then(|params| Document::from_text(params.raw().to_owned()).ok());
            (driver.method().to_owned(), params.map(Rc::new))
        };
        self.restart(&method, params);
        self.run();
    }

    pub(super) fn failed(&self, error: &Error) {
        let handshake = self.driver.borrow().method() == "server/discover";
        match *self.completion.borrow() {
            Completion::Connect if handshake => {}
            Completion::Reconnect(number) => return self.reconnect_failed(number, error),
            _ if self.renews_session(error) => return self.client.renew_session(&self.connection, self.number),
            _ => return self.reject_failed(error),
        }
        let step = self.connection.negotiation.borrow_mut().on_discover_failed(error.clone());
        let nothing = Document::default();
        self.take_step(step, nothing.root());
    }

    fn reconnect_failed(&self, number: u32, error: &Error) {
        if let Some(call) = self.client.call(number) {
            call.reject_failed(error);
        }
        self.resolve_with(&JsValue::UNDEFINED);
    }

    /// A server that no longer knows the session says 404; then a new one is due, once.
    /// Specification of 2025-11-25: basic/transports, "Session Management".
    fn renews_session(&self, error: &Error) -> bool {
        let has_session = self.connection.session_id.borrow().is_some();
        let gone = has_session && error.data().starts_with("{\"status\":404");
        gone && !self.asked_again.replace(true)
    }

    fn reject_failed(&self, error: &Error) {
        let reason = self.thrown_or(error);
        if let Some(checkpoint) = self.driver.borrow().checkpoint() {
            // A frozen error of the host stays as it is.
            let _ = Reflect::set(&reason, &"checkpoint".into(), &convert::parsed(&checkpoint));
        }
        self.reject_with(reason);
    }

    /// The error for the caller. What a handler threw on purpose, as an error of ours, is that error.
    fn thrown_or(&self, error: &Error) -> JsValue {
        let cause = match error.kind() {
            Code::HandlerFailed
            | Code::SamplingDeclined
            | Code::SendFailed
            | Code::ConnectionClosed
            | Code::EraNegotiationFailed => self.thrown.take(),
            _ => JsValue::UNDEFINED,
        };
        if host::code_of(&cause).is_some() { cause } else { errors::object(error, &cause) }
    }
}
