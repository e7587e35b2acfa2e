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

use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use crate::error::{Code, Error};
use crate::json::{Document, Value};
use crate::mrtr::{Ask, InputRequiredResult, Outcome, elicitation, outcome};

pub use event::{Effect, Event, Reply};
pub use limits::{Limits, MAX_REQUESTS_PER_ROUND, MAX_ROUNDS, STATE_ONLY_DELAY_MS};
pub use report::{Report, ReportKind};
use round::Round;

enum Phase {
    Ready,
    Leg {
        deadline_ms: f64,
    },
    /// The reply is there and is being looked at.
    Landed,
    Asking {
        deadline_ms: f64,
    },
    Saving,
    Waiting {
        until_ms: f64,
    },
    Over,
}

/// One call and all its rounds.
pub struct Call {
    method: String,
    params: Option<Rc<Document>>,
    limits: Limits,
    started_ms: f64,
    now_ms: f64,
    leg: u32,
    last_id: u32,
    /// How many pushed requests are being answered.
    paused: i32,
    /// The newest round: what was asked and what was answered. Kept until the next reply, for checkpoints.
    round: Option<Round>,
    rounds: u32,
    phase: Phase,
    effects: VecDeque<Effect>,
}

impl Call {
    /// A call of `method`. `params` is the caller's object, which is never changed; it must be an object if it is there.
    pub fn new(method: &str, params: Option<Rc<Document>>, limits: Limits) -> Self {
        Self {
            method: method.to_owned(),
            params,
            limits,
            started_ms: f64::NAN,
            now_ms: 0.0,
            leg: 0,
            last_id: 0,
            paused: 0,
            round: None,
            rounds: 0,
            phase: Phase::Ready,
            effects: VecDeque::new(),
        }
    }

    /// Lets this call, which has not begun, stand in for one before it: its legs are numbered on, and both together have
    /// the time that one has.
    #[must_use]
    pub fn following(mut self, earlier: &Self) -> Self {
        (self.leg, self.started_ms) = (earlier.leg, earlier.started_ms);
        self
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
        match event {
            Event::Start if matches!(self.phase, Phase::Ready) => self.start(),
            Event::Reply(reply) if self.on_wire(reply.leg) => self.on_reply(reply),
            Event::LegFailed { leg, error } if self.on_wire(leg) => self.on_leg_failed(error),
            Event::Resend { leg } if self.on_wire(leg) => self.send(),
            Event::Progress { leg } if self.on_wire(leg) && self.limits.reset_timeout_on_progress => self.arm_leg(),
            Event::Paused => self.pause(1),
            Event::Unpaused => self.pause(-1),
            Event::Answered { round, index, result } if self.is_asking(round) => self.on_answer(index, result),
            Event::NotAnswered { round, index, error } if self.is_asking(round) => self.on_refusal(index, error),
            Event::Saved if matches!(self.phase, Phase::Saving) => self.send(),
            Event::Tick => self.on_tick(),
            Event::Abort => self.end(),
            _ => {}
        }
    }

    /// The next thing to do; nothing when it is the world's turn.
    pub fn poll(&mut self) -> Option<Effect> {
        self.effects.pop_front()
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
        let retry = self.round.as_ref().map(Round::retry).unwrap_or_default();
        out.reserve(retry.size_hint());
        retry.write_members(self.params(), self.keeps_callers_answers(), out);
    }

    /// What a later call of [`Call::resume`] needs to go on from here: JSON text. Nothing before the first round.
    pub fn checkpoint(&self) -> Option<String> {
        self.round.as_ref().map(|round| checkpoint::write(self, round))
    }

    /// A caller who does the rounds by hand brings answers in the parameters of the first leg, and they must go out.
    fn keeps_callers_answers(&self) -> bool {
        self.round.is_none() && (self.limits.allow_input_required || !self.limits.auto_fulfill)
    }

    fn start(&mut self) {
        if self.started_ms.is_nan() {
            self.started_ms = self.now_ms;
        }
        match &self.round {
            Some(round) if !round.is_answered() => self.ask(),
            _ => self.send(),
        }
    }

    fn send(&mut self) {
        if self.is_out_of_time() {
            return self.fail(self.total_timed_out());
        }
        self.leg += 1;
        self.arm_leg();
        self.effects.push_back(Effect::Send { leg: self.leg });
        self.report(if self.rounds == 0 { ReportKind::Sent } else { ReportKind::Retried });
    }

    fn on_leg_failed(&mut self, error: Error) {
        self.take_off_wire();
        self.fail(error);
    }

    /// The leg has its reply: whatever follows, there is nothing left to cancel.
    fn take_off_wire(&mut self) {
        self.phase = Phase::Over;
    }

    fn on_reply(&mut self, reply: Reply) {
        self.phase = Phase::Landed;
        self.take_off_wire();
        match outcome(&self.method, reply.result(), self.limits.result_rules) {
            Err(error) => self.fail(error),
            Ok(Outcome::Complete(warning)) => {
                if let Some(message) = warning {
                    self.warn("result-type", message);
                }
                self.finish(reply.clone());
            }
            Ok(Outcome::InputRequired(input)) => self.on_input_required(&reply, &input),
        }
    }

    fn on_input_required(&mut self, reply: &Reply, input: &InputRequiredResult<'_>) {
        if self.limits.allow_input_required {
            return self.finish(reply.clone());
        }
        if let Err(error) = gate::admit(self, reply, input) {
            return self.fail(error);
        }
        let round = Round::new(self.rounds + 1, reply, input, self.limits.lenient);
        match gate::check(self, reply.accepts, &round.open_asks()) {
            Err(error) => self.fail(error),
            Ok(warnings) => self.open(round, warnings),
        }
    }

    fn open(&mut self, round: Round, warnings: Vec<Effect>) {
        if self.is_out_of_time() {
            return self.fail(self.total_timed_out());
        }
        self.rounds = round.number;
        let waits = round.asked.is_empty();
        self.round = Some(round);
        self.effects.extend(warnings);
        if waits {
            self.phase = Phase::Waiting { until_ms: self.now_ms + STATE_ONLY_DELAY_MS };
            self.report(ReportKind::Waiting);
        } else {
            self.ask();
        }
    }

    fn ask(&mut self) {
        self.phase = Phase::Asking { deadline_ms: self.now_ms + self.limits.handler_timeout_ms };
        let asks = self.round.as_ref().map(Round::open_asks).unwrap_or_default();
        for ask in asks {
            self.report_ask(ReportKind::Asked, &ask, ask.params().map_or(0, |params| params.raw().len()));
            self.effects.push_back(Effect::Ask(ask));
        }
    }

    fn on_answer(&mut self, index: usize, result: String) {
        let Some(ask) = self.round.as_ref().and_then(|round| round.open_ask(index)) else { return };
        match ask.check_answer(result, self.limits.manner()) {
            Err(error) => self.fail_ask(&ask, error),
            Ok(answer) => {
                let kind =
                    if elicitation::declines(&ask, &answer) { ReportKind::Declined } else { ReportKind::Answered };
                self.report_ask(kind, &ask, answer.len());
                self.note_answer(index, answer);
            }
        }
    }

    fn note_answer(&mut self, index: usize, answer: String) {
        let Some(round) = &mut self.round else { return };
        round.answer(index, answer);
        if round.is_answered() {
            self.save();
        }
    }

    fn save(&mut self) {
        if self.limits.saves {
            self.phase = Phase::Saving;
            self.effects.extend(self.checkpoint().map(Effect::Save));
        } else {
            self.send();
        }
    }

    fn on_refusal(&mut self, index: usize, error: Error) {
        let Some(ask) = self.round.as_ref().and_then(|round| round.open_ask(index)) else { return };
        if error.kind() == Code::SamplingDeclined {
            self.report_ask(ReportKind::Declined, &ask, 0);
        }
        self.fail_ask(&ask, ask.about(error));
    }

    fn finish(&mut self, reply: Reply) {
        self.phase = Phase::Over;
        self.report_bytes(ReportKind::Done, reply.result().raw().len());
        self.effects.push_back(Effect::Done(reply));
    }

    fn fail(&mut self, error: Error) {
        self.end();
        self.report(ReportKind::Failed);
        self.effects.push_back(Effect::Failed(error));
    }

    /// The call failed because of one of its requests.
    fn fail_ask(&mut self, ask: &Ask, error: Error) {
        self.end();
        self.report_ask(ReportKind::Failed, ask, 0);
        self.effects.push_back(Effect::Failed(error));
    }

    /// Stops whatever is under way and forgets what had not been performed yet.
    fn end(&mut self) {
        let undone = |effect: &Effect| match effect {
            Effect::Send { .. } | Effect::Ask(_) | Effect::Save(_) => true,
            Effect::Report(report) => matches!(report.kind, ReportKind::Sent | ReportKind::Retried | ReportKind::Asked),
            _ => false,
        };
        self.effects.retain(|effect| !undone(effect));
        match self.phase {
            Phase::Leg { .. } => self.effects.push_back(Effect::CancelLeg),
            Phase::Asking { .. } => self.effects.push_back(Effect::CancelAsks),
            _ => {}
        }
        self.phase = Phase::Over;
    }

    fn on_wire(&self, leg: u32) -> bool {
        self.leg == leg && matches!(self.phase, Phase::Leg { .. })
    }

    fn is_asking(&self, round: u32) -> bool {
        self.rounds == round && matches!(self.phase, Phase::Asking { .. })
    }

    fn warn(&mut self, rule: &'static str, message: &str) {
        let message = message.to_owned();
        self.effects.push_back(Effect::Warn { rule, message, path: String::new(), key: String::new() });
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Call({}, leg {}, round {})", self.method, self.leg, self.rounds)
    }
}
