//! The schema as data: the members of each object, the rule they answer to, and what they must be.

use super::table::Rule;
use crate::json::Kind;
use crate::lines;

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Text,
    Bool,
    Number,
    Integer,
    Unit,
    Object,
    Array,
    Texts,
    Content,
    Role,
    Context,
    Mode,
    Theme,
    TypeObject,
}

impl Want {
    /// The only kind it may be; of two, the one that is not more common.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Text | Self::Role | Self::Context | Self::Mode | Self::Theme | Self::TypeObject => Kind::String,
            Self::Bool => Kind::Bool,
            Self::Number | Self::Integer | Self::Unit => Kind::Number,
            Self::Object => Kind::Object,
            Self::Array | Self::Texts | Self::Content => Kind::Array,
        }
    }

    /// What it must be, for people.
    pub(super) fn phrase(self) -> &'static str {
        const PHRASES: &str = "a string\na boolean\na number\na whole number of at most 2^53 - 1\na number from 0 to 1\n\
                               an object\nan array\nan array of strings\na block or an array of blocks\n\
                               user or assistant\nnone or thisServer or allServers\nauto or required or none\n\
                               light or dark\nobject\n";
        lines::at(PHRASES, self as usize)
    }

    /// The only words it may be, if it is a word.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Role => "user\nassistant\n",
            Self::Context => "none\nthisServer\nallServers\n",
            Self::Mode => "auto\nrequired\nnone\n",
            Self::Theme => "light\ndark\n",
            Self::TypeObject => "object\n",
            _ => "",
        }
    }
}

/// Whether a member must be there. The last two are for revisions before 2026-07-28, and no demand after.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    May,
    Must,
    MayOnce,
    MustOnce,
}

/// What is checked further in a member that is what it must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Nothing,
    Positive,
    Assistant,
    Base64,
    Audience,
    Resource,
    Messages,
    OutputBlocks,
    Tools,
    Preferences,
    Hints,
    Annotations,
    Icons,
    ToolAnnotations,
    InputSchema,
    OutputSchema,
    Choice,
}

impl Then {
    /// The members of the object, or of each object in the array.
    pub(super) fn members(self) -> &'static [Member] {
        match self {
            Self::Tools => TOOL,
            Self::Preferences => PREFERENCES,
            Self::Hints => HINT,
            Self::Annotations => ANNOTATIONS,
            Self::Icons => ICON,
            Self::ToolAnnotations => TOOL_ANNOTATIONS,
            Self::InputSchema => INPUT_SCHEMA,
            Self::OutputSchema => OUTPUT_SCHEMA,
            Self::Choice => CHOICE,
            _ => &[],
        }
    }
}

/// A member of an object.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) want: Want,
    pub(super) when: When,
    pub(super) then: Then,
}

impl Member {
    const fn then(self, then: Then) -> Self {
        Self { then, ..self }
    }

    const fn once(self) -> Self {
        let when = if matches!(self.when, When::Must) { When::MustOnce } else { When::MayOnce };
        Self { when, ..self }
    }
}

pub(super) const fn must(rule: Rule, name: &'static str, want: Want) -> Member {
    Member { name, rule, want, when: When::Must, then: Then::Nothing }
}

const fn may(rule: Rule, name: &'static str, want: Want) -> Member {
    Member { name, rule, want, when: When::May, then: Then::Nothing }
}

/// basic, `_meta`
pub(super) const META: Member = may(Rule::Meta, "_meta", Want::Object);
const HINTS_ON_USE: Member = may(Rule::Annotations, "annotations", Want::Object).then(Then::Annotations);
const PICTURES: Member = may(Rule::Icons, "icons", Want::Array).then(Then::Icons);

/// CreateMessageRequestParams
pub(super) const REQUEST: &[Member] = &[
    must(Rule::MaxTokensInteger, "maxTokens", Want::Integer).then(Then::Positive),
    may(Rule::SystemPrompt, "systemPrompt", Want::Text),
    may(Rule::Temperature, "temperature", Want::Number),
    may(Rule::StopSequences, "stopSequences", Want::Texts),
    may(Rule::Metadata, "metadata", Want::Object),
    may(Rule::IncludeContext, "includeContext", Want::Context),
    may(Rule::ModelPreferences, "modelPreferences", Want::Object).then(Then::Preferences),
    META,
    must(Rule::MessagesArray, "messages", Want::Array).then(Then::Messages),
    may(Rule::ToolsArray, "tools", Want::Array).then(Then::Tools),
    may(Rule::ToolChoice, "toolChoice", Want::Object).then(Then::Choice),
];

const PREFERENCES: &[Member] = &[
    may(Rule::ModelPreferences, "hints", Want::Array).then(Then::Hints),
    may(Rule::PriorityRange, "costPriority", Want::Unit),
    may(Rule::PriorityRange, "speedPriority", Want::Unit),
    may(Rule::PriorityRange, "intelligencePriority", Want::Unit),
];

const HINT: &[Member] = &[may(Rule::ModelPreferences, "name", Want::Text)];

/// SamplingMessage
pub(super) const MESSAGE: &[Member] =
    &[must(Rule::MessageRole, "role", Want::Role), META, must(Rule::MessageContent, "content", Want::Content)];

/// CreateMessageResult, but for what the request decides
pub(super) const RESULT: &[Member] = &[
    must(Rule::ResultRole, "role", Want::Role).then(Then::Assistant),
    must(Rule::ResultModel, "model", Want::Text),
    may(Rule::ResultStopReason, "stopReason", Want::Text),
];
pub(super) const RESULT_CONTENT: &[Member] = &[META, must(Rule::ResultContent, "content", Want::Content)];

/// TextContent
pub(super) const TEXT: &[Member] = &[must(Rule::TextContent, "text", Want::Text), HINTS_ON_USE, META];

/// ImageContent and AudioContent
pub(super) const MEDIA: &[Member] = &[
    must(Rule::MediaContent, "data", Want::Text).then(Then::Base64),
    must(Rule::MediaContent, "mimeType", Want::Text),
    HINTS_ON_USE,
    META,
];

/// ToolUseContent
pub(super) const TOOL_USE: &[Member] = &[
    must(Rule::ToolUseContent, "id", Want::Text),
    must(Rule::ToolUseContent, "name", Want::Text),
    must(Rule::ToolUseContent, "input", Want::Object),
    META,
];

/// ToolResultContent
pub(super) const TOOL_RESULT: &[Member] =
    &[must(Rule::ToolResultContent, "toolUseId", Want::Text), OUTPUT[0], OUTPUT[1], OUTPUT[2], META];

/// ToolResultContent but for its id
pub(super) const OUTPUT: &[Member; 4] = &[
    may(Rule::ToolResultContent, "isError", Want::Bool),
    must(Rule::ToolResultContent, "content", Want::Array).then(Then::OutputBlocks),
    may(Rule::StructuredContent, "structuredContent", Want::Object).once(),
    META,
];

/// ResourceLink
pub(super) const RESOURCE_LINK: &[Member] = &[
    must(Rule::ResourceLink, "uri", Want::Text),
    must(Rule::ResourceLink, "name", Want::Text),
    may(Rule::ResourceLink, "title", Want::Text),
    may(Rule::ResourceLink, "description", Want::Text),
    may(Rule::ResourceLink, "mimeType", Want::Text),
    may(Rule::ResourceLink, "size", Want::Integer),
    PICTURES,
    HINTS_ON_USE,
    META,
];

/// EmbeddedResource
pub(super) const EMBEDDED: &[Member] =
    &[must(Rule::EmbeddedResource, "resource", Want::Object).then(Then::Resource), HINTS_ON_USE, META];

/// ResourceContents, but for the contents
pub(super) const RESOURCE: &[Member] =
    &[must(Rule::EmbeddedResource, "uri", Want::Text), may(Rule::EmbeddedResource, "mimeType", Want::Text)];

const ANNOTATIONS: &[Member] = &[
    may(Rule::Annotations, "priority", Want::Unit),
    may(Rule::Annotations, "lastModified", Want::Text),
    may(Rule::Annotations, "audience", Want::Texts).then(Then::Audience),
];

const ICON: &[Member] = &[
    must(Rule::Icons, "src", Want::Text),
    may(Rule::Icons, "mimeType", Want::Text),
    may(Rule::Icons, "sizes", Want::Texts),
    may(Rule::Icons, "theme", Want::Theme),
];

/// Tool
pub(super) const TOOL: &[Member] = &[
    must(Rule::ToolDefinition, "name", Want::Text),
    may(Rule::ToolDefinition, "title", Want::Text),
    may(Rule::ToolDefinition, "description", Want::Text),
    may(Rule::ToolDefinition, "annotations", Want::Object).then(Then::ToolAnnotations),
    must(Rule::InputSchema, "inputSchema", Want::Object).then(Then::InputSchema),
    may(Rule::OutputSchema, "outputSchema", Want::Object).then(Then::OutputSchema),
    PICTURES,
    META,
];

const TOOL_ANNOTATIONS: &[Member] = &[
    may(Rule::ToolDefinition, "title", Want::Text),
    may(Rule::ToolDefinition, "readOnlyHint", Want::Bool),
    may(Rule::ToolDefinition, "destructiveHint", Want::Bool),
    may(Rule::ToolDefinition, "idempotentHint", Want::Bool),
    may(Rule::ToolDefinition, "openWorldHint", Want::Bool),
];

const INPUT_SCHEMA: &[Member] = &[
    must(Rule::InputSchema, "type", Want::TypeObject),
    may(Rule::InputSchema, "$schema", Want::Text),
    may(Rule::InputSchema, "properties", Want::Object),
    may(Rule::InputSchema, "required", Want::Texts),
];

const OUTPUT_SCHEMA: &[Member] =
    &[may(Rule::OutputSchema, "$schema", Want::Text), must(Rule::OutputSchema, "type", Want::TypeObject).once()];

const CHOICE: &[Member] = &[may(Rule::ToolChoice, "mode", Want::Mode)];
