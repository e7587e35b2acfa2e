//! Doing what the state machine says.

use js_sys::Array;
use web_sys::AbortController;

use super::{Leg, RunningCall};
use crate::driver::{Effect, Event, Report};
use crate::error::{Code, Error};
use crate::json::{Value, push_member, quote};
use crate::mrtr::Ask;
use crate::wasm::client::connection::Kind;
use crate::wasm::client::{convert, host};
use crate::wire::http::Exchange;
use crate::wire::{Envelope, Outgoing, cancelled};

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
        let body = self.message(id, &capabilities.json);
        let modern = self.connection.revision.get().is_modern();
        let exchange = if modern { Exchange::new(id) } else { Exchange::legacy(Some(id)) };
        self.leg.replace(Some(Leg { number, id, accepts: capabilities.accepts, exchange, controller: None }));
        let (endpoint, port) = (&self.connection.endpoint, self.client.port());
        match self.connection.kind {
            Kind::Shared => host::transmit(endpoint, &body, &port, self.number, number),
            Kind::Function => host::pass(endpoint, &body, &port, self.number, number),
            Kind::Http => {
                let headers = self.headers();
                let controller =
                    host::send(endpoint, headers, &self.options.headers, &body, &port, self.number, number);
                self.set_controller(number, controller);
            }
        }
    }

    fn headers(&self) -> Array {
        let driver = self.driver.borrow();
        self.connection.headers(driver.method(), driver.params())
    }

    fn set_controller(&self, number: u32, controller: AbortController) {
        if let Some(leg) = self.leg.borrow_mut().as_mut().filter(|leg| leg.number == number) {
            leg.controller = Some(controller);
        }
    }

    fn message(&self, id: u32, client_capabilities: &str) -> String {
        let driver = self.driver.borrow();
        let revision = self.connection.revision.get();
        let envelope = Envelope { revision, client_info: &self.client.info, client_capabilities };
        let outgoing = Outgoing {
            id,
            method: driver.method(),
            meta: driver.params().and_then(|params| params.get("_meta")),
            wants_progress: self.wants_progress(),
        };
        outgoing.write(envelope, |out| driver.write_params(out))
    }

    fn wants_progress(&self) -> bool {
        self.options.onprogress.is_some() || self.options.limits.reset_timeout_on_progress
    }

    /// Takes the leg's stream up again after the event with this id.
    pub(super) fn take_up(&self, number: u32, last_event_id: &str, delay_ms: f64) {
        let (endpoint, port) = (&self.connection.endpoint, self.client.port());
        let id = Some(last_event_id);
        let controller = host::listen(endpoint, self.headers(), id, delay_ms, &port, self.number, number);
        self.set_controller(number, controller);
    }

    /// Closing the stream says it all from 2026-07-28 on, over HTTP. Anywhere else the server must be told.
    fn cancel_leg(&self) {
        let Some(leg) = self.leg.take() else { return };
        if let Some(controller) = leg.controller {
            controller.abort();
        }
        let is_shared = self.connection.kind == Kind::Shared;
        let is_handshake = matches!(self.driver.borrow().method(), "initialize" | "server/discover");
        if (is_shared || !self.connection.revision.get().is_modern()) && !is_handshake {
            self.client.tell_server(&self.connection, &cancelled(leg.id));
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
