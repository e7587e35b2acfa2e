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
    /// Fulfil requests for input through the handlers.
    pub auto_fulfill: bool,
    /// Hand a request for input to the caller, as it came.
    pub allow_input_required: bool,
    /// How often the call may be sent again.
    pub max_rounds: u32,
    /// How many requests one round may have.
    pub max_requests_per_round: usize,
    /// How long one leg may be on the wire. Handlers do not count.
    pub timeout_ms: f64,
    /// How long everything together may take, handlers and waits included.
    pub max_total_timeout_ms: f64,
    /// Let the server's progress start the leg's clock anew.
    pub reset_timeout_on_progress: bool,
    /// How long the handlers of one round may take.
    pub handler_timeout_ms: f64,
    /// Let SHOULD-level and advice-level sampling rules warn only.
    pub lenient: bool,
    /// Say when a round is answered, with a checkpoint, before the next leg leaves.
    pub saves: bool,
    /// The revision in use.
    pub revision: Revision,
    /// How results are read.
    pub result_rules: ResultRules,
}

impl Limits {
    /// By which rules requests and answers are judged.
    pub(super) fn manner(&self) -> Manner {
        Manner { revision: self.revision, lenient: self.lenient }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            auto_fulfill: true,
            allow_input_required: false,
            max_rounds: MAX_ROUNDS,
            max_requests_per_round: MAX_REQUESTS_PER_ROUND,
            timeout_ms: TIMEOUT_MS,
            max_total_timeout_ms: f64::INFINITY,
            reset_timeout_on_progress: false,
            handler_timeout_ms: f64::INFINITY,
            lenient: false,
            saves: false,
            revision: Revision::LATEST,
            result_rules: ResultRules::default(),
        }
    }
}
