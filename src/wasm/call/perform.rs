//! Doing what the state machine says.

use js_sys::Array;
use web_sys::AbortController;

use super::{Leg, RunningCall};
use crate::driver::{Effect, Event, Report};
use crate::error::{Code, Error};
use crate::json::{Value, push_member, quote};
use crate::mrtr::Ask;
use crate::wasm::{convert, host};
use crate::wire::http::{Exchange, request_headers};
use crate::wire::{Envelope, Outgoing};

impl RunningCall {
    pub(super) fn perform(&self, effect: Effect) {
        match effect {
            Effect::Send { leg } => self.send(leg),
            Effect::Ask(ask) => self.ask(&ask),
            Effect::CancelLeg => self.cancel_leg(),
            // The handlers' signal is aborted by `reject_with`, which knows the reason.
            Effect::CancelAsks => {}
            Effect::Save(text) => self.save(&text),
            Effect::Report(report) => self.report(&report),
            Effect::Warn { rule, message, path, key } => self.client.warn(rule, &message, &path, &key),
            Effect::Done(reply) => self.done(&reply),
            Effect::Failed(error) => self.failed(&error),
        }
    }

    fn send(&self, number: u32) {
        self.round.take();
        let id = self.client.next_id();
        let capabilities = self.client.capabilities();
        let (headers, body) = self.message(id, &capabilities.json);
        let exchange = Exchange::new(id);
        self.leg.replace(Some(Leg { number, accepts: capabilities.accepts, exchange, controller: None }));
        let port = self.client.port();
        let (endpoint, extra) = (&self.connection.endpoint, &self.options.headers);
        let controller = host::send(endpoint, headers, extra, &body, &port, self.number, number);
        if let Some(leg) = self.leg.borrow_mut().as_mut().filter(|leg| leg.number == number) {
            leg.controller = Some(controller);
        }
    }

    fn message(&self, id: u32, client_capabilities: &str) -> (Array, String) {
        let driver = self.driver.borrow();
        let revision = self.connection.revision;
        let envelope = Envelope { revision, client_info: self.client.info(), client_capabilities };
        let outgoing = Outgoing {
            id,
            method: driver.method(),
            meta: driver.params().and_then(|params| params.get("_meta")),
            wants_progress: self.wants_progress(),
        };
        let headers = Array::new();
        for (name, value) in request_headers(revision, driver.method(), driver.params()) {
            headers.push(&name.into());
            headers.push(&value.into());
        }
        (headers, outgoing.write(envelope, |out| driver.write_params(out)))
    }

    fn wants_progress(&self) -> bool {
        self.options.onprogress.is_some() || self.options.limits.reset_timeout_on_progress
    }

    fn cancel_leg(&self) {
        if let Some(controller) = self.leg.take().and_then(|leg| leg.controller) {
            controller.abort();
        }
    }

    fn ask(&self, ask: &Ask) {
        let Some(handler) = self.client.handler(ask.method) else {
            let error = Error::new(Code::CapabilityNotSupported, "The request handler was removed");
            return self.handle(Event::NotAnswered { round: ask.round, index: ask.index, error });
        };
        let controller = self.round.borrow().clone();
        // Every runtime that has fetch has AbortController.
        let Some(controller) = controller.or_else(|| AbortController::new().ok()) else { return };
        self.round.replace(Some(controller.clone()));
        let params = ask.params().map(Value::raw);
        let about = convert::parsed(&self.about(ask));
        let (method, port) = (ask.method.as_str(), self.client.port());
        host::ask(&handler, method, params, about, &controller.signal(), &port, self.number, ask.round, ask.index);
    }

    /// Which server asks, in which call, under which key: what a person who is asked should see.
    fn about(&self, ask: &Ask) -> String {
        let driver = self.driver.borrow();
        let mut call = String::from("{");
        push_member(&mut call, "method", &quote(driver.method()));
        let name = driver.params().and_then(|params| params.get("name").or_else(|| params.get("uri")));
        if let Some(name) = name {
            push_member(&mut call, "name", name.raw());
        }
        push_member(&mut call, "key", &quote(&ask.key));
        push_member(&mut call, "round", &ask.round.to_string());
        call.push('}');
        let mut about = String::from("{");
        push_member(&mut about, "key", &quote(&ask.key));
        if let Some(server) = self.connection.fact("serverInfo") {
            push_member(&mut about, "server", &server);
        }
        push_member(&mut about, "call", &call);
        about.push('}');
        about
    }

    fn save(&self, text: &str) {
        if let Some(oncheckpoint) = &self.options.oncheckpoint {
            host::save(oncheckpoint, text, &self.client.port(), self.number);
        }
    }

    fn report(&self, report: &Report) {
        if let Some(onround) = &self.options.onround {
            host::notify(onround, &convert::round_event(report), &self.client.port());
        }
    }
}
