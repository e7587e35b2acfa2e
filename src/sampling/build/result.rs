//! The answer to `sampling/createMessage`.

use super::history::content;
use super::parts::{Parts, ToolUses};
use super::text::{Open, Text};
use crate::sampling::StopReason;

/// A result. Its role is the assistant's, and its stop reason is `toolUse` if, and only if, it has tool uses.
#[derive(Clone, Debug)]
pub struct ResultBuilder {
    members: Open,
    stop_reason: Option<String>,
    has_uses: bool,
}

impl ResultBuilder {
    /// An answer without tool uses, by this model.
    pub fn new<'t>(model: impl Into<Text<'t>>, parts: Parts) -> Self {
        Self::of(model.into(), &parts.0, None)
    }

    /// An answer that waits for tools, by this model.
    pub fn uses<'t>(model: impl Into<Text<'t>>, uses: ToolUses) -> Self {
        Self::of(model.into(), &uses.blocks, Some(StopReason::ToolUse.as_str()))
    }

    /// Why the model stopped: one of [`StopReason`] or a word of the provider. Ignored if the answer has tool uses, and if
    /// it has none but the reason would say so.
    #[must_use]
    pub fn stop_reason<'t>(mut self, reason: impl Into<Text<'t>>) -> Self {
        let reason = reason.into();
        if !self.has_uses && reason.meaning() != StopReason::ToolUse.as_str().as_bytes() {
            self.stop_reason = Some(reason.token());
        }
        self
    }

    /// How many tokens the answer took, as `_meta.usage.outputTokens`.
    #[must_use]
    pub fn output_tokens(mut self, tokens: u32) -> Self {
        let usage = Open::object().raw("outputTokens", &tokens.to_string()).close();
        self.members = self.members.raw("_meta", &Open::object().raw("usage", &usage).close());
        self
    }

    /// The text of the result.
    pub fn build(self) -> String {
        self.stop_reason.iter().fold(self.members, |members, reason| members.raw("stopReason", reason)).close()
    }

    fn of(model: Text<'_>, blocks: &[String], stop_reason: Option<&str>) -> Self {
        let members = Open::object().raw("role", "\"assistant\"").raw("content", &content(blocks)).text("model", model);
        let token = stop_reason.map(|reason| Text::Plain(reason).token());
        Self { members, stop_reason: token, has_uses: stop_reason.is_some() }
    }
}
