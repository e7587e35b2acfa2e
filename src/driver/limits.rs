//! What bounds a call. Every number is in one place, with its unit and default.

use crate::mrtr::{Manner, ResultRules};
use crate::revision::Revision;

/// How often a call is sent again at most, by default. The first leg is not counted.
pub const MAX_ROUNDS: u32 = 10;
/// How many requests a server may put into one round, by default.
pub const MAX_REQUESTS_PER_ROUND: usize = 64;
/// How long to wait before a call is sent again with nothing but the state, in milliseconds.
pub const STATE_ONLY_DELAY_MS: f64 = 250.0;
/// How long one leg may take, by default, in milliseconds.
const TIMEOUT_MS: f64 = 60_000.0;

/// The limits and the manner of one call. Times are in milliseconds; infinity means no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// What is switched on: [`Limits::AUTO_FULFILL`] and so on.
    pub flags: u32,
    /// How often the call may be sent again.
    pub max_rounds: u32,
    /// How many requests one round may have.
    pub max_requests_per_round: usize,
    /// How long one leg may be on the wire. Handlers do not count.
    pub timeout_ms: f64,
    /// How long everything together may take, handlers and waits included.
    pub max_total_timeout_ms: f64,
    /// How long the handlers of one round may take.
    pub handler_timeout_ms: f64,
    /// The revision in use.
    pub revision: Revision,
}

impl Limits {
    /// Fulfil requests for input through the handlers.
    pub const AUTO_FULFILL: u32 = 1;
    /// Let SHOULD-level and advice-level sampling rules warn only.
    pub const LENIENT: u32 = 2;
    /// Take no result whose type is not said.
    pub const STRICT_RESULT_TYPE: u32 = 4;
    /// Let the server's progress start the leg's clock anew.
    pub const RESET_TIMEOUT_ON_PROGRESS: u32 = 8;
    /// Hand a request for input to the caller, as it came.
    pub const ALLOW_INPUT_REQUIRED: u32 = 16;
    /// Say when a round is answered, with a checkpoint, before the next leg leaves.
    pub const SAVES: u32 = 128;

    /// Whether any of these is switched on.
    pub fn has(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    /// Switches these on or off.
    pub fn set(&mut self, flags: u32, on: bool) {
        self.flags = if on { self.flags | flags } else { self.flags & !flags };
    }

    /// By which rules requests and answers are judged.
    pub(super) fn manner(&self) -> Manner {
        Manner { revision: self.revision, lenient: self.has(Self::LENIENT) }
    }

    /// How results are read.
    pub(super) fn result_rules(&self) -> ResultRules {
        ResultRules { strict_result_type: self.has(Self::STRICT_RESULT_TYPE), legacy: !self.revision.is_modern() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            flags: Self::AUTO_FULFILL,
            max_rounds: MAX_ROUNDS,
            max_requests_per_round: MAX_REQUESTS_PER_ROUND,
            timeout_ms: TIMEOUT_MS,
            max_total_timeout_ms: f64::INFINITY,
            handler_timeout_ms: f64::INFINITY,
            revision: Revision::LATEST,
        }
    }
}
