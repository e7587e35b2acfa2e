//! One call under way: the state machine, and what it holds of the host while it runs.

mod complete;
mod failure;
mod mend;
mod perform;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::JsValue;
use web_sys::{AbortController, AbortSignal};

use super::connection::Connection;
use super::host::{Deferred, Round};
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
use mend::Mending;

/// What is done with the result.
pub(super) enum Completion {
    /// It goes to the caller.
    Plain,
    /// It is a page of a list.
    Pages(Pages),
    /// It is the server's answer to `server/discover` or `initialize`.
    Connect,
    /// It is the server's answer to `initialize` in a new session, for the calls that wait for one.
    Reconnect,
    /// It is a page of the tools, for the call with this number, which goes out again.
    Relist(Pages, u32),
}

/// Stands for the leg of a message that has no answer.
const NOTICE: u32 = u32::MAX;

struct Leg {
    number: u32,
    id: u32,
    accepts: Accepts,
    exchange: Exchange,
    controller: Option<AbortController>,
    /// The session it was sent in.
    session_id: Option<String>,
}

pub(super) struct RunningCall {
    client: Rc<ClientState>,
    _owner: JsValue,
    number: u32,
    connection: Rc<Connection>,
    driver: RefCell<Call>,
    options: CallOptions,
    deferred: Deferred,
    completion: RefCell<Completion>,
    leg: RefCell<Option<Leg>>,
    /// The size of the body that was sent last.
    sent_bytes: Cell<usize>,
    /// Aborts the handlers of the round.
    round: RefCell<Option<Round>>,
    /// What a handler or fetch threw.
    thrown: RefCell<JsValue>,
    timer: RefCell<Option<(f64, JsValue)>>,
    stop_listening: RefCell<Option<Function>>,
    mending: Mending,
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
            _owner: client.owner(),
            number,
            connection,
            driver: RefCell::new(driver),
            options,
            deferred,
            completion: RefCell::new(completion),
            leg: RefCell::default(),
            sent_bytes: Cell::default(),
            round: RefCell::default(),
            thrown: RefCell::default(),
            timer: RefCell::default(),
            stop_listening: RefCell::default(),
            mending: Mending::default(),
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
        self.give_up(self.options.signal.as_ref().map(AbortSignal::reason).unwrap_or_default());
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
                Incoming::Accepted => self.established(),
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
        if let Some(round) = self.round.take() {
            round.abort(&reason);
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
            Err(error) => self.leg_failed(leg, error),
        }
    }

    /// The connection, if this call opens a session on it.
    pub(super) fn begins_session(&self) -> Option<Rc<Connection>> {
        let begins = self.driver.borrow().method() == "initialize";
        begins.then(|| Rc::clone(&self.connection))
    }

    /// Whether this call agrees with the server on a revision.
    pub(super) fn connects(&self) -> bool {
        matches!(*self.completion.borrow(), Completion::Connect)
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
    pub(super) fn begin_session(&self, leg: u32, status: u16, session_id: String) {
        let awaited = self.exchange(leg, |exchange| !exchange.is_settled()).unwrap_or_default();
        if awaited && leg != NOTICE && (200..300).contains(&status) && self.driver.borrow().method() == "initialize" {
            self.connection.begin_session(session_id);
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
        self.let_go();
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
        // One that fires early does no harm: the state machine looks at the clock, and the next one is set then.
        let early_enough = armed.is_some_and(|armed| deadline.is_none_or(|deadline| armed <= deadline));
        if early_enough || deadline.is_none() || self.client.call(self.number).is_none() {
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
