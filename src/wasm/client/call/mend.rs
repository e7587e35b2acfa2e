//! Legs that go out again once a reason is mended: a session that the server forgot, or headers that it wants anew.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::{Purpose, RunningCall};
use crate::driver::Event;
use crate::error::Error;
use crate::wire::mirror;

/// What was mended already: each once in a call.
#[derive(Default)]
pub(super) struct Mending {
    session: Cell<bool>,
    /// The call that opens a session or lists the tools for this one, from 1.
    helper: Cell<u32>,
    /// What the server said of the headers, in case listing does not help.
    refusal: RefCell<Option<Error>>,
}

impl RunningCall {
    /// A server that no longer knows the session says 404; then a new one is due.
    /// Specification of 2025-11-25: basic/transports, "Session Management".
    pub(super) fn mends_session(&self, leg: u32) -> bool {
        let sent_in = self.session.get();
        if self.status(leg) != 404 || sent_in == 0 || self.mending.session.replace(true) {
            return false;
        }
        if let Some(renewing) = self.client.call_after(0, &|call| matches!(call.purpose, Purpose::Reconnect)) {
            self.mending.helper.set(renewing.number);
        } else if self.connection.session.get() != sent_in {
            self.mended(None);
        } else {
            self.mending.helper.set(self.client.next_help.get());
            self.client.renew_session(&self.connection);
        }
        true
    }

    /// A server that finds headers missing may have changed its tools.
    /// Specification: basic/transports/streamable-http, "Client Behavior".
    pub(super) fn mends_headers(&self, error: &Error) -> bool {
        if !mirror::is_mismatch(self.driver.borrow().method(), error) || self.mirrors.is_some() {
            return false;
        }
        if !self.connection.mirrors() {
            let message = "the server refused a call for its headers, and mirrorToolHeaders is off: set it to true, \
                           and in a page let the server allow the Mcp-Param headers of its tools";
            self.client.warn("headers-not-mirrored", message);
            return false;
        }
        if self.mending.refusal.replace(Some(error.clone())).is_some() {
            return false;
        }
        self.mending.helper.set(self.client.next_help.get());
        self.client.help(&self.connection, Purpose::Relist, "");
        true
    }

    /// Sends the leg again as it was; after an error, what the server said of the call stands.
    pub(super) fn mended(&self, error: Option<&Error>) {
        let leg = self.leg.get();
        if leg == 0 {
            return;
        }
        self.handle(match error {
            None => Event::Resend { leg },
            Some(error) => {
                let refusal = self.mending.refusal.take();
                Event::LegFailed { leg, error: refusal.unwrap_or_else(|| error.clone()) }
            }
        });
    }

    /// The next call that goes out again when this one is done.
    pub(super) fn served(&self) -> Option<Rc<Self>> {
        let call = self.client.call_after(0, &|call| call.mending.helper.get() == self.number)?;
        call.mending.helper.set(0);
        Some(call)
    }

    /// Ends the call that helps this one alone.
    pub(super) fn let_go(&self) {
        if let Some(helper) = self.client.calls.get(self.mending.helper.take())
            && matches!(helper.purpose, Purpose::Relist)
        {
            helper.give_up();
        }
    }
}
