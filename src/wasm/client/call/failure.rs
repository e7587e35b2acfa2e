//! What failed on the way to the server and back, and whose failure it is.

use super::{Completion, NOTICE, RunningCall};
use crate::driver::Event;
use crate::error::{Code, Error};
use crate::json::decimal;
use crate::wasm::client::host;
use crate::wire::fault;
use crate::wire::http::Body;

impl RunningCall {
    /// Sending a leg or reading its reply failed in JavaScript. `headers` are the names of those that were sent.
    /// `status` is that of a reply that a transport of the host reports by throwing, or 0.
    pub(in crate::wasm::client) fn lost(&self, leg: u32, status: u16, headers: &str, text: &str) {
        if status != 0 {
            host::blame(self.client.number, self.number, self.number);
            return self.answered_status(leg, status, text);
        }
        let error = match self.exchange(leg, |exchange| exchange.has_begun()) {
            None => return,
            Some(true) => Error::new(Code::ConnectionClosed, "The connection was lost while the reply was read"),
            Some(false) => fault::unsent(self.connection.crossing.as_ref(), headers),
        };
        host::blame(self.client.number, self.number, self.number);
        self.leg_failed(leg, error);
    }

    /// A transport of the host reports a status that is no success by throwing it.
    fn answered_status(&self, leg: u32, status: u16, text: &str) {
        self.exchange(leg, |exchange| {
            if exchange.head(status, "") == Body::Whole {
                exchange.body(text.as_bytes().to_vec());
            }
        });
        self.take_incoming(leg);
    }

    /// The host's own code threw while the leg was sent: that is the reason, whatever it is.
    pub(in crate::wasm::client) fn refused(&self, leg: u32) {
        if self.exchange(leg, |_| ()).is_none() {
            return;
        }
        for number in self.served() {
            if let Some(call) = self.client.call(number) {
                host::blame(self.client.number, number, self.number);
                call.give_up();
            }
        }
        self.give_up();
    }

    /// Ends the call with what was thrown last in it.
    pub(super) fn give_up(&self) {
        self.handle(Event::Abort);
        self.reject_thrown();
    }

    /// The calls that wait for this one.
    fn served(&self) -> Vec<u32> {
        match *self.completion.borrow() {
            Completion::Relist(_, number) => vec![number],
            Completion::Reconnect => self.connection.end_renewal(),
            _ => Vec::new(),
        }
    }

    /// Says in which call and on which leg it happened, unless the server says what happened.
    pub(super) fn leg_failed(&self, leg: u32, error: Error) {
        if self.mends(leg, &error) {
            return;
        }
        let error = if error.peer_code().is_some() { error } else { self.on_leg(leg, error) };
        let error = if self.hides_session(leg) { fault::session_hidden(&error) } else { error };
        if leg == NOTICE {
            return self.failed(&error);
        }
        self.handle(Event::LegFailed { leg, error });
    }

    /// In a page, a server that refuses what comes without a session may have opened one that the page cannot see.
    fn hides_session(&self, leg: u32) -> bool {
        let status = self.exchange(leg, |exchange| exchange.status());
        let has_none = self.connection.session_id.borrow().is_none();
        leg == NOTICE && matches!(status, Some(400 | 404)) && has_none && self.connection.crossing.is_some()
    }

    fn on_leg(&self, leg: u32, error: Error) -> Error {
        let driver = self.driver.borrow();
        let mut place = String::from(driver.method());
        if leg == NOTICE {
            return error.at("notifications/initialized").with("method", "notifications/initialized");
        }
        place.push_str(", leg ");
        place.push_str(&decimal(i64::from(leg)));
        error.at(&place).with("method", driver.method()).with_number("leg", i64::from(leg))
    }
}
