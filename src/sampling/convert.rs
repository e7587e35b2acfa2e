//! Results for older revisions.

use std::borrow::Cow;

use super::rules::{INEXPRESSIBLE, Report};
use super::{BlockType, Checks, Content, Findings};
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
    let checks = Checks { revision, tools: true, context: true, lenient: false };
    let mut report = Report::new(&checks);
    let content = result.get("content").map(Content::new).filter(|_| wants_single_block(params, revision));
    let block = content.and_then(|content| single_block(content, &mut report));
    let findings = report.finish();
    if !findings.is_ok() {
        return Err(findings);
    }
    Ok(match content.zip(block) {
        Some((content, block)) => Cow::Owned(result.with(content.value(), &block)),
        None => Cow::Borrowed(result.raw()),
    })
}

fn wants_single_block(params: Value<'_>, revision: Revision) -> bool {
    revision < Revision::V2025_11_25 || (revision == Revision::V2025_11_25 && params.get("tools").is_none())
}

/// The block to put in the place of an array, if it is one and can be one block.
fn single_block<'d>(content: Content<'d>, report: &mut Report<'_>) -> Option<Cow<'d, str>> {
    let path = Path::Root.key("content");
    if !content.is_array() {
        expressible(content.value(), &path, report);
        return None;
    }
    let count = content.value().items().count();
    let mut fits = count > 0;
    for (index, block) in content.value().items().enumerate() {
        let path = path.index(index);
        fits &= expressible(block, &path, report) && (count == 1 || joinable(block, &path, report));
    }
    match count {
        0 => {
            inexpressible(&path, "There must be one block here, and there is none.", report);
            None
        }
        1 => content.value().items().next().filter(|_| fits).map(|block| Cow::Borrowed(block.raw())),
        _ => fits.then(|| Cow::Owned(joined(content))),
    }
}

/// Tool blocks came with 2025-11-25, and there with tools in the request.
fn expressible(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) -> bool {
    let is_tool_block = BlockType::of(block).is_some_and(BlockType::is_tool_block);
    if is_tool_block {
        inexpressible(path, "The server did not offer tools, so it cannot be sent a tool block.", report);
    }
    !is_tool_block
}

fn joinable(block: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) -> bool {
    let is_text = BlockType::of(block) == Some(BlockType::Text);
    let is_plain = block.members().all(|(key, value)| key == "type" || (key == "text" && value.kind() == Kind::String));
    let sentence = match (is_text, is_plain) {
        (true, true) => return true,
        (true, false) => "Several text blocks would have to be joined, and this one's other members would be lost.",
        _ => "This revision takes one block, and only text blocks can be joined to one.",
    };
    inexpressible(path, sentence, report);
    false
}

fn joined(content: Content<'_>) -> String {
    let texts = content.value().items().filter_map(|block| block.get("text")?.as_str());
    let mut out = String::from("{\"type\":\"text\",\"text\":\"");
    out.extend(texts.map(|text| text.raw()));
    out.push_str("\"}");
    out
}

fn inexpressible(path: &Path<'_>, sentence: &str, report: &mut Report<'_>) {
    report.broken(INEXPRESSIBLE, path, &[sentence]);
}
