//! The tools a request offers, and the choice among them. Schema, Tool and ToolChoice.

use super::blocks::icons;
use super::ids::{Id, Ids};
use super::member::{Members, Want, meta};
use super::params::of;
use super::report::{Report, shown};
use super::table::{
    INPUT_SCHEMA, OUTPUT_SCHEMA, REQUIRED_NEEDS_TOOLS, TOOL_CHOICE, TOOL_DEFINITION, TOOL_NAMES_UNIQUE, TOOLS_ARRAY,
};
use crate::json::{Kind, Path, Value};
use crate::revision::Revision;
use crate::sampling::Tool;

/// Checks `tools` and `toolChoice`.
pub(super) fn tools(params: Value<'_>, report: &mut Report<'_>) {
    let tools = tools_array(params, report);
    let root = Path::Root;
    let path = root.key("tools");
    for (index, tool) in tools.iter().flat_map(|tools| tools.items()).enumerate() {
        tool_definition(tool, &path.index(index), report);
    }
    if let Some(tools) = tools {
        tool_names_unique(tools, &path, report);
    }
    let choice = tool_choice(params, report);
    required_needs_tools(params, choice, report);
}

/// [`TOOLS_ARRAY`]: schema, CreateMessageRequestParams.tools.
fn tools_array<'d>(params: Value<'d>, report: &mut Report<'_>) -> Option<Value<'d>> {
    of(TOOLS_ARRAY, params).optional("tools", Want::Array, report)
}

/// [`TOOL_DEFINITION`]: schema, Tool.
pub(super) fn tool_definition(tool: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if tool.kind() != Kind::Object {
        return report.wrong(TOOL_DEFINITION, path, "a tool object", tool);
    }
    let members = Members { rule: TOOL_DEFINITION, object: tool, path };
    members.required("name", Want::String, report);
    members.all_optional(&["title", "description"], Want::String, report);
    if let Some(object) = members.optional("annotations", Want::Object, report) {
        let path = path.key("annotations");
        let hints = Members { rule: TOOL_DEFINITION, object, path: &path };
        hints.optional("title", Want::String, report);
        let names = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
        hints.all_optional(&names, Want::Bool, report);
    }
    input_schema(tool, path, report);
    output_schema(tool, path, report);
    icons(tool, path, report);
    meta(tool, path, report);
}

/// [`INPUT_SCHEMA`]: schema, Tool.inputSchema.
fn input_schema(tool: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: INPUT_SCHEMA, object: tool, path };
    let Some(object) = members.required("inputSchema", Want::Object, report) else { return };
    let path = path.key("inputSchema");
    let members = Members { rule: INPUT_SCHEMA, object, path: &path };
    object_type(&members, report);
    members.optional("$schema", Want::String, report);
    members.optional("properties", Want::Object, report);
    members.optional("required", Want::Strings, report);
}

/// [`OUTPUT_SCHEMA`]: schema, Tool.outputSchema.
fn output_schema(tool: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: OUTPUT_SCHEMA, object: tool, path };
    let Some(object) = members.optional("outputSchema", Want::Object, report) else { return };
    let path = path.key("outputSchema");
    let members = Members { rule: OUTPUT_SCHEMA, object, path: &path };
    members.optional("$schema", Want::String, report);
    if report.before(Revision::V2026_07_28) {
        object_type(&members, report);
    }
}

fn object_type(schema: &Members<'_, '_>, report: &mut Report<'_>) {
    schema.required("type", Want::OneOf(&["object"]), report);
}

/// [`TOOL_NAMES_UNIQUE`]: advice.
fn tool_names_unique(tools: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for name in tool_names(tools).repeated() {
        let shown = name.text.map(shown).unwrap_or_default();
        let sentence = ["The name ", &shown, " is taken by an earlier tool; give each its own."];
        report.broken(TOOL_NAMES_UNIQUE, &path.index(name.place).key("name"), &sentence);
    }
}

/// The names of tools, with their places.
pub(super) fn tool_names(tools: Value<'_>) -> Ids<'_> {
    let id = |(place, tool): (usize, _)| Id { place, text: Tool::new(tool).name() };
    tools.items().enumerate().map(id).collect()
}

/// [`TOOL_CHOICE`]: schema, ToolChoice.
fn tool_choice<'d>(params: Value<'d>, report: &mut Report<'_>) -> Option<Value<'d>> {
    let root = Path::Root;
    let object = of(TOOL_CHOICE, params).optional("toolChoice", Want::Object, report)?;
    let members = Members { rule: TOOL_CHOICE, object, path: &root.key("toolChoice") };
    members.optional("mode", Want::OneOf(&["auto", "required", "none"]), report)
}

/// [`REQUIRED_NEEDS_TOOLS`]: advice.
fn required_needs_tools(params: Value<'_>, mode: Option<Value<'_>>, report: &mut Report<'_>) {
    let has_tools = params.get("tools").is_some_and(|tools| tools.items().next().is_some());
    if !has_tools && mode.and_then(Value::as_str).is_some_and(|mode| mode == "required") {
        let sentence = "A tool call is required but no tool is offered; send `tools`, or another mode.";
        report.broken(REQUIRED_NEEDS_TOOLS, &Path::Root.key("toolChoice"), &[sentence]);
    }
}
