//! What a request as a whole must be: choice and tools together, and what only comes to clients that declared it.
//! client/sampling, Capabilities.

use super::report::Report;
use super::shapes::REQUEST;
use super::table::Rule;
use crate::json::{Path, Value};
use crate::revision::Revision;

impl Report<'_> {
    pub(super) fn request(&mut self, params: Value<'_>) {
        if self.object(Rule::ParamsObject, REQUEST, params, &Path::Root) {
            self.required_needs_tools(params);
            self.tools_gate(Rule::ToolsCapability, params, "tools");
            self.tools_gate(Rule::ToolChoiceCapability, params, "toolChoice");
            self.context_gate(params.at("includeContext"));
        }
    }

    fn required_needs_tools(&mut self, params: Value<'_>) {
        let has_tools = params.at("tools").items().next().is_some();
        if !has_tools && params.at("toolChoice").at("mode").is_text("required") {
            self.remark_at(Rule::RequiredNeedsTools, "toolChoice");
        }
    }

    /// An empty array is there, too.
    fn tools_gate(&mut self, rule: Rule, params: Value<'_>, name: &str) {
        // An older revision has no such capability; to sample without the tools would not be what was asked.
        let reason = if self.before(Revision::V2025_11_25) {
            "`%` came with revision 2025-11-25; leave it out."
        } else if !self.checks.tools {
            "`%` was sent but the client did not declare `sampling.tools`; leave it out."
        } else {
            return;
        };
        if params.get(name).is_some() {
            self.broken(rule, &Path::Root.key(name), reason, &[name]);
        }
    }

    fn context_gate(&mut self, context: Value<'_>) {
        if !context.is_text("thisServer") && !context.is_text("allServers") {
            return;
        }
        // Before 2025-11-25 there was no such capability to declare.
        let (rule, since) = if self.checks.context {
            (Rule::ContextDeprecated, Revision::V2026_07_28)
        } else {
            (Rule::ContextCapability, Revision::V2025_11_25)
        };
        if !self.before(since) {
            self.remark_at(rule, "includeContext");
        }
    }
}
