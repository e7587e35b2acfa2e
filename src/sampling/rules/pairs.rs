//! Which tool result answers which tool use. client/sampling, Tool Use and Result Balance.

use super::ids::{Id, Ids};
use super::report::{Report, shown};
use super::table::{RESULT_MATCHES_USE, RESULT_UNIQUE, Rule, USE_HAS_RESULT, USE_ID_UNIQUE, USES_ANSWERED_NEXT};
use crate::json::{Path, Value};
use crate::sampling::{BlockType, Role};

/// What the balance needs to know of one message.
#[derive(Default)]
pub(super) struct Turn<'d> {
    pub(super) index: usize,
    pub(super) role: Option<Role>,
    pub(super) is_array: bool,
    pub(super) uses: Ids<'d>,
    pub(super) results: Ids<'d>,
    /// The first block that is no tool result.
    pub(super) first_other: Option<usize>,
}

impl<'d> Turn<'d> {
    /// Takes note of a block.
    pub(super) fn take(&mut self, found: Option<BlockType>, block: Value<'d>, place: usize) {
        let id = |name| Id { place, text: block.get(name).and_then(Value::as_str) };
        if found == Some(BlockType::ToolUse) {
            self.uses.push(id("id"));
        }
        if found == Some(BlockType::ToolResult) {
            self.results.push(id("toolUseId"));
        } else if self.first_other.is_none() {
            self.first_other = Some(place);
        }
    }

    /// To be called after the last block.
    pub(super) fn sort(&mut self) {
        for ids in [&mut self.uses, &mut self.results] {
            ids.sort();
        }
    }

    /// Blames blocks of this message for breaking a rule; their id stands between the words.
    fn blame(&self, ids: &[&Id<'_>], rule: Rule, words: [&str; 2], messages: &Path<'_>, report: &mut Report<'_>) {
        let message = messages.index(self.index);
        for id in ids {
            let shown = id.text.map(shown).unwrap_or_default();
            Place { is_array: self.is_array, index: id.place }.at(&message.key("content"), |path| {
                report.broken(rule, path, &[words[0], &shown, words[1]]);
            });
        }
    }
}

/// Where a block stands in a content that may be the block itself.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) is_array: bool,
    pub(super) index: usize,
}

impl Place {
    pub(super) fn at(self, content: &Path<'_>, act: impl FnOnce(&Path<'_>)) {
        if self.is_array { act(&content.index(self.index)) } else { act(content) }
    }
}

/// Checks one message against the one before it; `None` for the end of the history.
pub(super) fn pairs(before: &Turn<'_>, turn: Option<&Turn<'_>>, messages: &Path<'_>, report: &mut Report<'_>) {
    // What stands in a message of the wrong role is reported there, and asks or answers nothing.
    let none = Ids::default();
    let uses = if before.role == Some(Role::User) { &none } else { &before.uses };
    let results = turn.filter(|turn| turn.role != Some(Role::Assistant)).map_or(&none, |turn| &turn.results);
    if uses.is_empty() && results.is_empty() && turn.is_none_or(|turn| turn.uses.is_empty()) {
        return;
    }
    uses_answered_next(before, uses, results, messages, report);
    use_has_result(before, uses, results, messages, report);
    if let Some(turn) = turn {
        result_matches_use(turn, uses, results, messages, report);
        result_unique(turn, results, messages, report);
        use_id_unique(turn, messages, report);
    }
}

/// [`USES_ANSWERED_NEXT`]: client/sampling, Tool Use and Result Balance.
fn uses_answered_next(
    before: &Turn<'_>,
    uses: &Ids<'_>,
    results: &Ids<'_>,
    messages: &Path<'_>,
    report: &mut Report<'_>,
) {
    if !uses.is_empty() && results.is_empty() {
        let sentence = "The next message must be one of the user with a tool result for each tool use in this one.";
        report.broken(USES_ANSWERED_NEXT, &messages.index(before.index), &[sentence]);
    }
}

/// [`USE_HAS_RESULT`]: client/sampling, Tool Use and Result Balance.
fn use_has_result(before: &Turn<'_>, uses: &Ids<'_>, results: &Ids<'_>, messages: &Path<'_>, report: &mut Report<'_>) {
    // Without any result, the rule above has said so, once.
    if !results.is_empty() {
        let words = ["The tool use ", " has no result in the next message; add one."];
        before.blame(&uses.not_in(results), USE_HAS_RESULT, words, messages, report);
    }
}

/// [`RESULT_MATCHES_USE`]: schema, ToolResultContent.toolUseId.
fn result_matches_use(
    turn: &Turn<'_>,
    uses: &Ids<'_>,
    results: &Ids<'_>,
    messages: &Path<'_>,
    report: &mut Report<'_>,
) {
    let words = ["The result for ", " answers no tool use of the message before; put it right after its use."];
    turn.blame(&results.not_in(uses), RESULT_MATCHES_USE, words, messages, report);
}

/// [`RESULT_UNIQUE`]: advice.
fn result_unique(turn: &Turn<'_>, results: &Ids<'_>, messages: &Path<'_>, report: &mut Report<'_>) {
    let words = ["The tool use ", " has a result already; send one for each use."];
    turn.blame(&results.repeated(), RESULT_UNIQUE, words, messages, report);
}

/// [`USE_ID_UNIQUE`]: schema, ToolUseContent.id.
fn use_id_unique(turn: &Turn<'_>, messages: &Path<'_>, report: &mut Report<'_>) {
    let words = ["The id ", " is taken by an earlier tool use of this message; give each its own."];
    turn.blame(&turn.uses.repeated(), USE_ID_UNIQUE, words, messages, report);
}
