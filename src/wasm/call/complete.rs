//! What becomes of a result, or of a failure.

use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::JsValue;

use super::{Completion, RunningCall};
use crate::driver::{Call, Event, Reply};
use crate::error::{Code, Error};
use crate::json::{Document, Value};
use crate::wasm::client::Connection;
use crate::wasm::{convert, host};
use crate::wire::pages::{Next, Pages};

impl RunningCall {
    pub(super) fn done(&self, reply: &Reply) {
        let outcome = match &mut *self.completion.borrow_mut() {
            Completion::Plain => Ok(Some(convert::result(reply.result()))),
            Completion::Connect => self.connected(reply.result()).map(|()| Some(JsValue::UNDEFINED)),
            Completion::Pages(pages) => self.page(pages, reply.result()),
        };
        match outcome {
            Ok(Some(value)) => self.resolve_with(&value),
            Ok(None) => {}
            Err(error) => self.failed(&error),
        }
    }

    /// Adds a page and starts on the next; the whole list, if there is none.
    fn page(&self, pages: &mut Pages, result: Value<'_>) -> Result<Option<JsValue>, Error> {
        let method = self.driver.borrow().method().to_owned();
        let next = pages.add(result, self.driver.borrow().params())?;
        match next {
            Next::Done(text) => Ok(Document::from_text(text).ok().map(|whole| convert::result(whole.root()))),
            Next::Page(params) => {
                let params = Document::from_text(params).ok().map(Rc::new);
                self.restart(&method, params);
                Ok(None)
            }
        }
    }

    /// Begins anew within the same promise. The loop in `handle` goes on with the new state machine.
    fn restart(&self, method: &str, params: Option<Rc<Document>>) {
        let mut driver = Call::new(method, params, self.options.limits.clone());
        driver.handle(Event::Start, host::now());
        self.driver.replace(driver);
    }

    fn connected(&self, result: Value<'_>) -> Result<(), Error> {
        let revision = self.connection.revision;
        let supported = |version: Value<'_>| version.as_str().is_some_and(|version| version == revision.as_str());
        if let Some(versions) = result.get("supportedVersions").filter(|versions| !versions.items().any(supported)) {
            return Err(Error::new(Code::EraNegotiationFailed, "The server does not speak revision 2026-07-28")
                .with_raw("supported", versions.raw()));
        }
        let discovered = Document::from_text(result.raw().to_owned()).ok();
        self.client.connected(Connection { endpoint: self.connection.endpoint.clone(), revision, discovered });
        Ok(())
    }

    pub(super) fn failed(&self, error: &Error) {
        if self.asks_again(error) {
            self.asked_again.set(true);
            return self.restart("server/discover", None);
        }
        let reason = self.thrown_or(error);
        if let Some(checkpoint) = self.driver.borrow().checkpoint() {
            // A frozen error of the host stays as it is.
            let _ = Reflect::set(&reason, &"checkpoint".into(), &convert::parsed(&checkpoint));
        }
        self.reject_with(reason);
    }

    /// A server may refuse the first request only to say which versions it speaks; then one more try is due, even with
    /// the same version. Specification: basic/versioning.
    fn asks_again(&self, error: &Error) -> bool {
        let connecting = matches!(*self.completion.borrow(), Completion::Connect);
        connecting
            && error.peer_code() == Some(-32022)
            && !self.asked_again.get()
            && error.data().contains("2026-07-28")
    }

    /// The error for the caller. What a handler threw on purpose, as an error of ours, is that error.
    fn thrown_or(&self, error: &Error) -> JsValue {
        let cause = match error.kind() {
            Code::HandlerFailed | Code::SamplingDeclined | Code::SendFailed | Code::ConnectionClosed => {
                self.thrown.take()
            }
            _ => JsValue::UNDEFINED,
        };
        if host::code_of(&cause).is_some() { cause } else { convert::error(error, &cause) }
    }
}
