//! The sampling model: its types, its rules, and what follows from them.
//!
//! - [`check_request`] and [`check_result`] apply the [`RULES`] and say what is broken, and where.
//! - The views ([`CreateMessageRequestParams`], [`CreateMessageResult`] and what is in them) read without copying.
//! - [`build`] writes requests and results that cannot break the rules.
//! - [`to_revision`] fits a result to an older revision; [`repair()`] mends one common mistake of servers.
//! - [`select_model`] follows a server's model preferences.
//!
//! Specification: client/sampling of the revision in use. Sampling is deprecated in 2026-07-28 and stays at least twelve
//! months.

pub mod build;
mod convert;
mod finding;
mod model;
mod repair;
mod rules;
mod select;

pub(crate) use convert::changed;
pub use convert::to_revision;
pub use finding::{Finding, Findings, Level};
pub use model::{
    Annotations, AudioContent, Block, BlockType, Blocks, Content, CreateMessageRequestParams, CreateMessageResult,
    EmbeddedResource, Icon, ImageContent, IncludeContext, List, ModelHint, ModelPreferences, ResourceContents,
    ResourceLink, Role, SamplingMessage, StopReason, TextContent, Tool, ToolAnnotations, ToolChoice, ToolChoiceMode,
    ToolResultContent, ToolUseContent,
};
pub use repair::repair;
pub use rules::{MAX_FINDINGS, RULES, RuleInfo, Strength};
pub use select::{Choice, ModelEntry, Needs, needs_of, select_model};

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
///
/// Unknown members are never a finding. At most [`MAX_FINDINGS`] are listed, then one that closes the list.
pub fn check_request(params: Value<'_>, checks: &Checks) -> Findings {
    rules::check_request(params, checks)
}

/// Checks a `CreateMessageResult` against every rule, given the `params` it answers.
///
/// It is checked as it would go over the wire of `checks.revision`: convert it with [`to_revision`] before.
pub fn check_result(result: Value<'_>, params: Value<'_>, checks: &Checks) -> Findings {
    rules::check_result(result, params, checks)
}
