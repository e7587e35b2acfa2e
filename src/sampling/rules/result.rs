//! What a model's answer must be, given the request. Schema, CreateMessageResult.

use super::ids::{Blame, Ids, place};
use super::messages::{Speaker, Turn};
use super::report::Report;
use super::shapes::{RESULT, RESULT_CONTENT};
use super::table::Rule;
use crate::json::{Kind, Path, Value};
use crate::revision::Revision;
use crate::sampling::CreateMessageResult;

const ROOT: Path<'_> = Path::Root;
const CONTENT: Path<'_> = Path::Key(&ROOT, "content");

const USE_ID_UNIQUE: Blame = Blame { rule: Rule::ResultUseIdUnique, key: "id", at_key: true };
const TOOL_OFFERED: Blame = Blame { rule: Rule::ResultToolOffered, key: "name", at_key: true };

impl Report<'_> {
    /// Checks a result against the params it answers.
    pub(super) fn result(&mut self, result: Value<'_>, params: Value<'_>) {
        if !self.object(Rule::ResultObject, RESULT, result, &ROOT) {
            return;
        }
        if result.get("resultType").is_some() {
            self.remark_at(Rule::ResultNoResultType, "resultType");
        }
        self.max_tokens(result, params);
        self.members(RESULT_CONTENT, result, &ROOT);
        let content = result.at("content");
        if content.is(Kind::Object) || content.is(Kind::Array) {
            self.array_needs_tools(content, params);
            let turn = self.content(Speaker::Model, Rule::ResultSingleBlock, content, &CONTENT);
            self.uses_allowed(turn, result, params);
        }
    }

    fn max_tokens(&mut self, result: Value<'_>, params: Value<'_>) {
        let used = CreateMessageResult::new(result).used_tokens().integer_or(i64::MIN);
        if used > params.at("maxTokens").integer_or(i64::MAX) {
            self.remark(Rule::ResultMaxTokens, &ROOT.key("_meta").key("usage"));
        }
    }

    fn array_needs_tools(&mut self, content: Value<'_>, params: Value<'_>) {
        let in_question = self.checks.revision == Revision::V2025_11_25 && content.is(Kind::Array);
        if in_question && params.get("tools").is_none() {
            self.remark(Rule::ResultArrayNeedsTools, &CONTENT);
        }
    }

    fn uses_allowed(&mut self, mut turn: Turn<'_>, result: Value<'_>, params: Value<'_>) {
        self.blame(&USE_ID_UNIQUE, &turn.uses, None, &CONTENT, turn.is_array);
        self.stop_tool_use(turn.uses.is_empty(), result.at("stopReason"));
        let mode = params.at("toolChoice").at("mode");
        if mode.is_text("none") {
            for entry in &turn.uses.list {
                self.remark(Rule::ResultChoiceNone, &place(&CONTENT, turn.is_array, entry.place));
            }
        } else if turn.uses.is_empty() && mode.is_text("required") {
            self.remark(Rule::ResultChoiceRequired, &CONTENT);
        }
        if !turn.uses.is_empty() {
            turn.uses.sort("name");
            let offered = Ids::of_tools(params.at("tools"));
            self.blame(&TOOL_OFFERED, &turn.uses, Some(&offered), &CONTENT, turn.is_array);
        }
    }

    fn stop_tool_use(&mut self, is_without: bool, reason: Value<'_>) {
        let says_so = reason.is_text("toolUse");
        // A cut or refused answer may hold complete tool uses all the same, and that it was cut matters more.
        let says_nothing = !reason.is(Kind::String) || reason.is_text("endTurn") || reason.is_text("stopSequence");
        let sentence = if says_so && is_without {
            "`stopReason` is toolUse but there is no tool use; give the reason why the model stopped."
        } else if says_nothing && !is_without {
            "There is a tool use, so `stopReason` must be toolUse."
        } else {
            return;
        };
        self.broken(Rule::ResultStopToolUse, &ROOT.key("stopReason"), sentence, &[]);
    }
}
