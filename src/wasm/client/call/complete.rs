//! What becomes of a result, or of a failure.

use std::rc::Rc;

use super::{Completion, NOTICE, RunningCall};
use crate::driver::{Call, Event, Reply};
use crate::error::Error;
use crate::json::{Document, Value};
use crate::revision::Revision;
use crate::wasm::client::host;
use crate::wire::era::Step;
use crate::wire::notification;
use crate::wire::pages::{Next, Pages};

/// Whom a call is for.
enum Purpose {
    Caller,
    Connect,
    Reconnect,
    /// The call with this number.
    Help(u32),
}

impl RunningCall {
    pub(super) fn done(&self, reply: &Reply) {
        let result = reply.result();
        // A step may put another completion in place of this one.
        let completion = self.completion.replace(Completion::Plain);
        let learned = self.learn(result);
        let result = learned.as_ref().map_or(result, Document::root);
        match completion {
            Completion::Plain => self.resolve(result.raw()),
            Completion::Pages(pages) => self.page(pages, None, result),
            Completion::Relist(pages, number) => self.page(pages, Some(number), result),
            Completion::Connect | Completion::Reconnect => {
                self.completion.replace(completion);
                self.take_step(self.verdict(result), result);
            }
        }
    }

    /// Learns from a page of tools what they want mirrored. The page without tools that must not be offered, if it has any.
    fn learn(&self, result: Value<'_>) -> Option<Document> {
        if self.driver.borrow().method() != "tools/list" || !self.connection.carries_headers() {
            return None;
        }
        let page = self.connection.tools.borrow_mut().learn(result);
        page.warnings.iter().for_each(|warning| self.client.warn("tool-left-out", warning, "", ""));
        Document::from_text(page.result?).ok()
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
            Step::Discover => {
                // A verdict from earlier turned out to be wrong, if there was one.
                self.connection.keep_verdict(Revision::LATEST);
                self.connection.revision.set(Revision::LATEST);
                self.restart("server/discover", None);
            }
            Step::Initialize(revision) => {
                let params = self.client.offer(&self.connection, revision);
                self.restart("initialize", Some(params));
            }
            Step::Speak(revision) => self.agreed(revision, result),
            Step::Fail(error) if self.renews() => self.reconnect_failed(&error),
            Step::Fail(error) => self.reject_failed(&error),
        }
    }

    fn renews(&self) -> bool {
        matches!(*self.completion.borrow(), Completion::Reconnect)
    }

    /// A session begins when the server has been told that it has.
    fn agreed(&self, revision: Revision, result: Value<'_>) {
        self.connection.agree(revision, result);
        if revision.is_modern() {
            return self.established();
        }
        self.send_notice(&notification("notifications/initialized", ""));
    }

    pub(super) fn established(&self) {
        self.client.establish(&self.connection);
        for number in self.connection.end_renewal() {
            if let Some(call) = self.client.call(number) {
                call.resend();
            }
        }
        self.resolve("");
    }

    /// Adds a page and starts on the next, or hands out the whole list: to the caller, or what was learned of it to the
    /// call that wants it.
    fn page(&self, mut pages: Pages, wanted_by: Option<u32>, result: Value<'_>) {
        let next = pages.add(result, self.driver.borrow().params());
        match (next, wanted_by) {
            (Err(error), Some(number)) => self.help(number, |call| call.not_mended(&error)),
            (Err(error), None) => self.reject_failed(&error),
            (Ok(Next::Done(_)), Some(number)) => self.help(number, Self::resend),
            (Ok(Next::Done(text)), None) => {
                self.resolve(&text);
            }
            (Ok(Next::Page(params)), _) => {
                self.completion.replace(match wanted_by {
                    Some(number) => Completion::Relist(pages, number),
                    None => Completion::Pages(pages),
                });
                let method = self.driver.borrow().method().to_owned();
                self.restart(&method, Document::from_text(params).ok().map(Rc::new));
            }
        }
    }

    /// Ends this call, which was for another one.
    fn help(&self, number: u32, act: impl FnOnce(&Self)) {
        self.resolve("");
        if let Some(call) = self.client.call(number) {
            act(&call);
        }
    }

    /// Begins anew within the same promise and its clock. The loop in `handle` goes on with the new state machine.
    fn restart(&self, method: &str, params: Option<Rc<Document>>) {
        let limits = self.connection.suited(&self.options.limits, Some(method));
        let mut driver = Call::new(method, params, limits).following(&self.driver.borrow());
        driver.handle(Event::Start, host::now());
        self.driver.replace(driver);
    }

    pub(super) fn failed(&self, error: &Error) {
        let purpose = self.purpose();
        match purpose {
            Purpose::Connect => {
                let nothing = Document::default();
                self.take_step(self.verdict_on_failure(error), nothing.root());
            }
            Purpose::Reconnect => self.reconnect_failed(error),
            Purpose::Help(number) => self.help(number, |call| call.not_mended(error)),
            Purpose::Caller => self.reject_failed(error),
        }
    }

    fn purpose(&self) -> Purpose {
        match *self.completion.borrow() {
            Completion::Connect => Purpose::Connect,
            Completion::Reconnect => Purpose::Reconnect,
            Completion::Relist(_, number) => Purpose::Help(number),
            Completion::Plain | Completion::Pages(_) => Purpose::Caller,
        }
    }

    fn verdict_on_failure(&self, error: &Error) -> Step {
        let leg = self.leg.borrow().as_ref().map(|leg| leg.number).unwrap_or_default();
        let status = self.exchange(leg, |exchange| exchange.status()).unwrap_or_default();
        let mut negotiation = self.connection.negotiation.borrow_mut();
        match self.driver.borrow().method() {
            "server/discover" => negotiation.on_discover_failed(error.clone(), status),
            _ if leg == NOTICE => Step::Fail(error.clone()),
            _ => negotiation.on_initialize_failed(error.clone(), status),
        }
    }

    fn reconnect_failed(&self, error: &Error) {
        for number in self.connection.end_renewal() {
            if let Some(call) = self.client.call(number) {
                call.not_mended(error);
            }
        }
        self.resolve("");
    }

    fn reject_failed(&self, error: &Error) {
        let checkpoint = self.driver.borrow().checkpoint();
        self.reject(error, checkpoint.as_deref());
    }
}
