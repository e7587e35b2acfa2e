//! What goes into the state machine, and what comes out.

use std::rc::Rc;

use super::{Report, ReportKind};
use crate::error::Error;
use crate::json::{Document, Value, ValueId};
use crate::mrtr::{Accepts, Ask};
use crate::sampling::Finding;

/// What happened outside.
#[derive(Debug)]
pub enum Event {
    /// Begin.
    Start,
    /// The reply to a leg came.
    Reply(Reply),
    /// A leg ended without a result: an error of the server, a broken stream, a network failure.
    LegFailed {
        /// The number of the leg.
        leg: u32,
        /// Why.
        error: Error,
    },
    /// The server did not do what a leg asks, for a reason that is mended: it goes out again, with a new id, and with
    /// the answers and the state it had.
    Resend {
        /// The number of the leg.
        leg: u32,
    },
    /// The server reported progress on a leg.
    Progress {
        /// The number of the leg.
        leg: u32,
    },
    /// The server pushed a request while a leg is on the wire, and the handler is at work: the leg's clock rests.
    Paused,
    /// That request is answered. When the last one is, the leg's clock starts anew.
    Unpaused,
    /// A handler returned; or it threw, declined, or returned what is not JSON.
    Answered {
        /// The round it was asked in.
        round: u32,
        /// Which of the round's requests.
        index: usize,
        /// The JSON text of what the handler returned, or why there is none.
        result: Result<String, Error>,
    },
    /// The checkpoint was stored.
    Saved,
    /// The time is now at or past [`Call::deadline`](super::Call::deadline).
    Tick,
    /// The caller gave up. Nothing more will be reported.
    Abort,
}

impl Event {
    /// The leg that it is about.
    pub(super) fn leg(&self) -> Option<u32> {
        match self {
            Self::Reply(reply) => Some(reply.leg),
            Self::LegFailed { leg, .. } | Self::Resend { leg } | Self::Progress { leg } => Some(*leg),
            _ => None,
        }
    }
}

/// A result as it came, and what had been declared with the request.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The number of the leg it answers.
    pub leg: u32,
    /// The message.
    pub document: Document,
    /// The `result` in it.
    pub result: ValueId,
    /// What the client declared with the request, and has handlers for now.
    pub accepts: Accepts,
}

impl Reply {
    /// The result.
    pub fn result(&self) -> Value<'_> {
        self.document.value(self.result)
    }
}

/// What the shell is to do, in this order.
#[derive(Debug)]
pub enum Effect {
    /// Send a leg: a request of its own, with an id of its own, whose parameters [`Call::write_params`](super::Call::write_params) writes.
    Send {
        /// The number of the leg, from 1.
        leg: u32,
    },
    /// Hand a request to the handler of its method, and come back with [`Event::Answered`].
    Ask(Rc<Ask>),
    /// Stop the leg that is on the wire.
    CancelLeg,
    /// Abort the signal of the handlers that are still at work; what they return is ignored.
    CancelAsks,
    /// Store this checkpoint (JSON text) and come back with [`Event::Saved`].
    Save(String),
    /// Tell whoever watches the call.
    Report(Report),
    /// Tell the host about what was let pass.
    Warn {
        /// What was found; the paths lead into the request.
        findings: Vec<Finding>,
        /// The server's key of the request, or empty.
        key: String,
    },
    /// The call is over, with this reply: a complete result, or the request for input if the caller wants it raw.
    Done(Reply),
    /// The call is over, with this error.
    Failed(Error),
}

impl Effect {
    /// True for what means nothing once the call is over.
    pub(super) fn is_begun_in_vain(&self) -> bool {
        match self {
            Self::Send { .. } | Self::Ask(_) | Self::Save(_) => true,
            Self::Report(report) => matches!(report.kind, ReportKind::Sent | ReportKind::Retried | ReportKind::Asked),
            _ => false,
        }
    }
}
