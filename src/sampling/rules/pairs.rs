//! Which tool result answers which tool use. client/sampling, Tool Use and Result Balance.

use std::borrow::Cow;

use super::report::{Report, shown};
use super::table::{RESULT_MATCHES_USE, RESULT_UNIQUE, Rule, USE_HAS_RESULT, USE_ID_UNIQUE, USES_ANSWERED_NEXT};
use crate::json::{JsonStr, Path, Value};
use crate::sampling::{BlockType, Role};

/// What the balance needs to know of one message.
#[derive(Default)]
pub(super) struct Turn<'d> {
    pub(super) index: usize,
    pub(super) role: Option<Role>,
    pub(super) is_array: bool,
    pub(super) uses: Vec<Id<'d>>,
    pub(super) results: Vec<Id<'d>>,
    /// The first block that is no tool result.
    pub(super) first_other: Option<usize>,
}

/// The id of a tool use or result; `None` where the block has none that could be compared.
pub(super) struct Id<'d> {
    pub(super) block: usize,
    pub(super) text: Option<JsonStr<'d>>,
}

impl<'d> Turn<'d> {
    /// Takes note of a block.
    pub(super) fn take(&mut self, found: Option<BlockType>, block: Value<'d>, index: usize) {
        let id = |name| Id { block: index, text: block.get(name).and_then(Value::as_str) };
        if found == Some(BlockType::ToolUse) {
            self.uses.push(id("id"));
        }
        if found == Some(BlockType::ToolResult) {
            self.results.push(id("toolUseId"));
        } else if self.first_other.is_none() {
            self.first_other = Some(index);
        }
    }

    fn place(&self, id: &Id<'_>) -> Place {
        Place { is_array: self.is_array, index: id.block }
    }

    fn blame(&self, id: &Id<'_>, messages: &Path<'_>, report: &mut Report<'_>, rule: Rule, words: [&str; 2]) {
        let Some(text) = id.text else { return };
        let message = messages.index(self.index);
        self.place(id).at(&message.key("content"), |path| {
            report.broken(rule, path, &[words[0], &shown(text), words[1]]);
        });
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
    let uses = if before.role == Some(Role::User) { Ids::default() } else { Ids::of(&before.uses) };
    let results = turn.filter(|turn| turn.role != Some(Role::Assistant)).map(|turn| Ids::of(&turn.results));
    let results = results.unwrap_or_default();
    if uses_answered_next(before, &uses, &results, messages, report) {
        use_has_result(before, &uses, &results, messages, report);
    }
    if let Some(turn) = turn {
        result_matches_use(turn, &uses, &results, messages, report);
        result_unique(turn, &results, messages, report);
        use_id_unique(turn, messages, report);
    }
}

/// [`USES_ANSWERED_NEXT`]: client/sampling, Tool Use and Result Balance. True if results follow at all.
fn uses_answered_next(
    before: &Turn<'_>,
    uses: &Ids<'_>,
    results: &Ids<'_>,
    messages: &Path<'_>,
    report: &mut Report<'_>,
) -> bool {
    if uses.count > 0 && results.count == 0 {
        let sentence = "The next message must be one of the user with a tool result for each tool use in this one.";
        report.broken(USES_ANSWERED_NEXT, &messages.index(before.index), &[sentence]);
    }
    results.count > 0
}

/// [`USE_HAS_RESULT`]: client/sampling, Tool Use and Result Balance.
fn use_has_result(turn: &Turn<'_>, uses: &Ids<'_>, results: &Ids<'_>, messages: &Path<'_>, report: &mut Report<'_>) {
    if uses.count == 0 {
        return;
    }
    let words = ["The tool use ", " has no result in the next message; add one."];
    for id in turn.uses.iter().filter(|id| !results.has(id)) {
        turn.blame(id, messages, report, USE_HAS_RESULT, words);
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
    if results.count == 0 {
        return;
    }
    let words = ["The result for ", " answers no tool use of the message before; put it right after its use."];
    for id in turn.results.iter().filter(|id| !uses.has(id)) {
        turn.blame(id, messages, report, RESULT_MATCHES_USE, words);
    }
}

/// [`RESULT_UNIQUE`]: advice.
fn result_unique(turn: &Turn<'_>, results: &Ids<'_>, messages: &Path<'_>, report: &mut Report<'_>) {
    let words = ["The tool use ", " has a result already; send one for each use."];
    for id in turn.results.iter().filter(|id| results.repeats(id)) {
        turn.blame(id, messages, report, RESULT_UNIQUE, words);
    }
}

/// [`USE_ID_UNIQUE`]: schema, ToolUseContent.id.
fn use_id_unique(turn: &Turn<'_>, messages: &Path<'_>, report: &mut Report<'_>) {
    let words = ["The id ", " is taken by an earlier tool use of this message; give each its own."];
    let ids = Ids::of(&turn.uses);
    for id in turn.uses.iter().filter(|id| ids.repeats(id)) {
        turn.blame(id, messages, report, USE_ID_UNIQUE, words);
    }
}

/// Ids, sorted: looking one up costs the logarithm of their number.
#[derive(Default)]
pub(super) struct Ids<'d> {
    count: usize,
    sorted: Vec<(Cow<'d, [u8]>, usize)>,
}

impl<'d> Ids<'d> {
    pub(super) fn of(ids: &[Id<'d>]) -> Self {
        let known = ids.iter().filter_map(|id| Some((id.text?.meaning(), id.block)));
        let mut sorted: Vec<_> = known.collect();
        sorted.sort_unstable();
        Self { count: ids.len(), sorted }
    }

    /// True if the id is among these. Where an id is missing, which is reported elsewhere, it could be: one mistake
    /// shall not look like two.
    pub(super) fn has(&self, id: &Id<'_>) -> bool {
        let all_known = self.sorted.len() == self.count;
        id.text.is_none_or(|text| !all_known || self.first(&text.meaning()).is_some())
    }

    /// True if an earlier block has the same id.
    pub(super) fn repeats(&self, id: &Id<'_>) -> bool {
        id.text.is_some_and(|text| self.first(&text.meaning()).is_some_and(|first| first < id.block))
    }

    fn first(&self, wanted: &[u8]) -> Option<usize> {
        let at = self.sorted.partition_point(|(id, _)| id.as_ref() < wanted);
        self.sorted.get(at).filter(|(id, _)| id.as_ref() == wanted).map(|(_, block)| *block)
    }
}
