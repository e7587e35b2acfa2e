//! What becomes of a result, or of a failure.

use super::{NOTICE, Purpose, RunningCall};
use crate::driver::{Event, Reply};
use crate::error::Error;
use crate::json::{Document, Value};
use crate::revision::Revision;
use crate::wasm::client::host;
use crate::wire::era::Step;
use crate::wire::notification;
use crate::wire::pages::Next;

impl RunningCall {
    pub(super) fn done(&self, reply: &Reply) {
        let result = reply.result();
        let learned = self.learn(result);
        let result = learned.as_ref().map_or(result, Document::root);
        match self.purpose {
            Purpose::Connect | Purpose::Reconnect => self.take_step(&self.verdict(result), result.raw()),
            _ => self.page(result),
        }
    }

    /// Learns from a page of tools what they want mirrored. The page without tools that must not be offered, if it has any.
    fn learn(&self, result: Value<'_>) -> Option<Document> {
        if !self.is_of("tools/list") || !self.connection.carries_headers() {
            return None;
        }
        let page = self.connection.tools.borrow_mut().learn(result);
        for warning in &page.warnings {
            self.client.warn("tool-left-out", warning);
        }
        Document::from_text(page.result?).ok()
    }

    fn verdict(&self, result: Value<'_>) -> Step {
        let mut negotiation = self.connection.negotiation.borrow_mut();
        match self.is_of("initialize") {
            true => negotiation.on_initialized(result),
            false => negotiation.on_discovered(result),
        }
    }

    fn take_step(&self, step: &Step, result: &str) {
        match step {
            Step::Discover => {
                // A verdict from earlier turned out to be wrong, if there was one.
                self.connection.keep_verdict(Revision::LATEST);
                self.connection.revision.set(Revision::LATEST);
                self.restart("server/discover", "");
            }
            Step::Initialize(revision) => {
                let params = self.client.offer(&self.connection, *revision);
                self.restart("initialize", &params);
            }
            Step::Speak(revision) => self.agreed(*revision, result),
            Step::Fail(error) => self.end(error),
        }
    }

    /// A session begins when the server has been told that it has.
    fn agreed(&self, revision: Revision, result: &str) {
        self.connection.agree(revision, result);
        if revision.is_modern() {
            return self.established();
        }
        self.send_notice(&notification("notifications/initialized", ""));
    }

    pub(in crate::wasm::client) fn established(&self) {
        self.client.establish(&self.connection);
        self.serve(None);
    }

    /// Hands out the result; of a list of which all is wanted, when the last page is there.
    fn page(&self, result: Value<'_>) {
        match self.next_page(result) {
            None => self.resolve(result.raw()),
            Some(Err(error)) => self.end(&error),
            Some(Ok(Next::Done(text))) => match self.purpose {
                Purpose::Relist => self.serve(None),
                _ => self.resolve(&text),
            },
            Some(Ok(Next::Page(params))) => self.restart("", &params),
        }
    }

    fn next_page(&self, result: Value<'_>) -> Option<Result<Next, Error>> {
        Some(self.pages.borrow_mut().as_mut()?.add(result, self.driver.borrow().params()))
    }

    /// Begins anew within the same promise and its clock. The loop in `handle` goes on with the new state machine.
    /// Without a name it is the same method; no text stands for no parameters.
    fn restart(&self, method: &str, params: &str) {
        let params = if params.is_empty() { None } else { Some(Document::or_null(params)) };
        let mut driver = self.driver.borrow_mut();
        driver.renew(method, params, self.limits);
        self.connection.suit(&mut driver);
        driver.handle(Event::Start, host::now());
    }

    pub(super) fn failed(&self, error: &Error) {
        match self.purpose {
            Purpose::Connect => {
                self.take_step(&self.verdict_on_failure(error), "");
            }
            _ => self.end(error),
        }
    }

    fn verdict_on_failure(&self, error: &Error) -> Step {
        let (leg, error) = (self.leg.get(), error.clone());
        let status = self.status(leg);
        let mut negotiation = self.connection.negotiation.borrow_mut();
        if self.is_of("server/discover") {
            negotiation.on_discover_failed(error, status)
        } else if leg == NOTICE {
            Step::Fail(error)
        } else {
            negotiation.on_initialize_failed(error, status)
        }
    }

    /// Ends the call with an error. The caller is told, or those that wait for this call.
    fn end(&self, error: &Error) {
        match self.purpose {
            Purpose::Caller | Purpose::Connect => {
                let checkpoint = self.driver.borrow().checkpoint();
                self.reject(error, checkpoint.as_deref().unwrap_or_default());
            }
            _ => self.serve(Some(error)),
        }
    }

    /// Ends the call. Those that wait for it go out again or, after an error, fail with what the server said of them.
    fn serve(&self, error: Option<&Error>) {
        self.resolve("");
        while let Some(call) = self.served() {
            call.mended(error);
        }
    }
}
