//! One call under way: the state machine, and what it holds of the host while it runs.

mod complete;
mod failure;
mod mend;
mod perform;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::connection::Connection;
use super::host;
use super::options::CallOptions;
use super::state::ClientState;
use crate::driver::{Call, Event, Reply};
use crate::error::{Code, Error};
use crate::json::{Document, Value, ValueId};
use crate::mrtr::Accepts;
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
    /// The session it was sent in.
    session_id: Option<String>,
}

pub(super) struct RunningCall {
    client: Rc<ClientState>,
    number: u32,
    connection: Rc<Connection>,
    driver: RefCell<Call>,
    options: CallOptions,
    completion: RefCell<Completion>,
    leg: RefCell<Option<Leg>>,
    /// The size of the body that was sent last.
    sent_bytes: Cell<usize>,
    /// `params` of progress that the host does not know of yet: the beginning of a JSON list.
    progress: RefCell<String>,
    /// When the timer fires.
    timer: Cell<Option<f64>>,
    mending: Mending,
}

impl RunningCall {
    pub(super) fn new(
        client: &Rc<ClientState>,
        number: u32,
        connection: Rc<Connection>,
        driver: Call,
        options: CallOptions,
        completion: Completion,
    ) -> Self {
        Self {
            client: Rc::clone(client),
            number,
            connection,
            driver: RefCell::new(driver),
            options,
            completion: RefCell::new(completion),
            leg: RefCell::default(),
            sent_bytes: Cell::default(),
            progress: RefCell::default(),
            timer: Cell::default(),
            mending: Mending::default(),
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn begin(&self) {
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
        self.give_up();
    }

    /// Ends the call from outside.
    pub(super) fn fail(&self, error: &Error) {
        let error = error.clone().at(self.driver.borrow().method()).with("method", self.driver.borrow().method());
        self.handle(Event::Abort);
        self.reject(&error, None);
    }

    /// Does something with the reply to a leg, if that leg is the one on the wire.
    pub(super) fn exchange<T>(&self, leg: u32, act: impl FnOnce(&mut Exchange) -> T) -> Option<T> {
        let mut current = self.leg.borrow_mut();
        current.as_mut().filter(|current| current.number == leg).map(|current| act(&mut current.exchange))
    }

    /// Passes on what the reply brought.
    pub(super) fn take_incoming(&self, leg: u32) {
        while let Some(incoming) = self.exchange(leg, Exchange::poll).flatten() {
            if !matches!(incoming, Incoming::Notification { .. }) {
                self.tell_progress();
            }
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
        self.tell_progress();
    }

    /// A handler threw. Our own errors pass through; anything else becomes the cause of one.
    pub(super) fn threw(&self, round: u32, index: usize, code: &str) {
        let declined = code == "SAMPLING_DECLINED";
        let code = if declined { Code::SamplingDeclined } else { Code::HandlerFailed };
        let error = Error::new(code, "The handler failed; see cause");
        self.handle(Event::NotAnswered { round, index, error });
    }

    /// Settles the promise. JavaScript aborts what is still under way, with the same reason.
    fn reject(&self, error: &Error, checkpoint: Option<&str>) {
        if self.finish() {
            super::reject(self.client.number, self.number, error, checkpoint);
        }
    }

    /// Settles the promise with what was thrown last in the call.
    pub(super) fn reject_thrown(&self) {
        if self.finish() {
            host::reject_thrown(self.client.number, self.number);
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
            self.tell_progress();
        }
    }

    fn progress(&self, leg: u32, params: Value<'_>) {
        if self.options.limits.reset_timeout_on_progress {
            self.handle(Event::Progress { leg });
        }
        if self.options.onprogress {
            let mut progress = self.progress.borrow_mut();
            let before = if progress.is_empty() { '[' } else { ',' };
            progress.push(before);
            progress.push_str(params.raw());
        }
    }

    /// Hands over the progress that has gathered: all that one piece of a stream brought crosses at once.
    fn tell_progress(&self) {
        let mut progress = self.progress.take();
        if !progress.is_empty() {
            progress.push(']');
            host::progress(self.client.number, self.number, &progress);
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
                if self.client.watches(method) {
                    self.tell_progress();
                    self.client.notification(method, Some(params));
                }
            }
            _ => {
                self.tell_progress();
                self.client.receive_notification(method, params);
            }
        }
    }

    /// Fulfils the promise with this JSON text, or with nothing if it is empty.
    fn resolve(&self, result: &str) {
        if self.finish() {
            host::resolve(self.client.number, self.number, result);
        }
    }

    /// Ends the call. Says whether it was still open.
    fn finish(&self) -> bool {
        let open = self.client.call(self.number).is_some();
        self.client.forget(self.number);
        self.leg.take();
        self.let_go();
        open
    }

    fn arm_timer(&self) {
        let deadline = self.driver.borrow().deadline();
        let Some(at) = deadline.filter(|at| at.is_finite()) else { return };
        // One that fires early does no harm: the state machine looks at the clock, and the next one is set then.
        let early_enough = self.timer.get().is_some_and(|armed| armed <= at);
        if early_enough || self.client.call(self.number).is_none() {
            return;
        }
        self.timer.set(Some(at));
        host::set_timer(self.client.number, self.number, (at - host::now()).max(0.0));
    }
}
