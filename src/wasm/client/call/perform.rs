//! Doing what the state machine says.

use super::{Leg, NOTICE, RunningCall};
use crate::driver::{Effect, Report, ReportKind};
use crate::json::{Value, decimal, push_member, quote};
use crate::mrtr::{Accepts, Ask};
use crate::wasm::client::connection::Kind;
use crate::wasm::client::host;
use crate::wire::http::Exchange;
use crate::wire::{Envelope, Outgoing, cancelled};

impl RunningCall {
    pub(super) fn perform(&self, effect: Effect) {
        match effect {
            Effect::Send { leg } => self.send(leg),
            Effect::Ask(ask) => self.ask(&ask),
            Effect::CancelLeg => self.cancel_leg(),
            // The handlers' signal is aborted with the promise, which has the reason.
            Effect::CancelAsks => {}
            Effect::Save(text) => self.save(&text),
            Effect::Report(report) => self.report(&report),
            Effect::Warn { rule, message, path, key } => self.client.warn(rule, &message, &path, &key),
            Effect::Done(reply) => self.done(&reply),
            Effect::Failed(error) => self.failed(&error),
        }
    }

    fn send(&self, number: u32) {
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
        self.leg.replace(Some(Leg { number, id, accepts, exchange, session_id }));
        let headers = if number == NOTICE { self.connection.headers("", None) } else { self.headers() };
        host::send(self.client.number, self.number, number, &headers, body);
    }

    /// A transport of the host knows all of them but those of this call alone.
    fn headers(&self) -> String {
        let driver = self.driver.borrow();
        let mut headers = match self.connection.kind {
            Kind::Http => self.connection.headers(driver.method(), driver.params()),
            _ => String::new(),
        };
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
        self.options.onprogress || self.options.limits.reset_timeout_on_progress
    }

    /// Takes the leg's stream up again after the event with this id.
    pub(super) fn take_up(&self, number: u32, last_event_id: &str, delay_ms: f64) {
        let headers = self.connection.headers("", None);
        host::listen(self.client.number, self.number, number, &headers, last_event_id, delay_ms);
    }

    /// Closing the stream says it all from 2026-07-28 on, where there is one. Anywhere else the server must be told.
    fn cancel_leg(&self) {
        let Some(leg) = self.leg.take() else { return };
        host::abort_leg(self.client.number, self.number);
        let says_it = self.connection.has_streams && self.connection.is_modern();
        let is_handshake = matches!(self.driver.borrow().method(), "initialize" | "server/discover");
        if !says_it && !is_handshake {
            self.client.tell_server(&self.connection, &cancelled(leg.id));
        }
    }

    fn ask(&self, ask: &Ask) {
        let (method, params) = (ask.method.as_str(), ask.params().map(Value::raw));
        host::ask(self.client.number, self.number, ask.round, ask.index, method, params, &self.about(ask));
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
        push_member(&mut call, "round", &decimal(i64::from(ask.round)));
        call.push('}');
        call
    }

    fn save(&self, text: &str) {
        host::save(self.client.number, self.number, text);
    }

    fn report(&self, report: &Report) {
        if !self.options.onround {
            return;
        }
        // The state machine does not know the body.
        let is_leg = matches!(report.kind, ReportKind::Sent | ReportKind::Retried);
        let bytes = if is_leg { self.sent_bytes.get() } else { report.bytes };
        let (key, method) = report.request.as_ref().map(|ask| (ask.key.as_str(), ask.method.as_str())).unzip();
        let (client, call, kind) = (self.client.number, self.number, report.kind.as_str());
        host::report(client, call, kind, report.round, report.leg, report.time_ms, bytes, key, method);
    }
}
