//! Doing what the state machine says.

use wasm_bindgen::JsValue;
use web_sys::AbortController;

use super::{Leg, NOTICE, RunningCall};
use crate::driver::{Effect, Event, Report, ReportKind};
use crate::error::{Code, Error};
use crate::json::{Value, push_member, quote};
use crate::mrtr::{Accepts, Ask};
use crate::wasm::client::connection::{Kind, listed};
use crate::wasm::client::host::Round;
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
        self.driver.borrow_mut().sent_as(id);
        let capabilities = self.client.capabilities();
        let body = self.message(id, &capabilities.json);
        self.sent_bytes.set(body.len());
        let exchange = if self.connection.is_modern() { Exchange::new(id) } else { Exchange::legacy(Some(id)) };
        self.dispatch(&body, number, id, capabilities.accepts, exchange);
    }

    /// Sends a message that has no answer, and lets the call wait until it is delivered.
    pub(super) fn send_notice(&self, body: &str) {
        self.dispatch(body, NOTICE, 0, Accepts::default(), Exchange::notice());
    }

    fn dispatch(&self, body: &str, number: u32, id: u32, accepts: Accepts, exchange: Exchange) {
        let session_id = self.connection.session_id.borrow().clone();
        self.leg.replace(Some(Leg { number, id, accepts, exchange, controller: None, session_id }));
        let (endpoint, port, call) = (&self.connection.endpoint, self.client.port(), self.number);
        let headers = if number == NOTICE { self.connection.headers("", None) } else { self.headers() };
        let controller = match self.connection.kind {
            Kind::Shared => host::transmit(endpoint, body, &self.own_headers(), &port, call, number),
            Kind::Function => host::pass(endpoint, body, &port, call, number),
            Kind::Http => host::send(endpoint, listed(&headers), &self.options.headers, body, &port, call, number),
        };
        self.set_controller(number, controller);
    }

    fn headers(&self) -> String {
        let driver = self.driver.borrow();
        let mut headers = self.connection.headers(driver.method(), driver.params());
        self.push_mirrored(&mut headers);
        headers
    }

    /// The arguments that go out as headers too, for this leg as for any other.
    fn push_mirrored(&self, headers: &mut String) {
        if !self.connection.mirrors() {
            return;
        }
        let driver = self.driver.borrow();
        match &self.options.mirrors {
            Some(mirrors) => mirrors.headers(headers, driver.params()),
            None => self.connection.tools.borrow().headers(headers, driver.method(), driver.params()),
        }
    }

    /// The headers of this call alone, for a transport of the host that knows the others.
    fn own_headers(&self) -> JsValue {
        let mut headers = String::new();
        self.push_mirrored(&mut headers);
        host::joined(&self.options.headers, listed(&headers))
    }

    /// Keeps what aborts the leg, or uses it, where the call was given up from within `fetch`.
    fn set_controller(&self, number: u32, controller: AbortController) {
        if let Some(leg) = self.leg.borrow_mut().as_mut().filter(|leg| leg.number == number) {
            leg.controller = Some(controller);
            return;
        }
        controller.abort();
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
        let headers = self.connection.headers("", None);
        let controller = host::listen(endpoint, listed(&headers), last_event_id, delay_ms, &port, self.number, number);
        self.set_controller(number, controller);
    }

    /// Closing the stream says it all from 2026-07-28 on, where there is one. Anywhere else the server must be told.
    fn cancel_leg(&self) {
        let Some(leg) = self.leg.take() else { return };
        if let Some(controller) = leg.controller {
            controller.abort();
        }
        let says_it = self.connection.has_streams() && self.connection.is_modern();
        let is_handshake = matches!(self.driver.borrow().method(), "initialize" | "server/discover");
        if !says_it && !is_handshake {
            self.client.tell_server(&self.connection, &cancelled(leg.id));
        }
    }

    fn ask(&self, ask: &Ask) {
        let Some(handler) = self.client.handler(ask.method) else {
            let error = Error::new(Code::CapabilityNotSupported, "The request handler was removed");
            return self.handle(Event::NotAnswered { round: ask.round, index: ask.index, error });
        };
        let round = self.round.borrow().clone().unwrap_or_else(Round::new);
        self.round.replace(Some(round.clone()));
        let params = ask.params().map(Value::raw);
        let about = convert::parsed(&self.about(ask));
        let (method, port) = (ask.method.as_str(), self.client.port());
        host::ask(&handler, method, params, about, &round, &port, self.number, ask.round, ask.index);
    }

    /// Which server asks, in which call, under which key: what a person who is asked should see.
    fn about(&self, ask: &Ask) -> String {
        let mut about = String::from("{");
        push_member(&mut about, "key", &quote(&ask.key));
        if let Some(server) = self.connection.fact("serverInfo") {
            push_member(&mut about, "server", &server);
        }
        push_member(&mut about, "call", &self.described(ask));
        about.push('}');
        about
    }

    /// This call, as it is shown to whoever is asked in it.
    pub(in crate::wasm::client) fn described(&self, ask: &Ask) -> String {
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
        call
    }

    fn save(&self, text: &str) {
        if let Some(oncheckpoint) = &self.options.oncheckpoint {
            host::save(oncheckpoint, text, &self.client.port(), self.number);
        }
    }

    fn report(&self, report: &Report) {
        let Some(onround) = &self.options.onround else { return };
        let mut report = report.clone();
        if matches!(report.kind, ReportKind::Sent | ReportKind::Retried) {
            // The state machine does not know the body.
            report.bytes = self.sent_bytes.get();
        }
        host::notify(onround, &convert::round_event(&report), &self.client.port());
    }
}
