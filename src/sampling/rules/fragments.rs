//! The rules for parts of requests, for those who build them.

use super::report::Report;
use super::shapes::{OUTPUT, TOOL};
use super::table::Rule;
use crate::json::{Path, Value};
use crate::revision::Revision;
use crate::sampling::{BlockType, Checks, Content, Findings};

/// Those of the newest revision, with all that a client may declare.
pub(crate) const CHECKS: Checks = Checks { revision: Revision::LATEST, tools: true, context: true, lenient: false };

/// Which blocks a content may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judged {
    /// Text, image and audio.
    Parts,
    /// Also tool uses, and at least one.
    Uses,
}

/// Checks a content whose place in the history is known.
pub(crate) fn judge_content(content: Content<'_>, judged: Judged) -> Result<(), Findings> {
    judge(|report| {
        let mut blocks = content.blocks();
        let (mut count, mut uses) = (0, 0);
        while let Some(block) = blocks.next_value() {
            let path = Path::Root.index(count);
            let found = report.block(true, block, &path);
            uses += usize::from(found == Some(BlockType::ToolUse));
            let is_misplaced = found.is_some_and(|found| found.is_tool_block()) && judged == Judged::Parts;
            if is_misplaced || found == Some(BlockType::ToolResult) {
                report.broken(Rule::BlockType, &path, "A block of this type cannot stand here.", &[]);
            }
            count += 1;
        }
        report.content_not_empty(count, &Path::Root);
        if uses == 0 && judged == Judged::Uses {
            report.broken(Rule::BlockType, &Path::Root, "There must be at least one tool use here.", &[]);
        }
    })
}

/// Checks a tool.
pub(crate) fn judge_tool(tool: Value<'_>) -> Result<(), Findings> {
    judge(|report| {
        report.object(Rule::ToolDefinition, TOOL, tool, &Path::Root);
    })
}

/// Checks what a tool answered; it lacks only the id to be a tool result.
pub(crate) fn judge_tool_output(output: Value<'_>) -> Result<(), Findings> {
    judge(|report| report.members(OUTPUT, output, &Path::Root))
}

pub(crate) fn wrong_input(input: Value<'_>) -> Findings {
    let mut report = Report::new(&CHECKS);
    report.wrong(Rule::ToolUseContent, &Path::Root, "an object", input);
    report.finish()
}

pub(crate) fn wrong_metadata(metadata: Value<'_>) -> Findings {
    let mut report = Report::new(&CHECKS);
    report.wrong(Rule::Metadata, &Path::Root, "an object", metadata);
    report.finish()
}

fn judge(check: impl FnOnce(&mut Report<'_>)) -> Result<(), Findings> {
    let mut report = Report::new(&CHECKS);
    check(&mut report);
    let findings = report.finish();
    if findings.is_ok() { Ok(()) } else { Err(findings) }
}
