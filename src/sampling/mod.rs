//! The sampling model and its rules.

mod finding;

pub use finding::{Finding, Findings, Level};

use crate::json::Value;
use crate::revision::Revision;

/// What the client has declared and how strictly it checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// The negotiated protocol revision.
    pub revision: Revision,
    /// `sampling.tools` was declared.
    pub tools: bool,
    /// `sampling.context` was declared.
    pub context: bool,
    /// Turns the SHOULD-level and advice-level rules into warnings; never the MUSTs.
    pub lenient: bool,
}

/// Checks the `params` of a `sampling/createMessage` request against every rule.
pub fn check_request(params: Value<'_>, checks: &Checks) -> Findings {
    let _ = (params, checks);
    Findings::default()
}

/// Checks a `CreateMessageResult` against every rule, given the `params` it answers.
pub fn check_result(result: Value<'_>, params: Value<'_>, checks: &Checks) -> Findings {
    let _ = (result, params, checks);
    Findings::default()
}
