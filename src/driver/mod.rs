//! The state machine of one call: from the first leg to the result, through every round the server asks for.
//!
//! It performs nothing. The shell tells it what happened ([`Call::handle`]) and then does what it says until it has
//! nothing more to say ([`Call::poll`] returns `None`). Time is an argument, in milliseconds on any clock that does not
//! go backwards; [`Call::deadline`] says when to come back with [`Event::Tick`].
//!
//! ```text
//!   Start ─▶ Leg ──complete──▶ Over
//!             ▲ └──input_required──▶ Asking ──all answered──▶ Saving ─┐
//!             │ └──state only─────▶ Waiting ────────────────────────┐ │
//!             └──────────────────────────────────────────────────────┴─┘
//! ```

mod checkpoint;
mod clock;
mod event;
mod gate;
mod limits;
mod report;
mod round;

use std::fmt;
use std::rc::Rc;

use crate::error::{Code, Error};
use crate::json::{Document, Path, Value};
use crate::mrtr::{Ask, InputRequiredResult, Outcome, elicitation, outcome, push_members};
use crate::sampling::{Findings, Level};

pub use event::{Effect, Event, Reply};
pub use limits::{Limits, MAX_REQUESTS_PER_ROUND, MAX_ROUNDS, STATE_ONLY_DELAY_MS};
pub use report::{Report, ReportKind};
use round::{Asked, Round};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Ready,
    Leg,
    Asking,
    Saving,
    Waiting,
    Over,
}

/// One call and all its rounds.
pub struct Call {
    method: String,
    params: Option<Document>,
    pub(crate) limits: Limits,
    started_ms: f64,
    now_ms: f64,
    leg: u32,
    last_id: u32,
    /// How many pushed requests are being answered.
    paused: i32,
    /// The newest round: what was asked and what was answered. Kept until the next reply, for checkpoints.
    round: Round,
    /// Its number, from 1.
    rounds: u32,
    phase: Phase,
    /// When the phase is over at the latest.
    deadline_ms: f64,
    /// What is to be done, with gaps where it was taken or forgotten.
    effects: Vec<Option<Effect>>,
    /// How many of them were looked at.
    polled: usize,
}

impl Call {
    /// A call of `method`. `params` is the caller's object, which is never changed; it must be an object if it is there.
    pub fn new(method: &str, params: Option<Document>, limits: Limits) -> Self {
        Self {
            method: method.to_owned(),
            params,
            limits,
            started_ms: f64::NAN,
            now_ms: 0.0,
            leg: 0,
            last_id: 0,
            paused: 0,
            round: Round::default(),
            rounds: 0,
            phase: Phase::Ready,
            deadline_ms: f64::INFINITY,
            effects: const { Vec::new() },
            polled: 0,
        }
    }

    /// Makes another call of this one, which is over: it is to be started again. Its legs are numbered on, and both
    /// together have the time that one has. Without a name it is of the same method.
    pub fn renew(&mut self, method: &str, params: Option<Document>, limits: Limits) {
        if !method.is_empty() {
            method.clone_into(&mut self.method);
        }
        (self.params, self.limits, self.round) = (params, limits, Round::default());
        (self.rounds, self.paused, self.phase) = (0, 0, Phase::Ready);
    }

    /// A call that goes on where [`Call::checkpoint`] or [`Effect::Save`] left it, here or on another machine: what was
    /// answered is not asked again, what was not is.
    ///
    /// # Errors
    ///
    /// `INVALID_CHECKPOINT` if it is of another version, or was changed.
    pub fn resume(checkpoint: &str, limits: Limits) -> Result<Self, Error> {
        checkpoint::read(checkpoint, limits)
    }

    /// The method that is called.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The caller's parameters.
    pub fn params(&self) -> Option<Value<'_>> {
        self.params.as_ref().map(|document| document.root())
    }

    /// Takes note of what happened. Events of legs and rounds that are over are ignored.
    pub fn handle(&mut self, event: Event, now_ms: f64) {
        self.now_ms = now_ms;
        if event.leg().is_some_and(|leg| leg != self.leg || self.phase != Phase::Leg) {
            return;
        }
        let done = match event {
            Event::Start if self.phase == Phase::Ready => self.start(),
            Event::Reply(reply) => self.on_reply(reply),
            Event::LegFailed { error, .. } => {
                // There is nothing left to cancel.
                self.phase = Phase::Over;
                Err(error)
            }
            Event::Resend { .. } => self.send(),
            Event::Progress { .. } if self.limits.has(Limits::RESET_TIMEOUT_ON_PROGRESS) => self.pause(0),
            Event::Paused => self.pause(1),
            Event::Unpaused => self.pause(-1),
            Event::Answered { round, index, result } => self.on_answer(round, index, result),
            Event::Saved if self.phase == Phase::Saving => self.send(),
            Event::Tick => self.on_tick(),
            Event::Abort => {
                self.end();
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(error) = done {
            self.fail(error, None);
        }
    }

    /// The next thing to do; nothing when it is the world's turn.
    pub fn poll(&mut self) -> Option<Effect> {
        while let Some(effect) = self.effects.get_mut(self.polled) {
            self.polled += 1;
            if let Some(effect) = effect.take() {
                return Some(effect);
            }
        }
        // A call may wait for long, and thousands at once.
        (self.effects, self.polled) = (const { Vec::new() }, 0);
        None
    }

    /// Notes the id of the leg that is being sent. It goes into checkpoints, so that whoever resumes takes another.
    pub fn sent_as(&mut self, id: u32) {
        self.last_id = id;
    }

    /// The id of the leg that was sent last, here or where this call was resumed from.
    pub fn last_id(&self) -> u32 {
        self.last_id
    }

    /// Writes the members of the parameters for the leg that is to be sent, without `_meta` and without the braces.
    pub fn write_params(&self, out: &mut String) {
        // A caller who does the rounds by hand brings answers in the parameters of the first leg, and they must go out.
        let by_hand = self.limits.has(Limits::ALLOW_INPUT_REQUIRED) | !self.limits.has(Limits::AUTO_FULFILL);
        let keeps = by_hand & (self.rounds == 0);
        if let Some(params) = self.params() {
            push_members(out, params, if keeps { &["_meta"] } else { &["_meta", "inputResponses", "requestState"] });
        }
        self.round.write(out);
    }

    /// What a later call of [`Call::resume`] needs to go on from here: JSON text. Nothing before the first round.
    pub fn checkpoint(&self) -> Option<String> {
        (self.rounds > 0).then(|| checkpoint::write(self))
    }

    fn start(&mut self) -> Result<(), Error> {
        if self.started_ms.is_nan() {
            self.started_ms = self.now_ms;
        }
        if self.round.is_answered() {
            return self.send();
        }
        self.ask();
        Ok(())
    }

    fn send(&mut self) -> Result<(), Error> {
        self.check_time()?;
        self.leg += 1;
        self.arm_leg();
        self.push(Effect::Send { leg: self.leg });
        self.report(if self.rounds == 0 { ReportKind::Sent } else { ReportKind::Retried }, None, 0);
        Ok(())
    }

    fn on_reply(&mut self, reply: Reply) -> Result<(), Error> {
        // Whatever follows, there is nothing left to cancel.
        self.phase = Phase::Over;
        match outcome(&self.method, reply.result(), self.limits.result_rules())? {
            Outcome::InputRequired(input) if !self.limits.has(Limits::ALLOW_INPUT_REQUIRED) => {
                return self.open(&reply, input);
            }
            Outcome::Complete(Some(message)) => {
                let mut found = Findings::default();
                found.push(Level::Warning, "result-type", &Path::Root, message);
                self.push(Effect::Warn { findings: found.warnings, key: const { String::new() } });
            }
            _ => {}
        }
        self.report(ReportKind::Done, None, reply.result().raw().len());
        self.push(Effect::Done(reply));
        Ok(())
    }

    /// Begins the round that a result asks for, if it may be asked.
    fn open(&mut self, reply: &Reply, input: InputRequiredResult<'_>) -> Result<(), Error> {
        let before = self.effects.len();
        if let Err(error) = self.prepare(reply, input) {
            self.effects.truncate(before);
            return Err(error);
        }
        self.rounds += 1;
        if self.round.asked.is_empty() {
            self.enter(Phase::Waiting, STATE_ONLY_DELAY_MS);
            self.report(ReportKind::Waiting, None, 0);
        } else {
            self.ask();
        }
        Ok(())
    }

    /// Puts a round in the place of the one before. No handler is asked before all of it is known to be good.
    fn prepare(&mut self, reply: &Reply, input: InputRequiredResult<'_>) -> Result<(), Error> {
        gate::admit(self, reply, input)?;
        let mut round = Round::default();
        input.request_state.raw().clone_into(&mut round.request_state);
        for member in input.input_requests.members() {
            let (number, index) = (self.rounds + 1, round.asked.len());
            let Some(ask) = Asked::read(member, reply, number, index, self.limits.has(Limits::LENIENT)) else {
                continue;
            };
            let findings = ask.check(reply.accepts, self.limits.manner())?;
            if !findings.is_empty() {
                self.push(Effect::Warn { findings, key: ask.key.clone() });
            }
            round.asked.push(Asked { ask, raw_key: member.0.raw().to_owned(), answer: const { String::new() } });
        }
        self.check_time()?;
        self.round = round;
        Ok(())
    }

    fn ask(&mut self) {
        self.enter(Phase::Asking, self.limits.handler_timeout_ms);
        for index in 0..self.round.asked.len() {
            let Some(ask) = self.round.open_ask(index) else { continue };
            self.report(ReportKind::Asked, Some(&ask), ask.params().map_or(0, |params| params.raw().len()));
            self.push(Effect::Ask(ask));
        }
    }

    fn on_answer(&mut self, round: u32, index: usize, result: Result<String, Error>) -> Result<(), Error> {
        if self.phase != Phase::Asking || self.rounds != round {
            return Ok(());
        }
        let Some(ask) = self.round.open_ask(index) else { return Ok(()) };
        let answer = match result {
            Ok(text) => ask.answer(text, self.limits.manner()),
            Err(error) => {
                if error.kind() == Code::SamplingDeclined {
                    self.report(ReportKind::Declined, Some(&ask), 0);
                }
                Err(ask.about(error))
            }
        };
        match answer {
            Ok(answer) => self.take_answer(&ask, answer),
            Err(error) => {
                self.fail(error, Some(&ask));
                Ok(())
            }
        }
    }

    fn take_answer(&mut self, ask: &Rc<Ask>, answer: Document) -> Result<(), Error> {
        let declined = elicitation::declines(ask, answer.root());
        let answer = answer.into_text();
        self.report(if declined { ReportKind::Declined } else { ReportKind::Answered }, Some(ask), answer.len());
        self.round.answer(ask.index, answer);
        if !self.round.is_answered() {
            return Ok(());
        }
        if !self.limits.has(Limits::SAVES) {
            return self.send();
        }
        self.enter(Phase::Saving, f64::INFINITY);
        self.push(Effect::Save(checkpoint::write(self)));
        Ok(())
    }

    /// Ends the call with an error; of one of its requests, where that is known.
    fn fail(&mut self, error: Error, ask: Option<&Rc<Ask>>) {
        self.end();
        self.report(ReportKind::Failed, ask, 0);
        self.push(Effect::Failed(error));
    }

    /// Stops whatever is under way and forgets what had not been performed yet.
    fn end(&mut self) {
        for effect in &mut self.effects {
            if effect.as_ref().is_some_and(Effect::is_begun_in_vain) {
                *effect = None;
            }
        }
        match self.phase {
            Phase::Leg => self.push(Effect::CancelLeg),
            Phase::Asking => self.push(Effect::CancelAsks),
            _ => {}
        }
        self.phase = Phase::Over;
    }

    fn push(&mut self, effect: Effect) {
        self.effects.push(Some(effect));
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Call({}, leg {}, round {})", self.method, self.leg, self.rounds)
    }
}
