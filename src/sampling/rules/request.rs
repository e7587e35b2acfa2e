//! What a request as a whole must be: choice and tools together, and what only comes to clients that declared it.
//! client/sampling, Capabilities.

use super::report::Report;
use super::shapes::REQUEST;
use super::table::Rule;
use crate::json::{Path, Value};
use crate::revision::Revision;

impl Report<'_> {
    pub(super) fn request(&mut self, params: Value<'_>) {
        if self.object(Rule::ParamsObject, "an object", REQUEST, params, &Path::Root) {
            self.required_needs_tools(params);
            self.tools_gate(Rule::ToolsCapability, params, "tools");
            self.tools_gate(Rule::ToolChoiceCapability, params, "toolChoice");
            self.context_gate(params.at("includeContext"));
        }
    }

    fn required_needs_tools(&mut self, params: Value<'_>) {
        let has_tools = params.at("tools").items().next().is_some();
        if !has_tools && params.at("toolChoice").at("mode").is_text("required") {
            let sentence = "A tool call is required but no tool is offered; send `tools`, or another mode.";
            self.broken_at(Rule::RequiredNeedsTools, "toolChoice", sentence);
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
        let (since, rule, sentence) = if self.checks.context {
            let sentence = "Only none is not deprecated; leave `includeContext` out.";
            (Revision::V2026_07_28, Rule::ContextDeprecated, sentence)
        } else {
            let sentence =
                "The client did not declare `sampling.context`; this asks for context that will not be added.";
            (Revision::V2025_11_25, Rule::ContextCapability, sentence)
        };
        if !self.before(since) {
            self.broken_at(rule, "includeContext", sentence);
        }
    }
}
