//! A call against the server of [`super::server`], with handlers that answer when told and a clock that moves when told.
//! Every leg goes through `wire`, so what the tests see is what a server would see.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use mcp_sampling::driver::{Call, Effect, Event, Limits, Reply, Report, ReportKind};
use mcp_sampling::error::Error;
use mcp_sampling::json::{Document, Value};
use mcp_sampling::mrtr::{Accepts, Ask, InputMethod};
use mcp_sampling::revision::Revision;
use mcp_sampling::wire::http::{Body, Exchange, Incoming, request_headers};
use mcp_sampling::wire::{Capabilities, Envelope, Outgoing};

use super::server::{Leg, Says, Server, event};
use super::texts::{FILLED, LISTED, SAMPLED, parse};

/// A call that has not begun.
pub struct Setup {
    method: String,
    params: Option<Document>,
    limits: Limits,
    client: Client,
    server: Server,
    answering: bool,
    clock: f64,
}

/// What the client declares, and where it takes ids from.
pub struct Client {
    pub explicit: Option<Document>,
    pub handlers: Accepts,
    pub ids: Rc<Cell<u32>>,
    pub wants_progress: bool,
}

impl Setup {
    pub fn new(method: &str, params: &str) -> Self {
        let client =
            Client { explicit: None, handlers: Accepts::HANDLERS, ids: Rc::new(Cell::new(1)), wants_progress: false };
        Self {
            method: method.to_owned(),
            params: (!params.is_empty()).then(|| parse(params)),
            limits: Limits::default(),
            client,
            server: Server::default(),
            answering: false,
            clock: 1_000.0,
        }
    }

    /// A call of a tool, whose handlers answer at once.
    pub fn tool() -> Self {
        Self::new("tools/call", r#"{"name":"summarize","arguments":{"text":"a"}}"#).answering()
    }

    /// A call of a tool, whose handlers wait until the test answers.
    pub fn slow_tool() -> Self {
        Self { answering: false, ..Self::tool() }
    }

    pub fn answering(mut self) -> Self {
        self.answering = true;
        self
    }

    pub fn params(mut self, params: &str) -> Self {
        self.params = Some(parse(params));
        self
    }

    pub fn limits(mut self, set: impl FnOnce(&mut Limits)) -> Self {
        set(&mut self.limits);
        self
    }

    /// The caller wants requests for input as they come.
    pub fn manual(mut self) -> Self {
        self.limits.set(Limits::ALLOW_INPUT_REQUIRED, true);
        self.server.trusts = true;
        self
    }

    pub fn client(mut self, set: impl FnOnce(&mut Client)) -> Self {
        set(&mut self.client);
        self
    }

    /// What the host says it can do, as the text of `ClientCapabilities`.
    pub fn declares(self, capabilities: &str) -> Self {
        self.client(|client| client.explicit = Some(parse(capabilities)))
    }

    pub fn handlers(self, handlers: Accepts) -> Self {
        self.client(|client| client.handlers = handlers)
    }

    pub fn server(mut self, script: impl IntoIterator<Item = Says>) -> Self {
        self.server.script.extend(script);
        self
    }

    /// Another process, with ids of its own, goes on with the call of this one, against the same server.
    pub fn resume(mut self, before: Scenario, checkpoint: &str) -> Scenario {
        let call = Call::resume(checkpoint, self.limits).unwrap();
        self.server = before.server;
        self.client.ids = Rc::new(Cell::new(1_000));
        self.run_call(call)
    }

    /// Begins, and goes on until it is the test's turn.
    pub fn run(self) -> Scenario {
        let mut scenario = self.idle();
        scenario.handle(Event::Start);
        scenario
    }

    pub fn run_call(self, call: Call) -> Scenario {
        let mut scenario = self.with_call(call);
        scenario.handle(Event::Start);
        scenario
    }

    /// Does not begin yet.
    pub fn idle(self) -> Scenario {
        let call = Call::new(&self.method, self.params.clone(), self.limits);
        self.with_call(call)
    }

    fn with_call(self, call: Call) -> Scenario {
        Scenario {
            call,
            client: self.client,
            server: self.server,
            answering: self.answering,
            clock: self.clock,
            inbox: VecDeque::new(),
            wire: None,
            open: Vec::new(),
            log: Vec::new(),
            reports: Vec::new(),
            warnings: Vec::new(),
            saved: Vec::new(),
            violations: Vec::new(),
            outcomes: Vec::new(),
        }
    }
}

/// A call under way.
pub struct Scenario {
    pub call: Call,
    pub client: Client,
    pub server: Server,
    pub clock: f64,
    answering: bool,
    inbox: VecDeque<Event>,
    /// The leg that waits for its reply, and what was declared with it.
    wire: Option<(u32, Accepts, Exchange)>,
    /// The requests that wait for their handler.
    pub open: Vec<Rc<Ask>>,
    /// What was to be done, in a word or two each.
    pub log: Vec<String>,
    pub reports: Vec<Report>,
    /// Rule, message and key.
    pub warnings: Vec<(&'static str, String, String)>,
    pub saved: Vec<String>,
    /// What the server sent that it must not send.
    pub violations: Vec<&'static str>,
    outcomes: Vec<Result<Reply, Error>>,
}

impl Scenario {
    /// Tells the state machine what happened and does what it says, until there is nothing more to do.
    pub fn handle(&mut self, event: Event) {
        self.inbox.push_back(event);
        while let Some(event) = self.inbox.pop_front() {
            self.call.handle(event, self.clock);
            while let Some(effect) = self.call.poll() {
                assert!(self.outcomes.is_empty(), "{effect:?} after the end");
                self.perform(effect);
            }
        }
    }

    /// The server answers the leg on the wire.
    pub fn says(&mut self, says: &Says) {
        self.deliver(says);
        self.drain();
    }

    /// What the server says, as an event that is still to be handled.
    pub fn reply(&mut self, says: &Says) -> Event {
        self.deliver(says);
        self.inbox.pop_front().unwrap()
    }

    /// The handler of the request with this key returns.
    pub fn answer(&mut self, key: &str, result: &str) {
        let event = self.answered(key, result);
        self.handle(event);
    }

    /// The handler of the request with this key throws.
    pub fn refuse(&mut self, key: &str, error: Error) {
        let ask = self.take(key);
        self.handle(Event::Answered { round: ask.round, index: ask.index, result: Err(error) });
    }

    /// Time passes; the clock rings whenever the call said it should.
    pub fn pass(&mut self, ms: f64) {
        let end = self.clock + ms;
        while let Some(deadline) = self.call.deadline().filter(|deadline| *deadline <= end) {
            self.clock = self.clock.max(deadline);
            self.handle(Event::Tick);
            assert_ne!(self.call.deadline(), Some(deadline), "nothing happens at the deadline");
        }
        self.clock = end;
    }

    pub fn answered(&mut self, key: &str, result: &str) -> Event {
        let ask = self.take(key);
        Event::Answered { round: ask.round, index: ask.index, result: Ok(result.to_owned()) }
    }

    fn take(&mut self, key: &str) -> Rc<Ask> {
        let at =
            self.open.iter().position(|ask| ask.key == key).unwrap_or_else(|| panic!("nothing asks for {key:.80}"));
        self.open.remove(at)
    }

    fn drain(&mut self) {
        if let Some(event) = self.inbox.pop_front() {
            self.handle(event);
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Send { leg } => self.send(leg),
            Effect::Ask(ask) => self.ask(ask),
            Effect::CancelLeg => {
                self.wire = None;
                self.note("cancel leg");
            }
            Effect::CancelAsks => self.note("cancel asks"),
            Effect::Save(text) => {
                self.note("save");
                self.saved.push(text);
            }
            Effect::Report(report) => self.reports.push(report),
            Effect::Warn { findings, key } => {
                let warnings = findings.into_iter().map(|found| (found.rule, found.message, key.clone()));
                self.warnings.extend(warnings);
            }
            Effect::Done(reply) => {
                self.note("done");
                self.outcomes.push(Ok(reply));
            }
            Effect::Failed(error) => {
                self.note(&format!("failed {}", error.code()));
                self.outcomes.push(Err(error));
            }
        }
    }

    fn send(&mut self, leg: u32) {
        self.note(&format!("send {leg}"));
        let id = self.client.ids.get();
        self.client.ids.set(id + 1);
        let capabilities = Capabilities::new(self.client.explicit.as_ref(), self.client.handlers);
        self.wire = Some((leg, capabilities.accepts, Exchange::new(id)));
        let body = self.body(id, &capabilities.json);
        let mut headers = String::new();
        request_headers(&mut headers, Revision::LATEST, self.call.method(), self.call.params());
        if let Some(says) = self.server.receive(headers, &body) {
            self.deliver(&says);
        }
    }

    fn body(&self, id: u32, client_capabilities: &str) -> String {
        let client_info = r#"{"name":"tests","version":"1"}"#;
        let envelope = Envelope { revision: Revision::LATEST, client_info, client_capabilities };
        let meta = self.call.params().and_then(|params| params.get("_meta"));
        let wants_progress = self.client.wants_progress;
        let outgoing = Outgoing { id, method: self.call.method(), meta, wants_progress };
        outgoing.write(envelope, |out| self.call.write_params(out))
    }

    /// Puts what the reply brings into the inbox.
    fn deliver(&mut self, says: &Says) {
        let chunks = self.server.note(says);
        let Some((leg, accepts, exchange)) = &mut self.wire else { panic!("no leg is on the wire") };
        let body = if exchange.has_begun() { Body::Stream } else { exchange.head(says.status, says.media_type) };
        match body {
            Body::Whole => exchange.body(chunks.concat().into_bytes()),
            Body::Stream => {
                chunks.iter().for_each(|chunk| exchange.chunk(chunk.as_bytes()));
                if says.ends {
                    exchange.end();
                }
            }
            Body::None => {}
        }
        while let Some(incoming) = exchange.poll() {
            if let Incoming::Violation(what) = incoming {
                self.violations.push(what);
            } else {
                self.inbox.extend(event(*leg, *accepts, incoming));
            }
        }
    }

    fn ask(&mut self, ask: Rc<Ask>) {
        self.note(&format!("ask {:.20}", ask.key));
        let key = ask.key.clone();
        let answer = match ask.method {
            InputMethod::CreateMessage => SAMPLED,
            InputMethod::Elicit if is_url(&ask) => r#"{"action":"accept"}"#,
            InputMethod::Elicit => FILLED,
            InputMethod::ListRoots => LISTED,
        };
        self.open.push(ask);
        if self.answering {
            let event = self.answered(&key, answer);
            self.inbox.push_back(event);
        }
    }

    fn note(&mut self, what: &str) {
        self.log.push(what.to_owned());
    }

    pub fn is_open(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The result, byte for byte.
    pub fn result(&self) -> &str {
        match self.outcomes.first() {
            Some(Ok(reply)) => reply.document.value(reply.result).raw(),
            Some(Err(error)) => panic!("the call failed: {} {error}", error.code()),
            None => panic!("the call has not ended"),
        }
    }

    pub fn error(&self) -> &Error {
        match self.outcomes.first() {
            Some(Err(error)) => error,
            Some(Ok(reply)) => panic!("the call was completed: {}", reply.result().raw()),
            None => panic!("the call has not ended"),
        }
    }

    /// One fact of the error, as JSON text.
    pub fn fact(&self, name: &str) -> Option<String> {
        Document::from_text(self.error().data().to_owned()).ok()?.root().get(name).map(|value| value.raw().to_owned())
    }

    pub fn legs(&self) -> usize {
        self.server.legs.len()
    }

    /// The leg with this number, as it arrived.
    pub fn leg(&self, number: usize) -> &Leg {
        &self.server.legs[number - 1]
    }

    /// A parameter of a leg, as JSON text.
    pub fn param(&self, leg: usize, name: &str) -> Option<&str> {
        self.leg(leg).params().get(name).map(Value::raw)
    }

    /// The answers of a leg: raw keys and raw results.
    pub fn responses(&self, leg: usize) -> Vec<(&str, &str)> {
        let responses = self.leg(leg).params().get("inputResponses");
        responses.into_iter().flat_map(Value::members).map(|(key, value)| (key.raw(), value.raw())).collect()
    }

    pub fn open_keys(&self) -> Vec<&str> {
        self.open.iter().map(|ask| ask.key.as_str()).collect()
    }

    pub fn report_kinds(&self) -> Vec<ReportKind> {
        self.reports.iter().map(|report| report.kind).collect()
    }
}

fn is_url(ask: &Ask) -> bool {
    ask.params().and_then(|params| params.get("url")).is_some()
}
