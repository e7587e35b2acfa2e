//! One call under way: the state machine, and what it holds of the host while it runs.

mod complete;
mod failure;
mod mend;
mod opening;
mod perform;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::connection::Connection;
use super::enter::what;
use super::host;
use super::options::ONPROGRESS;
use super::state::{ClientState, PROGRESS};
use super::table::share;
use crate::driver::{Call, Event, Limits, Reply};
use crate::error::Error;
use crate::json::{Document, ValueId, concat};
use crate::mrtr::Accepts;
use crate::wire::Message;
use crate::wire::http::Exchange;
use crate::wire::mirror::Mirrors;
use crate::wire::pages::Pages;
use mend::Mending;
pub(super) use opening::{Opening, Purpose};

/// Stands for the leg of a message that has no answer.
const NOTICE: u32 = u32::MAX;

// The order is for size: what is used most comes first.
#[repr(C)]
pub(super) struct RunningCall {
    client: Rc<ClientState>,
    pub(super) connection: Rc<Connection>,
    pub(super) number: u32,
    /// The number of the leg on the wire, or 0.
    leg: Cell<u32>,
    /// The id of that leg.
    id: Cell<u32>,
    /// The session it was sent in, or 0.
    session: Cell<u32>,
    /// The size of the body that was sent last.
    sent_bytes: Cell<usize>,
    pub(super) purpose: Purpose,
    /// When the timer fires; infinity if there is none.
    timer: Cell<f64>,
    mending: Mending,
    /// As the host set them.
    limits: Limits,
    /// What the tool wants mirrored, if the host says what tool it is.
    mirrors: Option<Mirrors>,
    /// What was declared with the leg.
    accepts: Cell<Accepts>,
    /// Those of the list that is wanted, if it is one.
    pages: RefCell<Option<Pages>>,
    /// The reply to the leg.
    pub(super) exchange: RefCell<Exchange>,
    driver: RefCell<Call>,
}

impl RunningCall {
    pub(super) fn new(
        client: &Rc<ClientState>,
        number: u32,
        connection: &Rc<Connection>,
        driver: Call,
        limits: &Limits,
        opening: &mut Opening<'_>,
    ) -> Self {
        Self {
            client: share(client),
            number,
            connection: share(connection),
            limits: *limits,
            purpose: opening.purpose,
            pages: RefCell::new(opening.pages(driver.method())),
            mirrors: opening.mirrors.take(),
            leg: Cell::default(),
            id: Cell::default(),
            accepts: Cell::default(),
            session: Cell::default(),
            exchange: RefCell::new(Exchange::notice()),
            sent_bytes: Cell::default(),
            timer: Cell::new(f64::INFINITY),
            mending: Mending::default(),
            driver: RefCell::new(driver),
        }
    }

    /// Tells the state machine, then does what it says.
    pub(super) fn handle(&self, event: Event) {
        self.driver.borrow_mut().handle(event, host::now());
        loop {
            // The borrow ends here: what follows may call back into this very call.
            let effect = self.driver.borrow_mut().poll();
            let Some(effect) = &effect else { break };
            self.perform(effect);
        }
        self.arm_timer();
    }

    /// News that concerns the call alone. `REFUSED` tells that the host's own code threw while a leg was sent; `SAVED`
    /// that a checkpoint was stored, or that storing it failed; `TICK` that a timer fired; `ABORT` that the caller's
    /// signal was aborted.
    pub(super) fn told(&self, what: u32, leg: u32, stored: u32) {
        match what {
            what::REFUSED => self.refused(leg),
            what::SAVED if stored != 0 => self.handle(Event::Saved),
            what::SAVED => self.reject_thrown(),
            what::TICK => {
                self.timer.set(f64::INFINITY);
                self.handle(Event::Tick);
            }
            _ => self.give_up(),
        }
    }

    /// Ends the call from outside.
    pub(super) fn fail(&self, error: Error) {
        let error = self.placed(0, error);
        self.handle(Event::Abort);
        self.reject(&error, "");
    }

    /// Ends the call with what was thrown last in it.
    pub(super) fn give_up(&self) {
        self.handle(Event::Abort);
        self.reject_thrown();
    }

    /// Whether the call is of this method.
    pub(super) fn is_of(&self, method: &str) -> bool {
        self.driver.borrow().method() == method
    }

    /// Whether this leg is the one on the wire.
    pub(super) fn is_on(&self, leg: u32) -> bool {
        self.leg.get() == leg
    }

    /// Settles the promise. JavaScript aborts what is still under way, with the same reason.
    fn reject(&self, error: &Error, checkpoint: &str) {
        if self.finish() {
            super::reject(self.client.number, self.number, error, checkpoint);
        }
    }

    /// Settles the promise with what was thrown last in the call.
    fn reject_thrown(&self) {
        if self.finish() {
            host::reject_thrown(self.client.number as i32, self.number as i32);
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
        let was_open = self.client.calls.remove(self.number).is_some();
        self.leg.set(0);
        self.let_go();
        was_open
    }

    /// Whether a response on a shared channel is for the leg on the wire.
    pub(super) fn awaits(&self, response: &Message<'_>) -> bool {
        self.leg.get() != 0 && response.answers(self.id.get())
    }

    pub(super) fn respond(&self, document: &Document, response: &Message<'_>) {
        let leg = self.leg.get();
        match &response.error {
            _ if leg == 0 => {}
            None => self.on_result(document, response.body.id()),
            Some(error) => self.leg_failed(leg, error.clone()),
        }
    }

    /// The result of the leg on the wire.
    pub(super) fn on_result(&self, document: &Document, result: ValueId) {
        let document = document.clone();
        self.handle(Event::Reply(Reply { leg: self.leg.get(), document, result, accepts: self.accepts.get() }));
    }

    /// Whether the leg on the wire has this id.
    pub(super) fn has_id(&self, id: i64) -> bool {
        self.leg.get() != 0 && id == i64::from(self.id.get())
    }

    /// Progress of the leg on the wire: the inside of a JSON list.
    pub(super) fn progress(&self, list: &str) {
        if self.limits.has(Limits::RESET_TIMEOUT_ON_PROGRESS) {
            self.handle(Event::Progress { leg: self.leg.get() });
        }
        if self.limits.has(ONPROGRESS) || self.client.watches(PROGRESS) {
            host::progress(self.client.number, self.number, &concat(&["[", list, "]"]));
        }
    }

    /// The server opened a session.
    pub(super) fn begin_session(&self, leg: u32, status: u16, session_id: &str) {
        let awaited = leg != NOTICE && !self.exchange.borrow().is_settled();
        if awaited && (200..300).contains(&status) && self.is_of("initialize") {
            self.connection.begin_session(session_id);
        }
    }

    fn arm_timer(&self) {
        let deadline = self.driver.borrow().soonest();
        // One that fires early does no harm: the state machine looks at the clock, and the next one is set then.
        if deadline < self.timer.get() {
            self.timer.set(deadline);
            host::set_timer(self.client.number as i32, self.number as i32, deadline - host::now());
        }
    }
}
