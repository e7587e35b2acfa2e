//! The params of `sampling/createMessage`.

use super::content::SamplingMessage;
use super::tool::{Tool, ToolChoice, ToolChoiceMode};
use super::view::{FromValue, List, views, words};
use crate::json::{JsonStr, Number, Value};

words! {
    /// Which servers' context to add to the prompt (schema, CreateMessageRequestParams.includeContext).
    IncludeContext {
        /// None; also what absence means.
        None = "none",
        /// That of the server that asks. Deprecated in 2026-07-28.
        ThisServer = "thisServer",
        /// That of all connected servers. Deprecated in 2026-07-28.
        AllServers = "allServers",
    }
}

views! {
    /// What a server asks a model to do (schema, CreateMessageRequestParams).
    CreateMessageRequestParams {
        /// The history, oldest first.
        messages: "messages" => List<'d, SamplingMessage<'d>>;
        /// Which model the server would like.
        model_preferences: "modelPreferences" => ModelPreferences<'d>;
        /// The system prompt; the client may change it or leave it out.
        system_prompt: "systemPrompt" => JsonStr<'d>;
        /// Whose context to add.
        include_context: "includeContext" => IncludeContext;
        /// How freely the model chooses its words.
        temperature: "temperature" => Number<'d>;
        /// The most tokens to sample.
        max_tokens: "maxTokens" => Number<'d>;
        /// Texts that end the answer.
        stop_sequences: "stopSequences" => List<'d, JsonStr<'d>>;
        /// Passed on to the provider; an object.
        metadata: "metadata" => Value<'d>;
        /// The tools the model may use.
        tools: "tools" => List<'d, Tool<'d>>;
        /// How it shall choose among them.
        tool_choice: "toolChoice" => ToolChoice<'d>;
        /// Metadata of the request itself.
        meta: "_meta" => Value<'d>;
    }

    /// Which model the server would like; always advice (schema, ModelPreferences).
    ModelPreferences {
        /// Names, the most wanted first.
        hints: "hints" => List<'d, ModelHint<'d>>;
        /// How much low cost matters, from 0 to 1.
        cost_priority: "costPriority" => Number<'d>;
        /// How much speed matters, from 0 to 1.
        speed_priority: "speedPriority" => Number<'d>;
        /// How much intelligence matters, from 0 to 1.
        intelligence_priority: "intelligencePriority" => Number<'d>;
    }

    /// A name, or a part of one (schema, ModelHint).
    ModelHint {
        /// A part of a model's name.
        name: "name" => JsonStr<'d>;
    }
}

impl CreateMessageRequestParams<'_> {
    /// The mode of [`Self::tool_choice`], with its default.
    pub fn tool_choice_mode(self) -> ToolChoiceMode {
        self.tool_choice().and_then(ToolChoice::mode).unwrap_or(ToolChoiceMode::Auto)
    }
}
