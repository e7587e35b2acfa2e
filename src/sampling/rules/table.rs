//! The rules as data: name, strength, where the specification says so, and what they demand.

use crate::lines;
use crate::sampling::Level;

/// How strongly a rule binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// The specification or its schema demands it, or it follows from them: always an error.
    Must,
    /// SHOULD, or advice where the specification is silent and peers fail: an error, or a warning if the checks are
    /// lenient.
    Advice,
    /// Worth telling: always a warning.
    Notice,
}

impl Strength {
    /// What a finding of this strength counts as.
    pub fn level(self, lenient: bool) -> Level {
        match self {
            Self::Must => Level::Error,
            Self::Advice if !lenient => Level::Error,
            Self::Advice | Self::Notice => Level::Warning,
        }
    }
}

/// A rule as documentation shows it.
#[derive(Clone, Copy, Debug)]
pub struct RuleInfo {
    /// The name that findings carry, in kebab case; it stays.
    pub name: &'static str,
    /// How strongly it binds.
    pub strength: Strength,
    /// The page and section of the specification, or the type and member of its schema.
    pub section: &'static str,
    /// What it demands.
    pub summary: &'static str,
}

macro_rules! rules {
    ($($id:ident $name:literal $strength:ident $section:literal $summary:literal $($words:literal)?;)*) => {
        /// A rule as the checks use it: its place in the table.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Rule(pub(super) u8);

        enum Place {
            $($id,)*
        }

        #[allow(non_upper_case_globals, reason = "they stand for the variants of an enum, which no byte can be made into")]
        impl Rule {
            $(#[doc = concat!($summary, " (", $section, ")")]
            pub(crate) const $id: Self = Self(Place::$id as u8);)*

            /// How strongly it binds.
            pub(super) fn strength(self) -> Strength {
                const STRENGTHS: &[Strength] = &[$(Strength::$strength),*];
                STRENGTHS.get(usize::from(self.0)).copied().unwrap_or(Strength::Must)
            }

            /// The name that findings carry.
            pub(super) fn name(self) -> &'static str {
                lines::at(concat!($($name, "\n"),*), usize::from(self.0))
            }

            /// The sentence that findings have or, for what must be an object, the words for it; empty where that is
            /// said of each member in the same way.
            pub(super) fn words(self) -> &'static str {
                lines::at(concat!($($($words,)? "\n"),*), usize::from(self.0))
            }
        }

        /// Every rule, in the order in which a request and then a result is checked.
        pub const RULES: &[RuleInfo] = &[
            $(RuleInfo { name: $name, strength: Strength::$strength, section: $section, summary: $summary }),*
        ];
    };
}

rules! {
    ParamsObject "params-object" Must "schema, CreateMessageRequest.params" "The params are an object."
        "an object";
    MaxTokensInteger "max-tokens-integer" Must "schema, CreateMessageRequestParams.maxTokens" "`maxTokens` is there, and a whole number of at most 2^53 - 1.";
    MaxTokensPositive "max-tokens-positive" Advice "advice: no model can sample less than one token" "`maxTokens` is at least 1."
        "`maxTokens` must be at least 1.";
    SystemPrompt "system-prompt" Must "schema, CreateMessageRequestParams.systemPrompt" "`systemPrompt` is a string.";
    Temperature "temperature" Must "schema, CreateMessageRequestParams.temperature" "`temperature` is a number.";
    StopSequences "stop-sequences" Must "schema, CreateMessageRequestParams.stopSequences" "`stopSequences` is an array of strings.";
    Metadata "metadata" Must "schema, CreateMessageRequestParams.metadata" "`metadata` is an object.";
    IncludeContext "include-context" Must "schema, CreateMessageRequestParams.includeContext" "`includeContext` is none, thisServer or allServers.";
    ModelPreferences "model-preferences" Must "client/sampling, Model Preferences" "`modelPreferences` is an object; its `hints` are objects whose `name`, if there, is a string."
        "an object such as {\"name\": \"…\"}";
    PriorityRange "priority-range" Must "client/sampling, Capability Priorities" "The three priorities are numbers from 0 to 1.";
    Meta "meta" Must "basic, _meta" "`_meta` is an object wherever it stands.";

    MessagesArray "messages-array" Must "schema, CreateMessageRequestParams.messages" "`messages` is there, and an array.";
    MessagesNotEmpty "messages-not-empty" Advice "advice: providers refuse it" "`messages` has at least one message."
        "There must be at least one message for the model to answer.";
    MessageObject "message-object" Must "schema, SamplingMessage" "Each message is an object."
        "a message object";
    MessageRole "message-role" Must "schema, SamplingMessage.role" "Each message has a `role`, user or assistant.";
    MessageContent "message-content" Must "schema, SamplingMessage.content" "Each message has a `content`: a block or an array of blocks.";
    SingleBlock "single-block" Must "schema 2025-06-18, SamplingMessage.content" "Before 2025-11-25, `content` is one block and no array.";
    ContentNotEmpty "content-not-empty" Advice "advice: providers refuse it, and it cannot answer a tool use" "An array of blocks has at least one block."
        "There must be at least one block; leave out a message without any.";

    BlockType "block-type" Must "schema, SamplingMessageContentBlock" "Each block is an object of type text, image, audio, tool_use or tool_result."
        "a block object";
    ToolBlockRevision "tool-block-revision" Must "changelog 2025-11-25, sampling with tools" "tool_use and tool_result blocks appear only from 2025-11-25 on."
        "Revision % has no % blocks; they came with 2025-11-25.";
    TextContent "text-content" Must "schema, TextContent" "A text block has a string `text`.";
    MediaContent "media-content" Must "schema, ImageContent and AudioContent" "An image or audio block has strings `data` and `mimeType`.";
    Base64Data "base64-data" Must "schema, ImageContent.data, AudioContent.data, BlobResourceContents.blob" "Bytes are in base64, in the standard alphabet."
        "This must be base64 in the standard alphabet, not the one for URLs.";
    ToolUseContent "tool-use-content" Must "schema, ToolUseContent" "A tool use has strings `id` and `name` and an object `input`.";
    ToolResultContent "tool-result-content" Must "schema, ToolResultContent" "A tool result has a string `toolUseId` and an array `content`; `isError`, if there, is a boolean.";
    ToolResultBlock "tool-result-block" Must "schema, ContentBlock" "A tool result holds objects of type text, image, audio, resource_link or resource."
        "a block object";
    StructuredContent "structured-content" Must "schema 2025-11-25, ToolResultContent.structuredContent" "Before 2026-07-28, `structuredContent` is an object.";
    ResourceLink "resource-link" Must "schema, ResourceLink" "A resource link has strings `uri` and `name`; its other members have the types of the schema.";
    EmbeddedResource "embedded-resource" Must "schema, EmbeddedResource" "An embedded resource has an object `resource` with a string `uri` and a string `text` or `blob`."
        "This must have a string `text` or a string `blob`.";
    Annotations "annotations" Must "schema, Annotations" "`annotations` has an `audience` of roles, a `priority` from 0 to 1 and a string `lastModified`, each optional."
        "Only user and assistant can be an audience.";
    Icons "icons" Must "schema, Icon" "`icons` are objects with a string `src`; `sizes` are strings, `theme` is light or dark."
        "an icon object";

    ToolUseRole "tool-use-role" Must "client/sampling, Tool Use and Result Balance" "tool_use appears only in messages of the assistant."
        "Only the assistant uses tools; this is a message of the user.";
    ToolResultRole "tool-result-role" Must "client/sampling, Tool Result Messages" "tool_result appears only in messages of the user."
        "Tool results come from the user; this is a message of the assistant.";
    ResultsAlone "results-alone" Must "client/sampling, Tool Result Messages" "A user message with a tool result holds nothing but tool results."
        "A message with tool results holds nothing else; move this block to a message of its own after it.";
    UsesAnsweredNext "uses-answered-next" Must "client/sampling, Tool Use and Result Balance" "An assistant message with tool uses is followed at once by a user message of tool results."
        "The next message must be one of the user with a tool result for each tool use in this one.";
    UseHasResult "use-has-result" Must "client/sampling, Tool Use and Result Balance" "Each tool use has its result in the very next message."
        "The tool use % has no result in the next message; add one.";
    ResultMatchesUse "result-matches-use" Must "schema, ToolResultContent.toolUseId" "Each tool result answers a tool use of the message before."
        "The result for % answers no tool use of the message before; put it right after its use.";
    UseIdUnique "use-id-unique" Advice "schema, ToolUseContent.id; advice: providers refuse it" "The tool uses of one message have different ids."
        "The id % is taken by an earlier tool use of this message; give each its own.";
    ResultUnique "result-unique" Advice "advice: providers refuse it" "No tool use has two results."
        "The tool use % has a result already; send one for each use.";

    ToolsArray "tools-array" Must "schema, CreateMessageRequestParams.tools" "`tools` is an array.";
    ToolDefinition "tool-definition" Must "schema, Tool" "Each tool is an object with a string `name`; its other members have the types of the schema."
        "a tool object";
    InputSchema "input-schema" Must "schema, Tool.inputSchema" "Each tool has an object `inputSchema` with `type` \"object\"; `properties` is an object, `required` an array of strings, `$schema` a string.";
    OutputSchema "output-schema" Must "schema, Tool.outputSchema" "`outputSchema` is an object and its `$schema` a string; before 2026-07-28 its `type` is \"object\".";
    ToolNamesUnique "tool-names-unique" Advice "advice: a call could mean either" "The tools have different names."
        "The name % is taken by an earlier tool; give each its own.";
    ToolChoice "tool-choice" Must "schema, ToolChoice" "`toolChoice` is an object; its `mode`, if there, is auto, required or none.";
    RequiredNeedsTools "required-needs-tools" Advice "advice: it cannot be obeyed" "`toolChoice` required comes with at least one tool."
        "A tool call is required but no tool is offered; send `tools`, or another mode.";

    ToolsCapability "tools-capability" Must "schema, CreateMessageRequestParams.tools; client/sampling, Capabilities" "`tools` comes only to a client that declared `sampling.tools`.";
    ToolChoiceCapability "tool-choice-capability" Must "schema, CreateMessageRequestParams.toolChoice; client/sampling, Capabilities" "`toolChoice` comes only to a client that declared `sampling.tools`.";
    ContextCapability "context-capability" Notice "client/sampling, Capabilities" "`includeContext` thisServer or allServers comes only to a client that declared `sampling.context`."
        "The client did not declare `sampling.context`; this asks for context that will not be added.";
    ContextDeprecated "context-deprecated" Notice "schema 2026-07-28, CreateMessageRequestParams.includeContext" "`includeContext` thisServer and allServers are deprecated."
        "Only none is not deprecated; leave `includeContext` out.";

    ResultObject "result-object" Must "schema, CreateMessageResult" "The result is an object."
        "an object with `role`, `content` and `model`";
    ResultRole "result-role" Must "schema, CreateMessageResult.role" "The result has a `role`, user or assistant.";
    ResultRoleAssistant "result-role-assistant" Advice "advice: the model speaks as the assistant" "The role of a result is assistant."
        "A model answers as the assistant.";
    ResultModel "result-model" Must "schema, CreateMessageResult.model" "The result has a string `model`.";
    ResultStopReason "result-stop-reason" Must "schema, CreateMessageResult.stopReason" "`stopReason` is a string, any string.";
    ResultContent "result-content" Must "schema, CreateMessageResult.content" "The result has a `content`: a block or an array of blocks.";
    ResultSingleBlock "result-single-block" Must "schema 2025-06-18, CreateMessageResult.content" "Before 2025-11-25, the content of a result is one block and no array.";
    ResultArrayNeedsTools "result-array-needs-tools" Advice "advice: servers of 2025-11-25 built on the TypeScript SDK refuse it" "In 2025-11-25, the content of a result is an array only if the request had tools."
        "Without tools in the request, servers of this revision expect one block, not an array.";
    ResultNoToolResult "result-no-tool-result" Must "client/sampling, Tool Result Messages" "A result holds no tool_result."
        "A model uses tools; it does not answer with their results.";
    ResultToolOffered "result-tool-offered" Must "client/sampling, Sampling with Tools" "Each tool use in a result names a tool of the request."
        "The request offers no tool %; use one of its `tools`, under its exact name.";
    ResultUseIdUnique "result-use-id-unique" Must "schema, ToolUseContent.id" "The tool uses of a result have different ids."
        "The id % is taken by an earlier tool use; give each its own.";
    ResultStopToolUse "result-stop-tool-use" Advice "schema, CreateMessageResult.stopReason" "`stopReason` is toolUse if, and only if, the result has a tool use; a cut or refused answer says that instead.";
    ResultChoiceNone "result-choice-none" Must "client/sampling, Tool Choice Modes" "With `toolChoice` none, the result has no tool use."
        "`toolChoice` is none, so there must be no tool use.";
    ResultChoiceRequired "result-choice-required" Must "client/sampling, Tool Choice Modes" "With `toolChoice` required, the result has a tool use."
        "`toolChoice` is required, so there must be at least one tool use.";
    ResultMaxTokens "result-max-tokens" Must "client/sampling, Model Preferences; schema, CreateMessageRequestParams.maxTokens" "The result took no more tokens than `maxTokens`, by `_meta.usage.outputTokens` or `_meta.usage.output_tokens` if one is there."
        "The answer took more tokens than the `maxTokens` of the request; pass that limit to the model.";
    ResultNoResultType "result-no-result-type" Notice "schema 2026-07-28, InputResponses" "The result has no `resultType`: the answer to an input request is bare."
        "The answer to an input request has no `resultType`; leave it out.";

    Inexpressible "inexpressible" Must "schema of the older revision, CreateMessageResult.content" "A result converted for an older revision loses nothing.";
    MoreFindings "more-findings" Must "advice: bounded memory" "No more than 100 findings are listed; this one closes the list."
        "There are more findings like these; mend the ones above and check again.";
}
