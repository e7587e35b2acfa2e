//! Doing what the state machine says.

use super::{NOTICE, RunningCall};
use crate::driver::{Call, Effect, Limits, Report, ReportKind};
use crate::sampling::Finding;
use crate::wasm::client::host;
use crate::wasm::client::options::{ONPROGRESS, ONROUND};
use crate::wire::http::Exchange;
use crate::wire::{Envelope, Outgoing, cancelled};

impl RunningCall {
    pub(super) fn perform(&self, effect: &Effect) {
        let client = self.client.number;
        match effect {
            Effect::Send { leg } => self.send(*leg),
            Effect::Ask(ask) => self.client.ask(self.number, self.number, ask),
            Effect::CancelLeg => self.cancel_leg(),
            // The handlers' signal is aborted with the promise, which has the reason.
            Effect::CancelAsks => {}
            Effect::Save(text) => host::save(client, self.number, text),
            Effect::Report(report) => self.report(report),
            Effect::Warn { findings, key } => {
                for Finding { rule, message, path, .. } in findings {
                    host::warn(client, rule, message, path, key);
                }
            }
            Effect::Done(reply) => self.done(reply),
            Effect::Failed(error) => self.failed(error),
        }
    }

    fn send(&self, number: u32) {
        let id = self.client.next_id();
        let mut driver = self.driver.borrow_mut();
        driver.sent_as(id);
        let (body, headers) = (self.message(&driver, id), self.headers(&driver));
        drop(driver);
        self.sent_bytes.set(body.len());
        self.id.set(id);
        self.accepts.set(self.client.accepts());
        let exchange = if self.connection.is_modern() { Exchange::new(id) } else { Exchange::legacy(Some(id)) };
        self.dispatch(&body, number, exchange, &headers);
    }

    /// Sends a message that has no answer, and lets the call wait until it is delivered.
    pub(super) fn send_notice(&self, body: &str) {
        self.id.set(0);
        self.dispatch(body, NOTICE, Exchange::notice(), &self.connection.headers("", None));
    }

    fn dispatch(&self, body: &str, number: u32, exchange: Exchange, headers: &str) {
        self.leg.set(number);
        self.session.set(self.connection.session.get());
        *self.exchange.borrow_mut() = exchange;
        host::send(self.client.number, self.number, number, headers, body);
    }

    /// A transport of the host knows all of them but those of this call alone: the arguments that go out as headers too,
    /// for this leg as for any other.
    fn headers(&self, driver: &Call) -> String {
        let (method, params) = (driver.method(), driver.params());
        let mut headers = match self.connection.is_http() {
            true => self.connection.headers(method, params),
            false => const { String::new() },
        };
        if self.connection.mirrors() {
            match &self.mirrors {
                Some(mirrors) => mirrors.headers(&mut headers, params),
                None => self.connection.tools.borrow().headers(&mut headers, method, params),
            }
        }
        headers
    }

    fn message(&self, driver: &Call, id: u32) -> String {
        let capabilities = self.client.capabilities.borrow();
        let envelope = Envelope {
            revision: self.connection.revision.get(),
            client_info: &self.client.info,
            client_capabilities: &capabilities.json,
        };
        let outgoing = Outgoing {
            id,
            method: driver.method(),
            meta: driver.params().and_then(|params| params.get("_meta")),
            wants_progress: self.limits.has(ONPROGRESS | Limits::RESET_TIMEOUT_ON_PROGRESS),
        };
        outgoing.write(envelope, |out| driver.write_params(out))
    }

    /// Closing the stream says it all from 2026-07-28 on, where there is one. Anywhere else the server must be told.
    fn cancel_leg(&self) {
        if self.leg.take() == 0 {
            return;
        }
        host::abort_leg(self.client.number as i32, self.number as i32);
        let says_it = self.connection.has_streams() && self.connection.is_modern();
        if !says_it && !self.is_of("initialize") && !self.is_of("server/discover") {
            self.client.tell_server(&self.connection, &cancelled(self.id.get()));
        }
    }

    fn report(&self, report: &Report) {
        if !self.limits.has(ONROUND) {
            return;
        }
        // The state machine does not know the body.
        let is_leg = matches!(report.kind, ReportKind::Sent | ReportKind::Retried);
        let bytes = if is_leg { self.sent_bytes.get() } else { report.bytes };
        let ask = report.request.as_ref();
        let (key, method) = ask.map_or(("", ""), |ask| (ask.key.as_str(), ask.method.as_str()));
        let (client, call, kind) = (self.client.number, self.number, report.kind.as_str());
        host::report(client, call, kind, report.round, report.leg, report.time_ms, bytes, key, method);
    }
}
