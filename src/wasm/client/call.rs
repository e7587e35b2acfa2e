//! One call under way: the state machine, and what it holds of the host while it runs.

mod complete;
mod perform;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::JsValue;
use web_sys::{AbortController, AbortSignal};

use super::connection::Connection;
use super::host::Deferred;
use super::options::CallOptions;
use super::state::ClientState;
use super::{convert, host};
use crate::driver::{Call, Event, Reply};
use crate::error::{Code, Error};
use crate::json::{Document, Value, ValueId};
use crate::mrtr::Accepts;
use crate::wasm::errors;
use crate::wire::Response;
use crate::wire::http::{Exchange, Incoming};
use crate::wire::pages::Pages;

/// What is done with the result.
pub(super) enum Completion {
    /// It goes to the caller.
    Plain,
    /// It is a page of a list.
    Pages(Pages),
    /// It is the server's answer to `server/discover` or `initialize`.
    Connect,
    /// It is the server's answer to `initialize` in a new session, for the call with this number.
    Reconnect(u32),
}

struct Leg {
    number: u32,
    id: u32,
    accepts: Accepts,
    exchange: Exchange,
    controller: Option<AbortController>,
}

pub(super) struct RunningCall {
    client: Rc<ClientState>,
    number: u32,
    connection: Rc<Connection>,
    driver: RefCell<Call>,
    options: CallOptions,
    deferred: Deferred,
    completion: RefCell<Completion>,
    leg: RefCell<Option<Leg>>,
    /// Aborts the handlers of the round.
    round: RefCell<Option<AbortController>>,
    /// What a handler or fetch threw.
    thrown: RefCell<JsValue>,
    timer: RefCell<Option<(f64, JsValue)>>,
    stop_listening: RefCell<Option<Function>>,
    asked_again: Cell<bool>,
}

impl RunningCall {
    pub(super) fn new(
        client: &Rc<ClientState>,
        number: u32,
        connection: Rc<Connection>,
        driver: Call,
        options: CallOptions,
        deferred: Deferred,
        completion: Completion,
    ) -> Self {
        Self {
            client: Rc::clone(client),
            number,
            connection,
            driver: RefCell::new(driver),
            options,
            deferred,
            completion: RefCell::new(completion),
            leg: RefCell::default(),
            round: RefCell::default(),
            thrown: RefCell::default(),
            timer: RefCell::default(),
            stop_listening: RefCell::default(),
            asked_again: Cell::default(),
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn begin(&self) {
        if let Some(signal) = &self.options.signal {
            self.stop_listening.replace(Some(host::on_abort(signal, &self.client.port(), self.number)));
        }
        self.handle(Event::Start);
    }

    /// Tells the state machine, then does what it says.
    pub(super) fn handle(&self, event: Event) {
        self.driver.borrow_mut().handle(event, host::now());
        self.run();
    }

    fn run(&self) {
        loop {
            // The borrow ends here: what follows may call back into this very call.
            let effect = self.driver.borrow_mut().poll();
            let Some(effect) = effect else { break };
            self.perform(effect);
        }
        self.arm_timer();
    }

    pub(super) fn tick(&self) {
        self.timer.take();
        self.handle(Event::Tick);
    }

    pub(super) fn abort(&self) {
        let reason = self.options.signal.as_ref().map(AbortSignal::reason).unwrap_or_default();
        self.handle(Event::Abort);
        self.reject_with(reason);
    }

    /// Ends the call from outside.
    pub(super) fn fail(&self, error: &Error) {
        let error = error.clone().at(self.driver.borrow().method()).with("method", self.driver.borrow().method());
        self.handle(Event::Abort);
        self.reject_with(errors::object(&error, &JsValue::UNDEFINED));
    }

    /// Does something with the reply to a leg, if that leg is the one on the wire.
    pub(super) fn exchange<T>(&self, leg: u32, act: impl FnOnce(&mut Exchange) -> T) -> Option<T> {
        let mut current = self.leg.borrow_mut();
        current.as_mut().filter(|current| current.number == leg).map(|current| act(&mut current.exchange))
    }

    /// Passes on what the reply brought.
    pub(super) fn take_incoming(&self, leg: u32) {
        while let Some(incoming) = self.exchange(leg, Exchange::poll).flatten() {
            match incoming {
                Incoming::Result { document, result, .. } => self.on_result(leg, document, result),
                Incoming::Failed(error) => self.leg_failed(leg, error),
                Incoming::Notification { document, method, params } => {
                    self.on_notification(leg, &method, params.map(|params| document.value(params)));
                }
                Incoming::Request { document, id, method, params } => {
                    let id = document.value(id);
                    self.client.receive_request(&self.connection, &document, id, &method, params, Some(self.number));
                }
                Incoming::Interrupted { last_event_id, retry_ms } => self.take_up(leg, &last_event_id, retry_ms),
                Incoming::Violation(message) => self.client.warn("dropped-message", message, "", ""),
            }
        }
    }

    /// Sending a leg or reading its reply failed in JavaScript.
    pub(super) fn lost(&self, leg: u32, thrown: JsValue) {
        let error = match self.exchange(leg, |exchange| exchange.has_begun()) {
            None => return,
            Some(true) => Error::new(Code::ConnectionClosed, "The connection was lost while the reply was read"),
            Some(false) => Error::new(
                Code::SendFailed,
                "The request could not be sent: the server cannot be reached, or in a browser, does not allow this page \
                 (CORS); see cause",
            ),
        };
        self.thrown.replace(thrown);
        self.leg_failed(leg, error);
    }

    /// Says in which call and on which leg it happened, unless the server says what happened.
    fn leg_failed(&self, leg: u32, error: Error) {
        let error = if error.peer_code().is_some() { error } else { self.on_leg(leg, error) };
        self.handle(Event::LegFailed { leg, error });
    }

    fn on_leg(&self, leg: u32, error: Error) -> Error {
        let driver = self.driver.borrow();
        let mut place = String::from(driver.method());
        place.push_str(", leg ");
        place.push_str(&leg.to_string());
        error.at(&place).with("method", driver.method()).with_number("leg", i64::from(leg))
    }

    /// A handler threw. Our own errors pass through; anything else becomes the cause of one.
    pub(super) fn threw(&self, round: u32, index: usize, thrown: JsValue) {
        let code = match host::code_of(&thrown).as_deref() {
            Some("SAMPLING_DECLINED") => Code::SamplingDeclined,
            _ => Code::HandlerFailed,
        };
        if self.thrown.borrow().is_undefined() {
            self.thrown.replace(thrown);
        }
        let error = Error::new(code, "The handler failed; see cause");
        self.handle(Event::NotAnswered { round, index, error });
    }

    /// Settles the promise. Aborts what is still under way, with the same reason.
    pub(super) fn reject_with(&self, reason: JsValue) {
        if let Some(controller) = self.round.take() {
            controller.abort_with_reason(&reason);
        }
        if self.finish() {
            self.deferred.reject(&reason);
        }
    }

    /// Whether a response on a shared channel is for the leg on the wire.
    pub(super) fn awaits(&self, response: &Response<'_>) -> bool {
        let leg = self.leg.borrow();
        response.id.is_some() && leg.as_ref().is_some_and(|leg| response.answers(leg.id))
    }

    pub(super) fn respond(&self, document: &Rc<Document>, response: Response<'_>) {
        let Some(leg) = self.leg.borrow().as_ref().map(|leg| leg.number) else { return };
        match response.outcome {
            Ok(result) => self.on_result(leg, Rc::clone(document), result.id()),
            Err(error) => self.handle(Event::LegFailed { leg, error }),
        }
    }

    /// The server's progress on a shared channel, if it is about this call.
    pub(super) fn on_progress(&self, params: Value<'_>) {
        let token = params.get("progressToken").and_then(Value::as_number).and_then(|token| token.as_safe_integer());
        let leg = self.leg.borrow().as_ref().filter(|leg| token == Some(i64::from(leg.id))).map(|leg| leg.number);
        if let Some(leg) = leg {
            self.progress(leg, params);
        }
    }

    fn progress(&self, leg: u32, params: Value<'_>) {
        self.handle(Event::Progress { leg });
        if let Some(onprogress) = &self.options.onprogress {
            host::notify(onprogress, &convert::parsed(params.raw()), &self.client.port());
        }
    }

    /// The server opened a session.
    pub(super) fn begin_session(&self, status: u16, session_id: String) {
        if (200..300).contains(&status) && self.driver.borrow().method() == "initialize" {
            self.connection.session_id.replace(Some(session_id));
        }
    }

    fn on_result(&self, leg: u32, document: Rc<Document>, result: ValueId) {
        let accepts = self.leg.borrow().as_ref().map(|leg| leg.accepts).unwrap_or_default();
        self.handle(Event::Reply(Reply { leg, document, result, accepts }));
    }

    fn on_notification(&self, leg: u32, method: &str, params: Option<Value<'_>>) {
        match (method, params) {
            ("notifications/progress", Some(params)) => {
                self.progress(leg, params);
                self.client.notification(method, Some(params));
            }
            _ => self.client.receive_notification(method, params),
        }
    }

    fn resolve_with(&self, value: &JsValue) {
        if self.finish() {
            self.deferred.resolve(value);
        }
    }

    /// Lets go of everything of the host. Says whether the call was still open.
    fn finish(&self) -> bool {
        let open = self.client.call(self.number).is_some();
        self.client.forget(self.number);
        self.leg.take();
        if let Some((_, timer)) = self.timer.take() {
            host::clear_timer(&timer);
        }
        if let Some(stop) = self.stop_listening.take() {
            let _ = stop.call0(&JsValue::UNDEFINED);
        }
        open
    }

    fn arm_timer(&self) {
        let deadline = self.driver.borrow().deadline();
        let armed = self.timer.borrow().as_ref().map(|(at, _)| *at);
        if deadline == armed || self.client.call(self.number).is_none() {
            return;
        }
        if let Some((_, timer)) = self.timer.take() {
            host::clear_timer(&timer);
        }
        if let Some(at) = deadline {
            let timer = host::set_timer(&self.client.port(), self.number, (at - host::now()).max(0.0));
            self.timer.replace(Some((at, timer)));
        }
    }
}

impl fmt::Debug for RunningCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RunningCall({})", self.number)
    }
}
