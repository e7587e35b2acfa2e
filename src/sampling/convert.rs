//! Results for older revisions.

use std::borrow::Cow;

use super::rules::{CHECKS, Report, Rule};
use super::{BlockType, Content, Findings};
use crate::json::{Kind, Path, Value};
use crate::revision::Revision;

/// A result as `revision` wants it, given the `params` it answers: the same text where nothing is to be done.
///
/// Before 2025-11-25, and in 2025-11-25 if the request had no tools, the content is one block: an array of one is
/// unwrapped, several text blocks are joined to one as they follow each other. What has no type of content is left for
/// [`check_result`](super::check_result) to judge.
///
/// # Errors
///
/// The findings, of rule `inexpressible`, say which block the older revision cannot carry: tool uses, several blocks that
/// are not all text, or text blocks with members beside their text that joining would lose.
pub fn to_revision<'d>(result: Value<'d>, params: Value<'_>, revision: Revision) -> Result<Cow<'d, str>, Findings> {
    Ok(changed(result, params, revision)?.map_or_else(|| Cow::Borrowed(result.raw()), Cow::Owned))
}

/// As [`to_revision`], nothing where nothing is to be done.
pub(crate) fn changed(result: Value<'_>, params: Value<'_>, revision: Revision) -> Result<Option<String>, Findings> {
    let content = result.at("content");
    let wants_single_block =
        revision < Revision::V2025_11_25 || (revision == Revision::V2025_11_25 && params.at("tools").is_missing());
    if !wants_single_block || content.is_missing() {
        return Ok(None);
    }
    let mut report = Report::new(&CHECKS);
    let mut items = content.items();
    let (first, is_one) = (items.next(), items.next().is_none());
    let joined = joined(content, is_one, &mut report);
    let findings = report.finish();
    if !findings.is_ok() {
        return Err(findings);
    }
    Ok(first.map(|first| result.with(content, if is_one { first.raw() } else { &joined })))
}

/// Joins several blocks to one, and blames those that cannot be expressed as one.
fn joined(content: Value<'_>, is_one: bool, report: &mut Report<'_>) -> String {
    let mut out = String::from("{\"type\":\"text\",\"text\":\"");
    let root = Path::Root;
    let path = root.key("content");
    let mut blocks = Content::new(content).blocks();
    let mut count = 0;
    while let Some(block) = blocks.next_value() {
        let path = if content.is(Kind::Array) { path.index(count) } else { path };
        count += 1;
        let kind = BlockType::of(block);
        // Tool blocks came with 2025-11-25, and there with tools in the request.
        let sentence = if kind.is_some_and(BlockType::is_tool_block) {
            "The server did not offer tools, so it cannot be sent a tool block."
        } else if is_one {
            continue;
        } else if kind != Some(BlockType::Text) {
            "This revision takes one block, and only text blocks can be joined to one."
        } else if !is_plain(block) {
            "Several text blocks would have to be joined, and this one's other members would be lost."
        } else {
            out.push_str(block.at("text").inside());
            continue;
        };
        report.broken(Rule::Inexpressible, &path, sentence, &[]);
    }
    if count == 0 {
        report.broken(Rule::Inexpressible, &path, "There must be one block here, and there is none.", &[]);
    }
    out.push_str("\"}");
    out
}

/// True for a text block without members that joining would lose.
fn is_plain(block: Value<'_>) -> bool {
    for (key, value) in block.members() {
        if !(key == "type" || (key == "text" && value.is(Kind::String))) {
            return false;
        }
    }
    true
}
