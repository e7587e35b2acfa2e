//! Any order of events: nothing panics, no retry has half its answers, there is one end, and nothing after it.

use std::rc::Rc;

use mcp_sampling::driver::{Call, Effect, Event, Limits, Reply};
use mcp_sampling::error::{Code, Error};
use mcp_sampling::json::{Document, Value};
use mcp_sampling::mrtr::{Accepts, Ask, InputMethod};
use proptest::prelude::*;

use super::texts::{FILLED, FORM, LISTED, ROOTS, SAMPLE, SAMPLED, asks_json, parse};

/// What happens next. Small numbers choose among legs, rounds and requests, also ones that are over or never were.
#[derive(Clone, Debug)]
enum Step {
    Start,
    Reply {
        back: u32,
        kind: usize,
    },
    LegFailed {
        back: u32,
    },
    Progress {
        back: u32,
    },
    Pause(bool),
    Answer {
        back: u32,
        index: usize,
        good: bool,
    },
    Refuse {
        back: u32,
        index: usize,
    },
    Saved,
    Tick {
        ms: f64,
    },
    Abort,
    /// The host goes on elsewhere from the newest checkpoint.
    Resume,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let back = prop_oneof![19 => Just(0u32), 1 => 1..3u32];
    let kind = prop_oneof![19 => 0..5usize, 1 => 5..9usize];
    let step = prop_oneof![
        1 => Just(Step::Start),
        12 => (back.clone(), kind).prop_map(|(back, kind)| Step::Reply { back, kind }),
        1 => back.clone().prop_map(|back| Step::LegFailed { back }),
        2 => back.clone().prop_map(|back| Step::Progress { back }),
        1 => any::<bool>().prop_map(Step::Pause),
        30 => (back.clone(), 0..4usize, prop::bool::weighted(0.99)).prop_map(|(back, index, good)| Step::Answer { back, index, good }),
        1 => (back, 0..4usize).prop_map(|(back, index)| Step::Refuse { back, index }),
        12 => Just(Step::Saved),
        8 => prop_oneof![Just(0.0), Just(250.0), 0.0..500.0, Just(-5.0)].prop_map(|ms| Step::Tick { ms }),
        1 => Just(Step::Abort),
        1 => Just(Step::Resume),
    ];
    // Most calls begin with the beginning.
    (prop::bool::weighted(0.9), prop::collection::vec(step, 0..80))
        .prop_map(|(begins, steps)| begins.then_some(Step::Start).into_iter().chain(steps).collect())
}

fn limits() -> impl Strategy<Value = Limits> {
    let times = (
        100.0..5_000.0,
        prop_oneof![Just(f64::INFINITY), 0.0..5_000.0],
        prop_oneof![Just(f64::INFINITY), 0.0..5_000.0],
    );
    (any::<[bool; 3]>(), 0..6u32, times).prop_map(|([saves, lenient, reset], max_rounds, (leg, total, handlers))| {
        let mut limits = Limits {
            max_rounds,
            timeout_ms: leg,
            max_total_timeout_ms: total,
            handler_timeout_ms: handlers,
            ..Limits::default()
        };
        limits.set(Limits::SAVES, saves);
        limits.set(Limits::LENIENT, lenient);
        limits.set(Limits::RESET_TIMEOUT_ON_PROGRESS, reset);
        limits
    })
}

fn result_of(kind: usize) -> String {
    let three = [("a", SAMPLE), ("__proto__", FORM), ("", ROOTS)];
    match kind {
        0..=2 => asks_json(&three[..kind + 1], (kind != 1).then_some("s")),
        3 | 4 => r#"{"resultType":"input_required","requestState":"s"}"#.to_owned(),
        5 => r#"{"resultType":"complete"}"#.to_owned(),
        6 => r#"{"resultType":"input_required"}"#.to_owned(),
        7 => asks_json(&[("a", r#"{"method":"x"}"#)], None),
        _ => asks_json(&three, None),
    }
}

fn accepts() -> Accepts {
    Accepts::HANDLERS | Accepts::SAMPLING | Accepts::ELICITATION_FORM | Accepts::ROOTS
}

/// The world around a call: what it was told to do, and what must never happen.
struct World {
    call: Call,
    limits: Limits,
    now: f64,
    leg: u32,
    round: u32,
    asks: Vec<Rc<Ask>>,
    ends: u32,
    aborted: bool,
    /// How many answers the newest round needs.
    wanted: usize,
}

impl World {
    fn new(limits: Limits) -> Self {
        let call = Call::new("tools/call", Some(parse(r#"{"name":"t"}"#)), limits);
        Self { call, limits, now: 0.0, leg: 0, round: 0, asks: Vec::new(), ends: 0, aborted: false, wanted: 0 }
    }

    fn step(&mut self, step: Step) {
        let event = match step {
            Step::Start => Event::Start,
            Step::Reply { back, kind } => return self.reply(self.leg.wrapping_sub(back), &result_of(kind)),
            Step::LegFailed { back } => Event::LegFailed { leg: self.leg.wrapping_sub(back), error: failure() },
            Step::Progress { back } => Event::Progress { leg: self.leg.wrapping_sub(back) },
            Step::Pause(more) => {
                if more {
                    Event::Paused
                } else {
                    Event::Unpaused
                }
            }
            Step::Answer { back, index, good } => self.answered(back, index, good),
            Step::Refuse { back, index } => {
                Event::Answered { round: self.round.wrapping_sub(back), index, result: Err(failure()) }
            }
            Step::Saved => Event::Saved,
            Step::Tick { ms } => {
                self.now += ms;
                Event::Tick
            }
            Step::Abort => Event::Abort,
            Step::Resume => return self.resume(),
        };
        self.handle(event);
    }

    fn reply(&mut self, leg: u32, result: &str) {
        let document = parse(result);
        let result = document.root().id();
        self.handle(Event::Reply(Reply { leg, document, result, accepts: accepts() }));
    }

    fn answered(&self, back: u32, index: usize, good: bool) -> Event {
        let result = match self.asks.iter().find(|ask| ask.index == index).map(|ask| ask.method) {
            _ if !good => "{}",
            Some(InputMethod::Elicit) => FILLED,
            Some(InputMethod::ListRoots) => LISTED,
            _ => SAMPLED,
        };
        Event::Answered { round: self.round.wrapping_sub(back), index, result: Ok(result.to_owned()) }
    }

    fn resume(&mut self) {
        let Some(checkpoint) = self.call.checkpoint() else { return };
        let call = Call::resume(&checkpoint, self.limits).unwrap();
        assert_eq!(call.checkpoint().unwrap(), checkpoint);
        *self = Self { call, wanted: self.wanted, round: self.round, now: self.now, ..Self::new(self.limits) };
        self.handle(Event::Start);
    }

    fn handle(&mut self, event: Event) {
        self.aborted |= matches!(event, Event::Abort) && self.ends == 0;
        self.call.handle(event, self.now);
        while let Some(effect) = self.call.poll() {
            self.check(effect);
        }
    }

    fn check(&mut self, effect: Effect) {
        assert_eq!(self.ends, 0, "{effect:?} after the end");
        match effect {
            Effect::Send { leg } => {
                assert!(!self.aborted, "a leg after an abort");
                assert_eq!(leg, self.leg + 1);
                self.leg = leg;
                self.check_params();
                self.asks.clear();
            }
            Effect::Ask(ask) => {
                assert!(!self.aborted, "a question after an abort");
                if ask.round != self.round {
                    self.round = ask.round;
                    self.wanted = 0;
                    self.asks.clear();
                }
                self.wanted = self.wanted.max(ask.index + 1);
                self.asks.push(ask);
            }
            Effect::Report(report) if report.kind.as_str() == "waiting" => {
                self.round = report.round;
                self.wanted = 0;
            }
            Effect::Done(_) | Effect::Failed(_) => {
                assert!(!self.aborted, "an end after an abort");
                self.ends += 1;
            }
            _ => {}
        }
    }

    /// All answers of the newest round, or none.
    fn check_params(&self) {
        let mut text = String::from("{");
        self.call.write_params(&mut text);
        text.push('}');
        let document = Document::from_text(text).unwrap();
        let answers = document.root().get("inputResponses").into_iter().flat_map(Value::members).count();
        assert_eq!(answers, self.wanted, "{}", document.text());
        assert_eq!(document.root().get("name").unwrap().raw(), "\"t\"");
    }

    /// The server completes, the handlers fall silent, time runs out.
    fn come_to_an_end(&mut self) {
        self.handle(Event::Start);
        for _ in 0..20 {
            self.handle(Event::Saved);
            self.reply(self.leg, &result_of(5));
            for index in 0..4 {
                let answer = self.answered(0, index, true);
                self.handle(answer);
            }
            self.now += 10_000.0;
            self.handle(Event::Tick);
        }
    }
}

fn failure() -> Error {
    Error::new(Code::HandlerFailed, "no")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_order_of_events_ends_once_and_sends_no_partial_answers(limits in limits(), steps in steps()) {
        let mut world = World::new(limits);
        for step in steps {
            world.step(step);
        }
        world.come_to_an_end();
        prop_assert_eq!(world.ends, u32::from(!world.aborted));
        prop_assert_eq!(world.call.deadline(), None);
    }

    /// Told without being asked what to do in between, as a host must not do it.
    #[test]
    fn nothing_panics_when_effects_are_taken_late(limits in limits(), steps in steps()) {
        let mut world = World::new(limits);
        world.call.handle(Event::Start, 0.0);
        for step in steps {
            world.leg = 1;
            match step {
                Step::Reply { kind, .. } => {
                    let document = parse(&result_of(kind));
                    let result = document.root().id();
                    world.call.handle(Event::Reply(Reply { leg: 1, document, result, accepts: accepts() }), world.now);
                }
                Step::Tick { ms } => {
                    world.now += ms;
                    world.call.handle(Event::Tick, world.now);
                }
                Step::Abort => world.call.handle(Event::Abort, world.now),
                Step::Answer { index, good, .. } => world.call.handle(world.answered(0, index, good), world.now),
                _ => world.call.handle(Event::Saved, world.now),
            }
        }
        let effects: Vec<_> = std::iter::from_fn(|| world.call.poll()).collect();
        let ends = |effect: &&Effect| matches!(effect, Effect::Done(_) | Effect::Failed(_));
        prop_assert!(effects.iter().filter(ends).count() <= 1);
    }
}
