//! The params of `sampling/createMessage`.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use super::BuildError;
use super::history::History;
use super::text::{Open, Text, array, thousandths};
use crate::json::{JsonStr, Kind, Value};
use crate::sampling::rules::{judge_tool, wrong_metadata};
use crate::sampling::{IncludeContext, ToolChoiceMode};

/// The params of a request.
#[derive(Clone, Debug)]
pub struct RequestBuilder {
    members: Open,
    stop_sequences: Vec<String>,
    max_tokens: NonZeroU32,
}

impl RequestBuilder {
    /// A request to go on with this history, with at most so many tokens.
    pub fn new(history: History, max_tokens: NonZeroU32) -> Self {
        let members = Open::object().raw("messages", &history.to_json());
        Self { members, stop_sequences: Vec::new(), max_tokens }
    }

    /// The system prompt.
    #[must_use]
    pub fn system_prompt<'t>(self, text: impl Into<Text<'t>>) -> Self {
        self.member("systemPrompt", &text.into().token())
    }

    /// The temperature, in thousandths.
    #[must_use]
    pub fn temperature(self, value: u32) -> Self {
        self.member("temperature", &thousandths(value))
    }

    /// A text that ends the answer. May be called more than once.
    #[must_use]
    pub fn stop_sequence<'t>(mut self, text: impl Into<Text<'t>>) -> Self {
        self.stop_sequences.push(text.into().token());
        self
    }

    /// What to pass on to the provider.
    ///
    /// # Errors
    ///
    /// [`BuildError::Invalid`] if it is not an object.
    pub fn metadata(self, value: Value<'_>) -> Result<Self, BuildError> {
        if !value.is(Kind::Object) {
            return Err(BuildError::Invalid(wrong_metadata(value)));
        }
        Ok(self.member("metadata", value.raw()))
    }

    /// Whose context to add.
    #[must_use]
    pub fn include_context(self, context: IncludeContext) -> Self {
        self.member("includeContext", &Text::Plain(context.as_str()).token())
    }

    /// Which model is wanted.
    #[must_use]
    pub fn model_preferences(self, preferences: Preferences) -> Self {
        self.member("modelPreferences", &preferences.to_json())
    }

    /// The tools the model may use, and how it chooses. Only for clients that declared `sampling.tools`.
    #[must_use]
    pub fn tools(self, tools: Tools, choice: ToolChoiceMode) -> Self {
        let choice = Open::object().text("mode", Text::Plain(choice.as_str())).close();
        self.member("tools", &array(&tools.tools)).member("toolChoice", &choice)
    }

    /// The text of the params.
    pub fn build(self) -> String {
        let stops = self.stop_sequences;
        let members = if stops.is_empty() { self.members } else { self.members.raw("stopSequences", &array(&stops)) };
        members.raw("maxTokens", &self.max_tokens.to_string()).close()
    }

    fn member(mut self, name: &str, json: &str) -> Self {
        self.members = self.members.raw(name, json);
        self
    }
}

/// Which model is wanted. Priorities are in thousandths; more than 1000 counts as 1000.
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    hints: Vec<String>,
    priorities: [Option<u32>; 3],
}

impl Preferences {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A part of a model's name; the first hint is the most wanted.
    #[must_use]
    pub fn hint<'t>(mut self, name: impl Into<Text<'t>>) -> Self {
        self.hints.push(Open::object().text("name", name.into()).close());
        self
    }

    /// How much low cost, speed and intelligence matter.
    #[must_use]
    pub fn priorities(mut self, cost: Option<u32>, speed: Option<u32>, intelligence: Option<u32>) -> Self {
        self.priorities = [cost, speed, intelligence];
        self
    }

    fn to_json(&self) -> String {
        let hints =
            if self.hints.is_empty() { Open::object() } else { Open::object().raw("hints", &array(&self.hints)) };
        let names = ["costPriority", "speedPriority", "intelligencePriority"];
        let given = names.into_iter().zip(self.priorities).filter_map(|(name, value)| Some((name, value?)));
        given.fold(hints, |members, (name, value)| members.raw(name, &thousandths(value.min(1000)))).close()
    }
}

/// Tools with different names, at least one.
#[derive(Clone, Debug)]
pub struct Tools {
    tools: Vec<String>,
    names: BTreeSet<Vec<u8>>,
}

impl Tools {
    /// One tool: its name, what it does, and the JSON Schema of its arguments.
    ///
    /// # Errors
    ///
    /// [`BuildError::Invalid`] if the schema is not an object of `type` "object".
    pub fn new<'t>(
        name: impl Into<Text<'t>>,
        description: impl Into<Text<'t>>,
        input_schema: Value<'_>,
    ) -> Result<Self, BuildError> {
        let (name, description) = (name.into(), description.into());
        let tool = Open::object().text("name", name).text("description", description);
        let tool = tool.raw("inputSchema", input_schema.raw()).close();
        // The text is JSON by its making, so that parsing it again cannot fail.
        if let Ok(document) = crate::json::Document::from_text(tool.clone()) {
            judge_tool(document.root()).map_err(BuildError::Invalid)?;
        }
        Ok(Self { tools: vec![tool], names: [name.meaning()].into() })
    }

    /// One tool from elsewhere, an entry of `tools/list` perhaps, as it is.
    ///
    /// # Errors
    ///
    /// [`BuildError::Invalid`] if it is no valid tool.
    pub fn copied(tool: Value<'_>) -> Result<Self, BuildError> {
        judge_tool(tool).map_err(BuildError::Invalid)?;
        let name = tool.get("name").and_then(Value::as_str).map(|name: JsonStr<'_>| name.meaning().into_owned());
        Ok(Self { tools: vec![tool.raw().to_owned()], names: name.into_iter().collect() })
    }

    /// These, then those.
    ///
    /// # Errors
    ///
    /// [`BuildError::Taken`] if both have one name.
    pub fn and(mut self, those: Self) -> Result<Self, BuildError> {
        for name in those.names {
            if let Some(twin) = self.names.replace(name) {
                return Err(BuildError::Taken(String::from_utf8_lossy(&twin).chars().take(60).collect()));
            }
        }
        self.tools.extend(those.tools);
        Ok(self)
    }
}
