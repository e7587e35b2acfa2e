//! What failed on the way to the server and back, and whose failure it is.

use super::{NOTICE, RunningCall};
use crate::driver::Event;
use crate::error::{Code, Error, fill};
use crate::json::decimal;
use crate::wasm::client::host;
use crate::wire::fault;
use crate::wire::http::Body;

impl RunningCall {
    /// Sending a leg or reading its reply failed in JavaScript. `headers` are the names of those that were sent.
    /// `status` is that of a reply that a transport of the host reports by throwing, or 0.
    pub(in crate::wasm::client) fn lost(&self, leg: u32, status: u16, headers: &str, text: &str) {
        self.blame(self.number);
        let mut exchange = self.exchange.borrow_mut();
        let error = if status != 0 {
            if exchange.head(status, "") == Body::Whole {
                exchange.body(text.to_owned().into_bytes());
            }
            drop(exchange);
            return self.client.take_incoming(Some(self), leg);
        } else if exchange.has_begun() {
            Error::new(Code::ConnectionClosed, "The connection was lost while the reply was read")
        } else {
            fault::unsent(self.connection.crossing(), headers)
        };
        drop(exchange);
        self.leg_failed(leg, error);
    }

    /// What was thrown last in this call is why the leg of another one fails, or its own.
    fn blame(&self, call: u32) {
        host::blame(self.client.number as i32, call as i32, self.number as i32);
    }

    /// The host's own code threw while the leg was sent: that is the reason, whatever it is.
    pub(super) fn refused(&self, leg: u32) {
        if !self.is_on(leg) {
            return;
        }
        while let Some(call) = self.served() {
            self.blame(call.number);
            call.give_up();
        }
        self.give_up();
    }

    /// The status of the reply to a leg; 0 before it came.
    pub(super) fn status(&self, leg: u32) -> u16 {
        if self.is_on(leg) { self.exchange.borrow().status() } else { 0 }
    }

    /// Says in which call and on which leg it happened, unless the server says what happened.
    pub(in crate::wasm::client) fn leg_failed(&self, leg: u32, error: Error) {
        if leg != NOTICE && (self.mends_session(leg) || self.mends_headers(&error)) {
            return;
        }
        let error = if error.peer_code().is_some() { error } else { self.placed(leg, error) };
        if leg != NOTICE {
            return self.handle(Event::LegFailed { leg, error });
        }
        // In a page, a server that refuses what comes without a session may have opened one that the page cannot see.
        let in_page = self.connection.crossing().is_some() && self.connection.session.get() == 0;
        let hidden = in_page && matches!(self.status(leg), 400 | 404);
        self.failed(&if hidden { fault::session_hidden(&error) } else { error });
    }

    /// Says in which call it happened, and on which leg, if it was one.
    pub(super) fn placed(&self, leg: u32, error: Error) -> Error {
        let (driver, number) = (self.driver.borrow(), decimal(i64::from(leg)));
        let method = if leg == NOTICE { "notifications/initialized" } else { driver.method() };
        let is_leg = leg != NOTICE && leg != 0;
        let place = fill(if is_leg { "%, leg %" } else { "%" }, &[method, &number]);
        let error = error.at(&place).with("method", method);
        if is_leg { error.with_raw("leg", &number) } else { error }
    }
}
