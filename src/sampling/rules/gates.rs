//! What only comes to clients that declared it. client/sampling, Capabilities.

use super::report::Report;
use super::table::{CONTEXT_CAPABILITY, CONTEXT_DEPRECATED, Rule, TOOL_CHOICE_CAPABILITY, TOOLS_CAPABILITY};
use crate::json::{Path, Value};
use crate::revision::Revision;

/// Checks the params against the declared capabilities.
pub(super) fn gates(params: Value<'_>, report: &mut Report<'_>) {
    tools_capability(params, report);
    tool_choice_capability(params, report);
    let context = params.get("includeContext").and_then(Value::as_str);
    if context.is_some_and(|context| context == "thisServer" || context == "allServers") {
        context_capability(report);
        context_deprecated(report);
    }
}

/// [`TOOLS_CAPABILITY`]: schema, CreateMessageRequestParams.tools. An empty array is there, too.
fn tools_capability(params: Value<'_>, report: &mut Report<'_>) {
    tools_gate(TOOLS_CAPABILITY, params, "tools", report);
}

/// [`TOOL_CHOICE_CAPABILITY`]: schema, CreateMessageRequestParams.toolChoice.
fn tool_choice_capability(params: Value<'_>, report: &mut Report<'_>) {
    tools_gate(TOOL_CHOICE_CAPABILITY, params, "toolChoice", report);
}

fn tools_gate(rule: Rule, params: Value<'_>, name: &str, report: &mut Report<'_>) {
    if params.get(name).is_none() {
        return;
    }
    // An older revision has no such capability; to sample without the tools would not be what was asked.
    let reason = if report.before(Revision::V2025_11_25) {
        "` came with revision 2025-11-25; leave it out."
    } else if !report.checks().tools {
        "` was sent but the client did not declare `sampling.tools`; leave it out."
    } else {
        return;
    };
    report.broken(rule, &Path::Root.key(name), &["`", name, reason]);
}

/// [`CONTEXT_CAPABILITY`]: client/sampling, Capabilities.
fn context_capability(report: &mut Report<'_>) {
    // Before 2025-11-25 there was no such capability to declare.
    if !report.checks().context && !report.before(Revision::V2025_11_25) {
        let sentence = "The client did not declare `sampling.context`; this asks for context that will not be added.";
        report.broken(CONTEXT_CAPABILITY, &Path::Root.key("includeContext"), &[sentence]);
    }
}

/// [`CONTEXT_DEPRECATED`]: schema 2026-07-28, CreateMessageRequestParams.includeContext.
fn context_deprecated(report: &mut Report<'_>) {
    if report.checks().context && !report.before(Revision::V2026_07_28) {
        let sentence = "Only none is not deprecated; leave `includeContext` out.";
        report.broken(CONTEXT_DEPRECATED, &Path::Root.key("includeContext"), &[sentence]);
    }
}
