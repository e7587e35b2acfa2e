//! One call under way: the state machine, and what it holds of the host while it runs.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::JsValue;
use web_sys::{AbortController, AbortSignal};

use super::client::{ClientState, Connection};
use super::host::Deferred;
use super::options::CallOptions;
use super::{convert, host};
use crate::driver::{Ask, Call, Effect, Event, Reply, Report};
use crate::error::{Code, Error};
use crate::json::{Document, Value, ValueId, push_member, quote};
use crate::mrtr::Accepts;
use crate::wire::http::{Exchange, Incoming, request_headers};
use crate::wire::pages::{Next, Pages};
use crate::wire::{Envelope, Outgoing};

/// What is done with the result.
pub(super) enum Completion {
    /// It goes to the caller.
    Plain,
    /// It is a page of a list.
    Pages(Pages),
    /// It is the server's answer to `server/discover`.
    Connect,
}

struct Leg {
    number: u32,
    accepts: Accepts,
    exchange: Exchange,
    controller: Option<AbortController>,
}

pub(super) struct RunningCall {
    client: Rc<ClientState>,
    number: u32,
    connection: Rc<Connection>,
    driver: RefCell<Call>,
    options: CallOptions,
    deferred: Deferred,
    completion: RefCell<Completion>,
    leg: RefCell<Option<Leg>>,
    /// Aborts the handlers of the round.
    round: RefCell<Option<AbortController>>,
    /// What a handler or fetch threw.
    thrown: RefCell<JsValue>,
    timer: RefCell<Option<(f64, JsValue)>>,
    stop_listening: RefCell<Option<Function>>,
    asked_again: Cell<bool>,
}

impl RunningCall {
    pub(super) fn new(
        client: &Rc<ClientState>,
        number: u32,
        connection: Rc<Connection>,
        driver: Call,
        options: CallOptions,
        deferred: Deferred,
        completion: Completion,
    ) -> Self {
        Self {
            client: Rc::clone(client),
            number,
            connection,
            driver: RefCell::new(driver),
            options,
            deferred,
            completion: RefCell::new(completion),
            leg: RefCell::default(),
            round: RefCell::default(),
            thrown: RefCell::default(),
            timer: RefCell::default(),
            stop_listening: RefCell::default(),
            asked_again: Cell::default(),
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn begin(&self) {
        if let Some(signal) = &self.options.signal {
            self.stop_listening.replace(Some(host::on_abort(signal, &self.client.port(), self.number)));
        }
        self.handle(Event::Start);
    }

    /// Tells the state machine, then does what it says.
    pub(super) fn handle(&self, event: Event) {
        self.driver.borrow_mut().handle(event, host::now());
        loop {
            // The borrow ends here: what follows may call back into this very call.
            let effect = self.driver.borrow_mut().poll();
            let Some(effect) = effect else { break };
            self.perform(effect);
        }
        self.arm_timer();
    }

    pub(super) fn tick(&self) {
        self.timer.take();
        self.handle(Event::Tick);
    }

    pub(super) fn abort(&self) {
        let reason = self.options.signal.as_ref().map(AbortSignal::reason).unwrap_or_default();
        self.handle(Event::Abort);
        self.reject_with(reason);
    }

    /// Ends the call from outside.
    pub(super) fn fail(&self, error: &Error) {
        self.handle(Event::Abort);
        self.reject_with(convert::error(error, &JsValue::UNDEFINED));
    }

    /// Does something with the reply to a leg, if that leg is the one on the wire.
    pub(super) fn exchange<T>(&self, leg: u32, act: impl FnOnce(&mut Exchange) -> T) -> Option<T> {
        let mut current = self.leg.borrow_mut();
        current.as_mut().filter(|current| current.number == leg).map(|current| act(&mut current.exchange))
    }

    /// Passes on what the reply brought.
    pub(super) fn take_incoming(&self, leg: u32) {
        while let Some(incoming) = self.exchange(leg, Exchange::poll).flatten() {
            match incoming {
                Incoming::Result { document, result, .. } => self.on_result(leg, document, result),
                Incoming::Failed(error) => self.handle(Event::LegFailed { leg, error }),
                Incoming::Notification { document, method, params } => {
                    self.on_notification(leg, &method, params.map(|params| document.value(params)));
                }
                Incoming::Violation(message) => self.client.warn("dropped-message", message, "", ""),
            }
        }
    }

    /// Sending a leg or reading its reply failed in JavaScript.
    pub(super) fn lost(&self, leg: u32, thrown: JsValue) {
        let error = match self.exchange(leg, |exchange| exchange.has_begun()) {
            None => return,
            Some(true) => Error::new(Code::ConnectionClosed, "The connection was lost while the reply was read"),
            Some(false) => Error::new(
                Code::SendFailed,
                "The request could not be sent: the server cannot be reached, or in a browser, does not allow this page \
                 (CORS); see cause",
            ),
        };
        self.thrown.replace(thrown);
        let error = error.with("method", self.driver.borrow().method()).with_number("leg", i64::from(leg));
        self.handle(Event::LegFailed { leg, error });
    }

    /// A handler threw. Our own errors pass through; anything else becomes the cause of one.
    pub(super) fn threw(&self, round: u32, index: usize, thrown: JsValue) {
        let code = match host::code_of(&thrown).as_deref() {
            Some("SAMPLING_DECLINED") => Code::SamplingDeclined,
            _ => Code::HandlerFailed,
        };
        if self.thrown.borrow().is_undefined() {
            self.thrown.replace(thrown);
        }
        let error = Error::new(code, "The handler for a request of the server failed; see cause");
        self.handle(Event::NotAnswered { round, index, error });
    }

    /// Settles the promise. Aborts what is still under way, with the same reason.
    pub(super) fn reject_with(&self, reason: JsValue) {
        if let Some(controller) = self.round.take() {
            controller.abort_with_reason(&reason);
        }
        if self.finish() {
            self.deferred.reject(&reason);
        }
    }

    fn perform(&self, effect: Effect) {
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

    fn on_result(&self, leg: u32, document: Rc<Document>, result: ValueId) {
        let accepts = self.leg.borrow().as_ref().map(|leg| leg.accepts).unwrap_or_default();
        self.handle(Event::Reply(Reply { leg, document, result, accepts }));
    }

    fn on_notification(&self, leg: u32, method: &str, params: Option<Value<'_>>) {
        if method == "notifications/progress" {
            self.handle(Event::Progress { leg });
            if let (Some(onprogress), Some(params)) = (&self.options.onprogress, params) {
                host::notify(onprogress, &convert::parsed(params.raw()), &self.client.port());
            }
        }
        self.client.notification(method, params);
    }

    fn done(&self, reply: &Reply) {
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

    fn failed(&self, error: &Error) {
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

    fn resolve_with(&self, value: &JsValue) {
        if self.finish() {
            self.deferred.resolve(value);
        }
    }

    /// Lets go of everything of the host. Says whether the call was still open.
    fn finish(&self) -> bool {
        let open = self.client.call(self.number).is_some();
        self.client.forget(self.number);
        self.leg.take();
        if let Some((_, timer)) = self.timer.take() {
            host::clear_timer(&timer);
        }
        if let Some(stop) = self.stop_listening.take() {
            let _ = stop.call0(&JsValue::UNDEFINED);
        }
        open
    }

    fn arm_timer(&self) {
        let deadline = self.driver.borrow().deadline();
        let armed = self.timer.borrow().as_ref().map(|(at, _)| *at);
        if deadline == armed || self.client.call(self.number).is_none() {
            return;
        }
        if let Some((_, timer)) = self.timer.take() {
            host::clear_timer(&timer);
        }
        if let Some(at) = deadline {
            let timer = host::set_timer(&self.client.port(), self.number, (at - host::now()).max(0.0));
            self.timer.replace(Some((at, timer)));
        }
    }
}

impl fmt::Debug for RunningCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "RunningCall({})", self.number)
    }
}
