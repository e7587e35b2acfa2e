//! Messages and the balance of tool uses and results. client/sampling, Message Content Constraints.

use super::blocks::message_block;
use super::member::{Members, Want, meta};
use super::pairs::{Place, Turn, pairs};
use super::params::of;
use super::report::Report;
use super::table::{
    CONTENT_NOT_EMPTY, MESSAGE_CONTENT, MESSAGE_OBJECT, MESSAGE_ROLE, MESSAGES_ARRAY, MESSAGES_NOT_EMPTY,
    RESULTS_ALONE, Rule, SINGLE_BLOCK, TOOL_RESULT_ROLE, TOOL_USE_ROLE,
};
use crate::json::{Kind, Path, Value};
use crate::revision::Revision;
use crate::sampling::{BlockType, Content, Role, SamplingMessage};

/// Checks the history, each message once.
pub(super) fn messages(params: Value<'_>, report: &mut Report<'_>) {
    let Some(messages) = messages_array(params, report) else { return };
    let root = Path::Root;
    let path = root.key("messages");
    messages_not_empty(messages, &path, report);
    let mut before = Turn::default();
    for (index, message) in messages.items().enumerate() {
        let turn = read_message(message, index, &path.index(index), report);
        pairs(&before, Some(&turn), &path, report);
        before = turn;
    }
    pairs(&before, None, &path, report);
}

/// [`MESSAGES_ARRAY`]: schema, CreateMessageRequestParams.messages.
fn messages_array<'d>(params: Value<'d>, report: &mut Report<'_>) -> Option<Value<'d>> {
    of(MESSAGES_ARRAY, params).required("messages", Want::Array, report)
}

/// [`MESSAGES_NOT_EMPTY`]: advice.
fn messages_not_empty(messages: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if messages.items().next().is_none() {
        report.broken(MESSAGES_NOT_EMPTY, path, &["There must be at least one message for the model to answer."]);
    }
}

fn read_message<'d>(message: Value<'d>, index: usize, path: &Path<'_>, report: &mut Report<'_>) -> Turn<'d> {
    let mut turn = Turn { index, ..Turn::default() };
    if !message_object(message, path, report) {
        return turn;
    }
    turn.role = message_role(message, path, report);
    meta(message, path, report);
    if let Some(content) = message_content(message, path, report) {
        turn.is_array = content.is_array();
        single_block(content, &path.key("content"), report);
        read_blocks(&mut turn, content, &path.key("content"), report);
        results_alone(&turn, path, report);
    }
    turn
}

/// [`MESSAGE_OBJECT`]: schema, SamplingMessage.
fn message_object(message: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) -> bool {
    let is_object = message.kind() == Kind::Object;
    if !is_object {
        report.wrong(MESSAGE_OBJECT, path, "a message object", message);
    }
    is_object
}

/// [`MESSAGE_ROLE`]: schema, SamplingMessage.role.
fn message_role(message: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) -> Option<Role> {
    role(MESSAGE_ROLE, message, path, report)
}

pub(super) fn role(rule: Rule, owner: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) -> Option<Role> {
    let role = SamplingMessage::new(owner).role();
    if role.is_none() {
        Members { rule, object: owner, path }.required("role", Want::OneOf(&["user", "assistant"]), report);
    }
    role
}

/// [`MESSAGE_CONTENT`]: schema, SamplingMessage.content.
fn message_content<'d>(message: Value<'d>, path: &Path<'_>, report: &mut Report<'_>) -> Option<Content<'d>> {
    content(MESSAGE_CONTENT, message, path, report)
}

pub(super) fn content<'d>(
    rule: Rule,
    owner: Value<'d>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) -> Option<Content<'d>> {
    let Some(content) = owner.get("content") else {
        report.broken(rule, path, &["`content` is missing; it must be a block or an array of blocks."]);
        return None;
    };
    if matches!(content.kind(), Kind::Object | Kind::Array) {
        return Some(Content::new(content));
    }
    report.wrong(rule, &path.key("content"), "a block or an array of blocks", content);
    None
}

/// [`SINGLE_BLOCK`]: schema 2025-06-18, SamplingMessage.content.
fn single_block(content: Content<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    one_block(SINGLE_BLOCK, content, path, report);
}

pub(super) fn one_block(rule: Rule, content: Content<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if content.is_array() && report.before(Revision::V2025_11_25) {
        let revision = report.checks().revision.as_str();
        report.broken(rule, path, &["In revision ", revision, " this must be one block, not an array."]);
    }
}

fn read_blocks<'d>(turn: &mut Turn<'d>, content: Content<'d>, path: &Path<'_>, report: &mut Report<'_>) {
    let mut blocks = content.blocks();
    let mut index = 0;
    while let Some(block) = blocks.next_value() {
        let path = if content.is_array() { path.index(index) } else { *path };
        let found = message_block(block, &path, report);
        turn.take(found, block, index);
        match found {
            Some(BlockType::ToolUse) => tool_use_role(turn.role, &path, report),
            Some(BlockType::ToolResult) => tool_result_role(turn.role, &path, report),
            _ => {}
        }
        index += 1;
    }
    turn.sort();
    content_not_empty(index, path, report);
}

/// [`CONTENT_NOT_EMPTY`]: advice.
pub(super) fn content_not_empty(blocks: usize, path: &Path<'_>, report: &mut Report<'_>) {
    if blocks == 0 {
        report.broken(CONTENT_NOT_EMPTY, path, &["There must be at least one block; leave out a message without any."]);
    }
}

/// [`TOOL_USE_ROLE`]: client/sampling, Tool Use and Result Balance.
fn tool_use_role(role: Option<Role>, path: &Path<'_>, report: &mut Report<'_>) {
    if role == Some(Role::User) {
        report.broken(TOOL_USE_ROLE, path, &["Only the assistant uses tools; this is a message of the user."]);
    }
}

/// [`TOOL_RESULT_ROLE`]: client/sampling, Tool Result Messages.
fn tool_result_role(role: Option<Role>, path: &Path<'_>, report: &mut Report<'_>) {
    if role == Some(Role::Assistant) {
        report.broken(
            TOOL_RESULT_ROLE,
            path,
            &["Tool results come from the user; this is a message of the assistant."],
        );
    }
}

/// [`RESULTS_ALONE`]: client/sampling, Tool Result Messages.
fn results_alone(turn: &Turn<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(first) = turn.first_other else { return };
    if turn.role == Some(Role::User) && !turn.results.is_empty() {
        let sentence =
            "A message with tool results holds nothing else; move this block to a message of its own after it.";
        Place { is_array: turn.is_array, index: first }.at(&path.key("content"), |path| {
            report.broken(RESULTS_ALONE, path, &[sentence]);
        });
    }
}
