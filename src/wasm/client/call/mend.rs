//! Legs that go out again once a reason is mended: a session that the server forgot, or headers that it wants anew.

use std::cell::{Cell, RefCell};

use super::{Completion, NOTICE, RunningCall};
use crate::driver::Event;
use crate::error::Error;
use crate::wire::mirror;
use crate::wire::pages::Pages;

/// What was mended already: each once in a call.
#[derive(Default)]
pub(super) struct Mending {
    session: Cell<bool>,
    headers: Cell<bool>,
    /// The call that lists the tools for this one, from 1.
    helper: Cell<u32>,
    /// What the server said, in case listing does not help.
    refusal: RefCell<Option<Error>>,
}

impl RunningCall {
    /// Whether the leg goes out again, now or later.
    pub(super) fn mends(&self, leg: u32, error: &Error) -> bool {
        leg != NOTICE && (self.mends_session(leg) || self.mends_headers(error))
    }

    /// A server that no longer knows the session says 404; then a new one is due.
    /// Specification of 2025-11-25: basic/transports, "Session Management".
    fn mends_session(&self, leg: u32) -> bool {
        let gone = self.exchange(leg, |exchange| exchange.status() == 404).unwrap_or_default();
        let sent_in = self.leg.borrow().as_ref().and_then(|leg| leg.session_id.clone());
        if !gone || sent_in.is_none() || self.mending.session.replace(true) {
            return false;
        }
        if self.connection.is_renewed(sent_in.as_deref()) {
            self.resend();
        } else {
            self.client.renew_session(&self.connection, self.number);
        }
        true
    }

    /// A server that finds headers missing may have changed its tools.
    /// Specification: basic/transports/streamable-http, "Client Behavior".
    fn mends_headers(&self, error: &Error) -> bool {
        if !mirror::is_mismatch(self.driver.borrow().method(), error) || self.options.mirrors.is_some() {
            return false;
        }
        if !self.connection.mirrors() {
            let message = "the server refused a call for its headers, and mirrorToolHeaders is off: set it to true, \
                           and in a page let the server allow the Mcp-Param headers of its tools";
            self.client.warn("headers-not-mirrored", message, "", "");
            return false;
        }
        if self.mending.headers.replace(true) {
            return false;
        }
        self.mending.refusal.replace(Some(error.clone()));
        let completion = Completion::Relist(Pages::new("tools/list", "tools"), self.number);
        self.mending.helper.set(self.client.next_help());
        self.client.help(&self.connection, "tools/list", None, completion);
        true
    }

    /// Sends the leg again as it was.
    pub(super) fn resend(&self) {
        let leg = self.leg.borrow().as_ref().map(|leg| leg.number);
        if let Some(leg) = leg {
            self.handle(Event::Resend { leg });
        }
    }

    /// The tools could not be listed: what the server said of the call stands.
    pub(super) fn not_mended(&self, error: &Error) {
        let refusal = self.mending.refusal.take();
        let leg = self.leg.borrow().as_ref().map(|leg| leg.number);
        if let Some(leg) = leg {
            self.handle(Event::LegFailed { leg, error: refusal.unwrap_or_else(|| error.clone()) });
        }
    }

    /// Ends the call that helps this one.
    pub(super) fn let_go(&self) {
        if let Some(helper) = self.client.call(self.mending.helper.take()) {
            helper.abort();
        }
    }
}
