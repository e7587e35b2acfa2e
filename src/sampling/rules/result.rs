//! What a model's answer must be, given the request. Schema, CreateMessageResult.

use super::blocks::message_block;
use super::ids::{Id, Ids};
use super::member::{Want, meta};
use super::messages::{content, content_not_empty, one_block, role};
use super::pairs::Place;
use super::params::of;
use super::report::{Report, shown};
use super::table::{
    RESULT_ARRAY_NEEDS_TOOLS, RESULT_CHOICE_NONE, RESULT_CHOICE_REQUIRED, RESULT_CONTENT, RESULT_MAX_TOKENS,
    RESULT_MODEL, RESULT_NO_RESULT_TYPE, RESULT_NO_TOOL_RESULT, RESULT_OBJECT, RESULT_ROLE, RESULT_ROLE_ASSISTANT,
    RESULT_SINGLE_BLOCK, RESULT_STOP_REASON, RESULT_STOP_TOOL_USE, RESULT_TOOL_OFFERED, RESULT_USE_ID_UNIQUE,
};
use super::tools::tool_names;
use crate::json::{Kind, Path, Value};
use crate::revision::Revision;
use crate::sampling::{BlockType, Content, CreateMessageRequestParams, CreateMessageResult, Role, ToolChoiceMode};

/// Checks a result against the params it answers.
pub(super) fn result(result: Value<'_>, params: Value<'_>, report: &mut Report<'_>) {
    if !result_object(result, report) {
        return;
    }
    result_role(result, report);
    result_model(result, report);
    result_stop_reason(result, report);
    result_no_result_type(result, report);
    result_max_tokens(result, params, report);
    meta(result, &Path::Root, report);
    if let Some(content) = result_content(result, report) {
        let path = Path::Root.key("content");
        result_single_block(content, &path, report);
        result_array_needs_tools(content, params, &path, report);
        let uses = read_blocks(content, &path, report);
        uses_allowed(&uses, result, params, report);
    }
}

/// [`RESULT_OBJECT`]: schema, CreateMessageResult.
fn result_object(result: Value<'_>, report: &mut Report<'_>) -> bool {
    let is_object = result.kind() == Kind::Object;
    if !is_object {
        report.wrong(RESULT_OBJECT, &Path::Root, "an object with `role`, `content` and `model`", result);
    }
    is_object
}

/// [`RESULT_ROLE`]: schema, CreateMessageResult.role.
fn result_role(result: Value<'_>, report: &mut Report<'_>) {
    if role(RESULT_ROLE, result, &Path::Root, report) == Some(Role::User) {
        result_role_assistant(report);
    }
}

/// [`RESULT_ROLE_ASSISTANT`]: advice.
fn result_role_assistant(report: &mut Report<'_>) {
    report.broken(RESULT_ROLE_ASSISTANT, &Path::Root.key("role"), &["A model answers as the assistant."]);
}

/// [`RESULT_MODEL`]: schema, CreateMessageResult.model.
fn result_model(result: Value<'_>, report: &mut Report<'_>) {
    of(RESULT_MODEL, result).required("model", Want::String, report);
}

/// [`RESULT_STOP_REASON`]: schema, CreateMessageResult.stopReason.
fn result_stop_reason(result: Value<'_>, report: &mut Report<'_>) {
    of(RESULT_STOP_REASON, result).optional("stopReason", Want::String, report);
}

/// [`RESULT_NO_RESULT_TYPE`]: schema 2026-07-28, InputResponses.
fn result_no_result_type(result: Value<'_>, report: &mut Report<'_>) {
    if result.get("resultType").is_some() {
        let sentence = "The answer to an input request has no `resultType`; leave it out.";
        report.broken(RESULT_NO_RESULT_TYPE, &Path::Root.key("resultType"), &[sentence]);
    }
}

/// [`RESULT_MAX_TOKENS`]: schema, CreateMessageRequestParams.maxTokens.
fn result_max_tokens(result: Value<'_>, params: Value<'_>, report: &mut Report<'_>) {
    let used = CreateMessageResult::new(result).output_tokens().and_then(|tokens| tokens.as_safe_integer());
    let most = CreateMessageRequestParams::new(params).max_tokens().and_then(|tokens| tokens.as_safe_integer());
    if used.zip(most).is_some_and(|(used, most)| used > most) {
        let sentence = "The answer took more tokens than the `maxTokens` of the request; pass that limit to the model.";
        report.broken(RESULT_MAX_TOKENS, &Path::Root.key("_meta").key("usage"), &[sentence]);
    }
}

/// [`RESULT_CONTENT`]: schema, CreateMessageResult.content.
fn result_content<'d>(result: Value<'d>, report: &mut Report<'_>) -> Option<Content<'d>> {
    content(RESULT_CONTENT, result, &Path::Root, report)
}

/// [`RESULT_SINGLE_BLOCK`]: schema 2025-06-18, CreateMessageResult.content.
fn result_single_block(content: Content<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    one_block(RESULT_SINGLE_BLOCK, content, path, report);
}

/// [`RESULT_ARRAY_NEEDS_TOOLS`]: advice.
fn result_array_needs_tools(content: Content<'_>, params: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let in_question = report.checks().revision == Revision::V2025_11_25;
    if in_question && content.is_array() && params.get("tools").is_none() {
        let sentence = "Without tools in the request, servers of this revision expect one block, not an array.";
        report.broken(RESULT_ARRAY_NEEDS_TOOLS, path, &[sentence]);
    }
}

/// The tool uses of a result, with what says where they are.
struct Uses<'d> {
    ids: Ids<'d>,
    names: Ids<'d>,
    is_array: bool,
}

fn read_blocks<'d>(content: Content<'d>, path: &Path<'_>, report: &mut Report<'_>) -> Uses<'d> {
    let mut uses = Uses { ids: Ids::default(), names: Ids::default(), is_array: content.is_array() };
    let mut blocks = content.blocks();
    let mut index = 0;
    while let Some(value) = blocks.next_value() {
        let path = if content.is_array() { path.index(index) } else { *path };
        let id = |name| Id { place: index, text: value.get(name).and_then(Value::as_str) };
        match message_block(value, &path, report) {
            Some(BlockType::ToolUse) => {
                uses.ids.push(id("id"));
                uses.names.push(id("name"));
            }
            Some(BlockType::ToolResult) => result_no_tool_result(&path, report),
            _ => {}
        }
        index += 1;
    }
    uses.ids.sort();
    uses.names.sort();
    content_not_empty(index, path, report);
    uses
}

/// [`RESULT_NO_TOOL_RESULT`]: client/sampling, Tool Result Messages.
fn result_no_tool_result(path: &Path<'_>, report: &mut Report<'_>) {
    report.broken(RESULT_NO_TOOL_RESULT, path, &["A model uses tools; it does not answer with their results."]);
}

fn uses_allowed(uses: &Uses<'_>, result: Value<'_>, params: Value<'_>, report: &mut Report<'_>) {
    result_use_id_unique(uses, report);
    result_stop_tool_use(uses, result, report);
    match CreateMessageRequestParams::new(params).tool_choice_mode() {
        ToolChoiceMode::None => result_choice_none(uses, report),
        ToolChoiceMode::Required => result_choice_required(uses, report),
        ToolChoiceMode::Auto => {}
    }
    result_tool_offered(uses, params, report);
}

impl Uses<'_> {
    fn at(&self, id: &Id<'_>, act: impl FnOnce(&Path<'_>)) {
        Place { is_array: self.is_array, index: id.place }.at(&Path::Root.key("content"), act);
    }
}

/// [`RESULT_TOOL_OFFERED`]: client/sampling, Sampling with Tools.
fn result_tool_offered(uses: &Uses<'_>, params: Value<'_>, report: &mut Report<'_>) {
    if uses.names.is_empty() {
        return;
    }
    let offered = params.get("tools").map(tool_names).unwrap_or_default();
    for name in uses.names.not_in(&offered) {
        let shown = name.text.map(shown).unwrap_or_default();
        let sentence = ["The request offers no tool ", &shown, "; use one of its `tools`, under its exact name."];
        uses.at(name, |path| report.broken(RESULT_TOOL_OFFERED, &path.key("name"), &sentence));
    }
}

/// [`RESULT_USE_ID_UNIQUE`]: schema, ToolUseContent.id.
fn result_use_id_unique(uses: &Uses<'_>, report: &mut Report<'_>) {
    for id in uses.ids.repeated() {
        let shown = id.text.map(shown).unwrap_or_default();
        let sentence = ["The id ", &shown, " is taken by an earlier tool use; give each its own."];
        uses.at(id, |path| report.broken(RESULT_USE_ID_UNIQUE, &path.key("id"), &sentence));
    }
}

/// [`RESULT_STOP_TOOL_USE`]: schema, CreateMessageResult.stopReason.
fn result_stop_tool_use(uses: &Uses<'_>, result: Value<'_>, report: &mut Report<'_>) {
    let reason = CreateMessageResult::new(result).stop_reason();
    let says_so = reason.is_some_and(|reason| reason == "toolUse");
    // A cut or refused answer may hold complete tool uses all the same, and that it was cut matters more.
    let says_why = reason.is_some_and(|reason| !(reason == "endTurn" || reason == "stopSequence" || says_so));
    if says_why {
        return;
    }
    let sentence = match (says_so, uses.ids.is_empty()) {
        (true, true) => "`stopReason` is toolUse but there is no tool use; give the reason why the model stopped.",
        (false, false) => "There is a tool use, so `stopReason` must be toolUse.",
        _ => return,
    };
    report.broken(RESULT_STOP_TOOL_USE, &Path::Root.key("stopReason"), &[sentence]);
}

/// [`RESULT_CHOICE_NONE`]: client/sampling, Tool Choice Modes.
fn result_choice_none(uses: &Uses<'_>, report: &mut Report<'_>) {
    for id in uses.ids.iter() {
        let sentence = "`toolChoice` is none, so there must be no tool use.";
        uses.at(id, |path| report.broken(RESULT_CHOICE_NONE, path, &[sentence]));
    }
}

/// [`RESULT_CHOICE_REQUIRED`]: client/sampling, Tool Choice Modes.
fn result_choice_required(uses: &Uses<'_>, report: &mut Report<'_>) {
    if uses.ids.is_empty() {
        let sentence = "`toolChoice` is required, so there must be at least one tool use.";
        report.broken(RESULT_CHOICE_REQUIRED, &Path::Root.key("content"), &[sentence]);
    }
}
