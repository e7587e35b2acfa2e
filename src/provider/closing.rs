//! The end of an answer: the `CreateMessageResult`.

use crate::json::Kind;
use crate::lines;

use super::answer::Answer;
use super::body::{Json, find, next_word};
use super::end::stop_reason;
use super::usage::{at_place, line, write_usage};

/// The key in the `_meta` of a result that tells more than MCP has members for.
pub const ANSWER_KEY: &str = "io.github.mcp-sampling/answer";

impl Answer<'_> {
    /// The JSON text of the `CreateMessageResult`.
    pub(super) fn finish(&mut self) -> String {
        if self.count == 0 && self.state.has("emptyText") {
            self.any_block("{\"type\":\"text\",\"text\":\"\"", &[]);
        }
        if !self.pending.is_empty() && self.stopped.is_none() {
            self.drop_block("state", None, "no block follows that could carry it");
        }
        self.close_block();
        let mut json = Json::with_capacity(self.blocks.text().len() + 1024);
        // A block alone is written as such unless the server offered tools: only such servers read arrays for sure.
        let single = !self.state.has("tools") && self.count == 1;
        json.lit("{\"role\":\"assistant\",\"content\":");
        json.one(if single { "%r" } else { "[%r]" }, self.blocks.text());
        match self.find(line::MODEL).as_str().filter(|model| !model.is_empty()) {
            Some(model) => json.value("\"model\":%v", model.value()),
            None => json.one("\"model\":%q", &self.state.model()),
        }
        let reason = stop_reason(self.end, self.reason, self.stopped.is_some(), self.calls > 0);
        json.one("\"stopReason\":%q,\"_meta\":{", &reason);
        write_usage(&mut json, self.find(line::USAGE), self.places);
        json.two("\"%r\":{\"provider\":%q", ANSWER_KEY, self.state.provider.as_str());
        self.write_details(&mut json);
        json.finish()
    }

    fn write_details(&self, json: &mut Json) {
        if self.reason.is(Kind::String) {
            json.value("\"stopReason\":%v", self.reason);
        }
        let mut details = lines::at(self.places, line::DETAILS);
        while let (Some(name), Some(place)) = (next_word(&mut details), next_word(&mut details)) {
            let value = at_place(self.reply, place);
            let ours = name == "stopSequence" && self.stopped.is_some();
            if !value.is_null() && !ours && find(self.without, name).is_none() {
                json.two("\"%r\":%v", name, value.raw());
            }
        }
        if let Some(stop) = &self.stopped {
            json.one("\"stopSequence\":%q", stop);
        }
        if self.state.has("required") && self.calls == 0 {
            json.lit("\"toolChoiceUnmet\":true");
        }
        if !self.dropped.is_empty() {
            json.one("\"dropped\":[%r]", self.dropped.text());
        }
        json.lit("}}}");
    }
}
