//! Blocks by themselves: their types and members. Schema, SamplingMessageContentBlock and ContentBlock.

use super::base64::is_base64;
use super::member::{Members, Want, meta};
use super::report::{Report, shown};
use super::table::{
    ANNOTATIONS, BASE64_DATA, BLOCK_TYPE, EMBEDDED_RESOURCE, ICONS, MEDIA_CONTENT, RESOURCE_LINK, Rule,
    STRUCTURED_CONTENT, TEXT_CONTENT, TOOL_BLOCK_REVISION, TOOL_RESULT_BLOCK, TOOL_RESULT_CONTENT, TOOL_USE_CONTENT,
};
use crate::json::{Kind, Path, Value};
use crate::revision::Revision;
use crate::sampling::BlockType;

const ROLES: &[&str] = &["user", "assistant"];

/// Checks a block of a message or result by itself and returns its type, if it may stand there.
pub(super) fn message_block(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) -> Option<BlockType> {
    let found = block_type(block, path, report)?;
    if found.is_tool_block() && report.before(Revision::V2025_11_25) {
        tool_block_revision(found, path, report);
        return None;
    }
    match found {
        BlockType::ToolUse => tool_use_content(block, path, report),
        BlockType::ToolResult => tool_result_content(block, path, report),
        _ => plain_block(found, block, path, report),
    }
    Some(found)
}

/// [`BLOCK_TYPE`]: schema, SamplingMessageContentBlock.
fn block_type(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) -> Option<BlockType> {
    let expected = "text, image, audio, tool_use or tool_result";
    known_type(BLOCK_TYPE, expected, BlockType::in_message, block, path, report)
}

/// [`TOOL_BLOCK_REVISION`]: changelog 2025-11-25, sampling with tools.
fn tool_block_revision(found: BlockType, path: &Path<'_>, report: &mut Report<'_>) {
    let revision = report.checks().revision.as_str();
    let sentence = ["Revision ", revision, " has no ", found.as_str(), " blocks; they came with 2025-11-25."];
    report.broken(TOOL_BLOCK_REVISION, path, &sentence);
}

fn known_type(
    rule: Rule,
    expected: &str,
    allowed: fn(BlockType) -> bool,
    block: Value<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) -> Option<BlockType> {
    let found = BlockType::of(block).filter(|found| allowed(*found));
    if found.is_none() {
        wrong_type(rule, expected, block, path, report);
    }
    found
}

fn wrong_type(rule: Rule, expected: &str, block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if block.kind() != Kind::Object {
        return report.wrong(rule, path, "a block object", block);
    }
    let members = Members { rule, object: block, path };
    if let Some(text) = members.required("type", Want::String, report).and_then(Value::as_str) {
        let sentence = ["A block here has one of the types ", expected, ", not ", &shown(text), "."];
        report.broken(rule, &path.key("type"), &sentence);
    }
}

fn plain_block(found: BlockType, block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    match found {
        BlockType::Text => text_content(block, path, report),
        BlockType::ResourceLink => resource_link(block, path, report),
        BlockType::Resource => embedded_resource(block, path, report),
        _ => media_content(block, path, report),
    }
    annotations(block, path, report);
    meta(block, path, report);
}

/// [`TEXT_CONTENT`]: schema, TextContent.
fn text_content(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    Members { rule: TEXT_CONTENT, object: block, path }.required("text", Want::String, report);
}

/// [`MEDIA_CONTENT`]: schema, ImageContent and AudioContent.
fn media_content(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: MEDIA_CONTENT, object: block, path };
    if let Some(data) = members.required("data", Want::String, report) {
        base64_data(data, &path.key("data"), report);
    }
    members.required("mimeType", Want::String, report);
}

/// [`BASE64_DATA`]: schema, ImageContent.data, AudioContent.data, BlobResourceContents.blob.
fn base64_data(data: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if !data.as_str().is_some_and(|text| is_base64(&text.meaning())) {
        report.broken(BASE64_DATA, path, &["This must be base64 in the standard alphabet, not the one for URLs."]);
    }
}

/// [`TOOL_USE_CONTENT`]: schema, ToolUseContent.
fn tool_use_content(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: TOOL_USE_CONTENT, object: block, path };
    members.required("id", Want::String, report);
    members.required("name", Want::String, report);
    members.required("input", Want::Object, report);
    meta(block, path, report);
}

/// [`TOOL_RESULT_CONTENT`]: schema, ToolResultContent.
fn tool_result_content(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    Members { rule: TOOL_RESULT_CONTENT, object: block, path }.required("toolUseId", Want::String, report);
    tool_output(block, path, report);
}

/// A tool result but for its id.
pub(super) fn tool_output(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: TOOL_RESULT_CONTENT, object: block, path };
    members.optional("isError", Want::Bool, report);
    if let Some(content) = members.required("content", Want::Array, report) {
        let content_path = path.key("content");
        for (index, block) in content.items().enumerate() {
            tool_result_block(block, &content_path.index(index), report);
        }
    }
    structured_content(block, path, report);
    meta(block, path, report);
}

/// [`TOOL_RESULT_BLOCK`]: schema, ContentBlock.
fn tool_result_block(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let expected = "text, image, audio, resource_link or resource";
    if let Some(found) = known_type(TOOL_RESULT_BLOCK, expected, BlockType::in_tool_result, block, path, report) {
        plain_block(found, block, path, report);
    }
}

/// [`STRUCTURED_CONTENT`]: schema 2025-11-25, ToolResultContent.structuredContent.
fn structured_content(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if report.before(Revision::V2026_07_28) {
        Members { rule: STRUCTURED_CONTENT, object: block, path }.optional("structuredContent", Want::Object, report);
    }
}

/// [`RESOURCE_LINK`]: schema, ResourceLink.
fn resource_link(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: RESOURCE_LINK, object: block, path };
    members.required("uri", Want::String, report);
    members.required("name", Want::String, report);
    members.all_optional(&["title", "description", "mimeType"], Want::String, report);
    members.optional("size", Want::Integer, report);
    icons(block, path, report);
}

/// [`EMBEDDED_RESOURCE`]: schema, EmbeddedResource.
fn embedded_resource(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: EMBEDDED_RESOURCE, object: block, path };
    let Some(resource) = members.required("resource", Want::Object, report) else { return };
    let path = path.key("resource");
    let members = Members { rule: EMBEDDED_RESOURCE, object: resource, path: &path };
    members.required("uri", Want::String, report);
    members.optional("mimeType", Want::String, report);
    // Either will do; a `text` that is a string decides, so that a stray `blob` is only an unknown member.
    if resource.get("text").and_then(Value::as_str).is_none() {
        match resource.get("blob") {
            Some(blob) if blob.kind() == Kind::String => base64_data(blob, &path.key("blob"), report),
            _ => report.broken(EMBEDDED_RESOURCE, &path, &["This must have a string `text` or a string `blob`."]),
        }
    }
    meta(resource, &path, report);
}

/// [`ANNOTATIONS`]: schema, Annotations.
fn annotations(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let outer = Members { rule: ANNOTATIONS, object: block, path };
    let Some(object) = outer.optional("annotations", Want::Object, report) else { return };
    let path = path.key("annotations");
    let members = Members { rule: ANNOTATIONS, object, path: &path };
    members.optional("priority", Want::UnitNumber, report);
    members.optional("lastModified", Want::String, report);
    if let Some(audience) = members.optional("audience", Want::Strings, report) {
        let is_role = |item: Value<'_>| item.as_str().is_some_and(|text| ROLES.iter().any(|role| text == *role));
        if !audience.items().all(is_role) {
            report.broken(ANNOTATIONS, &path.key("audience"), &["Only user and assistant can be an audience."]);
        }
    }
}

/// [`ICONS`]: schema, Icon.
pub(super) fn icons(owner: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let outer = Members { rule: ICONS, object: owner, path };
    let Some(icons) = outer.optional("icons", Want::Array, report) else { return };
    let path = path.key("icons");
    for (index, object) in icons.items().enumerate() {
        icon(object, &path.index(index), report);
    }
}

fn icon(object: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if object.kind() != Kind::Object {
        return report.wrong(ICONS, path, "an icon object", object);
    }
    let members = Members { rule: ICONS, object, path };
    members.required("src", Want::String, report);
    members.optional("mimeType", Want::String, report);
    members.optional("sizes", Want::Strings, report);
    members.optional("theme", Want::OneOf(&["light", "dark"]), report);
}
