//! The answer to `sampling/createMessage`.

use super::content::{Content, Role};
use super::view::{FromValue, views, words};
use crate::json::{JsonStr, Number, Value};

words! {
    /// The reasons to stop that the schema names. [`CreateMessageResult::stop_reason`] may hold any other text.
    StopReason {
        /// The model was done.
        EndTurn = "endTurn",
        /// One of the stop sequences came.
        StopSequence = "stopSequence",
        /// The most tokens were reached.
        MaxTokens = "maxTokens",
        /// The model waits for tools.
        ToolUse = "toolUse",
    }
}

views! {
    /// What the model answered (schema, CreateMessageResult).
    CreateMessageResult {
        /// Who speaks: the assistant.
        role: "role" => Role;
        /// What is said: one block or several.
        content: "content" => Content<'d>;
        /// The model that was used.
        model: "model" => JsonStr<'d>;
        /// Why it stopped; one of [`StopReason`] or a word of the provider.
        stop_reason: "stopReason" => JsonStr<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }
}

impl<'d> CreateMessageResult<'d> {
    /// How many tokens the answer took, by `_meta.usage.outputTokens` or, spelled as providers do,
    /// `_meta.usage.output_tokens`. The specification has no member for this; these two are this library's own.
    pub fn output_tokens(self) -> Option<Number<'d>> {
        self.used_tokens().as_number()
    }

    /// As [`Self::output_tokens`], whatever it is.
    pub(crate) fn used_tokens(self) -> Value<'d> {
        let usage = self.0.at("_meta").at("usage");
        usage.get("outputTokens").unwrap_or_else(|| usage.at("output_tokens"))
    }
}
