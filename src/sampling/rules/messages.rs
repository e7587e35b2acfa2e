//! Messages and the balance of tool uses and results. client/sampling, Message Content Constraints.

use super::ids::{Blame, Entry, Ids, place};
use super::report::Report;
use super::shapes::MESSAGE;
use super::table::Rule;
use crate::json::{Kind, Path, Value};
use crate::revision::Revision;
use crate::sampling::{BlockType, Content};

/// Whose blocks these are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    Unknown,
    User,
    Assistant,
    /// The assistant, in a result.
    Model,
}

/// What is to be known of the blocks of one message or result.
pub(super) struct Turn<'d> {
    speaker: Speaker,
    pub(super) is_array: bool,
    pub(super) uses: Ids<'d>,
    results: Ids<'d>,
    /// The first block that is no tool result; without one, more than there are.
    first_other: usize,
}

impl Turn<'_> {
    #[inline(never)]
    fn new(speaker: Speaker) -> Self {
        Self { speaker, is_array: false, uses: Ids::default(), results: Ids::default(), first_other: usize::MAX }
    }
}

impl Report<'_> {
    /// Checks the history, each message once.
    pub(super) fn messages(&mut self, messages: Value<'_>, path: &Path<'_>) {
        let mut before = Turn::new(Speaker::Unknown);
        let mut count = 0;
        for message in messages.items() {
            let turn = self.message(message, &path.index(count));
            self.pairs(&before, &turn, count, path);
            before = turn;
            count += 1;
        }
        if count == 0 {
            self.remark(Rule::MessagesNotEmpty, path);
        }
        self.pairs(&before, &Turn::new(Speaker::Unknown), count, path);
    }

    fn message<'d>(&mut self, message: Value<'d>, path: &Path<'_>) -> Turn<'d> {
        self.object(Rule::MessageObject, MESSAGE, message, path);
        let (role, content) = (message.at("role"), message.at("content"));
        let speaker = match () {
            () if role.is_text("user") => Speaker::User,
            () if role.is_text("assistant") => Speaker::Assistant,
            () => Speaker::Unknown,
        };
        self.content(speaker, Rule::SingleBlock, content, &path.key("content"))
    }

    /// Checks the blocks of a content, if it is one.
    pub(super) fn content<'d>(
        &mut self,
        speaker: Speaker,
        one_block: Rule,
        content: Value<'d>,
        path: &Path<'_>,
    ) -> Turn<'d> {
        let mut turn = Turn::new(speaker);
        turn.is_array = content.kind() == Kind::Array;
        if !turn.is_array && content.kind() != Kind::Object {
            return turn;
        }
        if turn.is_array && self.before(Revision::V2025_11_25) {
            let sentence = "In revision % this must be one block, not an array.";
            self.broken(one_block, path, sentence, &[self.checks.revision.as_str()]);
        }
        let mut blocks = Content::new(content).blocks();
        let mut count = 0;
        while let Some(block) = blocks.next_value() {
            let path = place(path, turn.is_array, count);
            self.take(&mut turn, block, count, &path);
            count += 1;
        }
        turn.uses.sort("id");
        turn.results.sort("toolUseId");
        self.content_not_empty(count, path);
        if turn.first_other < count && speaker == Speaker::User && !turn.results.is_empty() {
            self.remark(Rule::ResultsAlone, &place(path, turn.is_array, turn.first_other));
        }
        turn
    }

    /// Checks a block and takes note of it.
    fn take<'d>(&mut self, turn: &mut Turn<'d>, block: Value<'d>, index: usize, path: &Path<'_>) {
        let found = self.block(true, block, path);
        if found == Some(BlockType::ToolUse) {
            turn.uses.list.push(Entry::new(index, block));
        }
        if found == Some(BlockType::ToolResult) {
            turn.results.list.push(Entry::new(index, block));
        } else {
            turn.first_other = turn.first_other.min(index);
        }
        let rule = match (found, turn.speaker) {
            (Some(BlockType::ToolUse), Speaker::User) => Rule::ToolUseRole,
            (Some(BlockType::ToolResult), Speaker::Assistant) => Rule::ToolResultRole,
            (Some(BlockType::ToolResult), Speaker::Model) => Rule::ResultNoToolResult,
            _ => return,
        };
        self.remark(rule, path);
    }

    pub(super) fn content_not_empty(&mut self, blocks: usize, path: &Path<'_>) {
        if blocks == 0 {
            self.remark(Rule::ContentNotEmpty, path);
        }
    }

    /// Checks the message number `index` against the one before it: which tool result answers which tool use. An empty
    /// turn stands for the end of the history.
    fn pairs(&mut self, before: &Turn<'_>, turn: &Turn<'_>, index: usize, messages: &Path<'_>) {
        // What stands in a message of the wrong role is reported there, and asks or answers nothing.
        let uses = if before.speaker == Speaker::User { Ids::NONE } else { &before.uses };
        let results = if turn.speaker == Speaker::Assistant { Ids::NONE } else { &turn.results };
        if uses.is_empty() && results.is_empty() && turn.uses.is_empty() {
            return;
        }
        let (earlier, this) = (messages.index(index.saturating_sub(1)), messages.index(index));
        let content = this.key("content");
        if results.is_empty() {
            if !uses.is_empty() {
                self.remark(Rule::UsesAnsweredNext, &earlier);
            }
        } else {
            self.blame(&USE_HAS_RESULT, uses, Some(results), &earlier.key("content"), before.is_array);
        }
        self.blame(&RESULT_MATCHES_USE, results, Some(uses), &content, turn.is_array);
        self.blame(&RESULT_UNIQUE, results, None, &content, turn.is_array);
        self.blame(&USE_ID_UNIQUE, &turn.uses, None, &content, turn.is_array);
    }
}

const USE_HAS_RESULT: Blame = Blame { rule: Rule::UseHasResult, key: "id", at_key: false };
const RESULT_MATCHES_USE: Blame = Blame { rule: Rule::ResultMatchesUse, key: "toolUseId", at_key: false };
const RESULT_UNIQUE: Blame = Blame { rule: Rule::ResultUnique, key: "toolUseId", at_key: false };
const USE_ID_UNIQUE: Blame = Blame { rule: Rule::UseIdUnique, key: "id", at_key: false };
