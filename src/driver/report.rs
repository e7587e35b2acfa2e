//! What a watcher of the call gets to know.

use std::rc::Rc;

use super::{Call, Effect};
use crate::lines;
use crate::mrtr::Ask;

/// One thing that happened in a call. Never the server's own progress, which is another channel.
#[derive(Clone, Debug)]
pub struct Report {
    /// What happened.
    pub kind: ReportKind,
    /// The round it belongs to: 0 until the server asks for input, then 1, 2, …
    pub round: u32,
    /// The leg that was sent last, from 1.
    pub leg: u32,
    /// When, in milliseconds since the call began.
    pub time_ms: f64,
    /// The request, for what concerns one.
    pub request: Option<Rc<Ask>>,
    /// How much, in bytes of JSON: of the request asked, the answer given, the result; the shell adds that of a leg. 0
    /// where it says nothing.
    pub bytes: usize,
}

/// The kinds of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// The first leg left.
    Sent,
    /// A request was handed to its handler.
    Asked,
    /// A handler answered, and its answer is good.
    Answered,
    /// A person or policy declined.
    Declined,
    /// The server wants to be asked again after a pause.
    Waiting,
    /// A further leg left, with the answers or the state.
    Retried,
    /// The result is there.
    Done,
    /// The call ended with an error.
    Failed,
}

impl ReportKind {
    /// The name that JavaScript sees as `event.type`.
    pub fn as_str(self) -> &'static str {
        lines::at("sent\nasked\nanswered\ndeclined\nwaiting\nretried\ndone\nfailed\n", self as usize)
    }
}

impl Call {
    pub(super) fn report(&mut self, kind: ReportKind, ask: Option<&Rc<Ask>>, bytes: usize) {
        let time_ms = self.now_ms - self.started_ms;
        let request = ask.cloned();
        self.push(Effect::Report(Report { kind, round: self.rounds, leg: self.leg, time_ms, request, bytes }));
    }
}
