//! The rules as data: name, strength, where the specification says so, and what they demand.

use crate::sampling::Level;

/// A rule as the checks use it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) strength: Strength,
}

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
    ($($id:ident $name:literal $strength:ident $section:literal $summary:literal;)*) => {
        $(#[doc = concat!($summary, " (", $section, ")")]
        pub(crate) const $id: Rule = Rule { name: $name, strength: Strength::$strength };)*

        /// Every rule, in the order in which a request and then a result is checked.
        pub const RULES: &[RuleInfo] = &[
            $(RuleInfo { name: $name, strength: Strength::$strength, section: $section, summary: $summary }),*
        ];
    };
}

rules! {
    PARAMS_OBJECT "params-object" Must "schema, CreateMessageRequest.params" "The params are an object.";
    MAX_TOKENS_INTEGER "max-tokens-integer" Must "schema, CreateMessageRequestParams.maxTokens" "`maxTokens` is there, and a whole number of at most 2^53 - 1.";
    MAX_TOKENS_POSITIVE "max-tokens-positive" Advice "advice: no model can sample less than one token" "`maxTokens` is at least 1.";
    SYSTEM_PROMPT "system-prompt" Must "schema, CreateMessageRequestParams.systemPrompt" "`systemPrompt` is a string.";
    TEMPERATURE "temperature" Must "schema, CreateMessageRequestParams.temperature" "`temperature` is a number.";
    STOP_SEQUENCES "stop-sequences" Must "schema, CreateMessageRequestParams.stopSequences" "`stopSequences` is an array of strings.";
    METADATA "metadata" Must "schema, CreateMessageRequestParams.metadata" "`metadata` is an object.";
    INCLUDE_CONTEXT "include-context" Must "schema, CreateMessageRequestParams.includeContext" "`includeContext` is none, thisServer or allServers.";
    MODEL_PREFERENCES "model-preferences" Must "client/sampling, Model Preferences" "`modelPreferences` is an object; its `hints` are objects whose `name`, if there, is a string.";
    PRIORITY_RANGE "priority-range" Must "client/sampling, Capability Priorities" "The three priorities are numbers from 0 to 1.";
    META "meta" Must "basic, _meta" "`_meta` is an object wherever it stands.";

    MESSAGES_ARRAY "messages-array" Must "schema, CreateMessageRequestParams.messages" "`messages` is there, and an array.";
    MESSAGES_NOT_EMPTY "messages-not-empty" Advice "advice: providers refuse it" "`messages` has at least one message.";
    MESSAGE_OBJECT "message-object" Must "schema, SamplingMessage" "Each message is an object.";
    MESSAGE_ROLE "message-role" Must "schema, SamplingMessage.role" "Each message has a `role`, user or assistant.";
    MESSAGE_CONTENT "message-content" Must "schema, SamplingMessage.content" "Each message has a `content`: a block or an array of blocks.";
    SINGLE_BLOCK "single-block" Must "schema 2025-06-18, SamplingMessage.content" "Before 2025-11-25, `content` is one block and no array.";
    CONTENT_NOT_EMPTY "content-not-empty" Advice "advice: providers refuse it, and it cannot answer a tool use" "An array of blocks has at least one block.";

    BLOCK_TYPE "block-type" Must "schema, SamplingMessageContentBlock" "Each block is an object of type text, image, audio, tool_use or tool_result.";
    TOOL_BLOCK_REVISION "tool-block-revision" Must "changelog 2025-11-25, sampling with tools" "tool_use and tool_result blocks appear only from 2025-11-25 on.";
    TEXT_CONTENT "text-content" Must "schema, TextContent" "A text block has a string `text`.";
    MEDIA_CONTENT "media-content" Must "schema, ImageContent and AudioContent" "An image or audio block has strings `data` and `mimeType`.";
    BASE64_DATA "base64-data" Must "schema, ImageContent.data, AudioContent.data, BlobResourceContents.blob" "Bytes are in base64, in the standard alphabet.";
    TOOL_USE_CONTENT "tool-use-content" Must "schema, ToolUseContent" "A tool use has strings `id` and `name` and an object `input`.";
    TOOL_RESULT_CONTENT "tool-result-content" Must "schema, ToolResultContent" "A tool result has a string `toolUseId` and an array `content`; `isError`, if there, is a boolean.";
    TOOL_RESULT_BLOCK "tool-result-block" Must "schema, ContentBlock" "A tool result holds objects of type text, image, audio, resource_link or resource.";
    STRUCTURED_CONTENT "structured-content" Must "schema 2025-11-25, ToolResultContent.structuredContent" "Before 2026-07-28, `structuredContent` is an object.";
    RESOURCE_LINK "resource-link" Must "schema, ResourceLink" "A resource link has strings `uri` and `name`; its other members have the types of the schema.";
    EMBEDDED_RESOURCE "embedded-resource" Must "schema, EmbeddedResource" "An embedded resource has an object `resource` with a string `uri` and a string `text` or `blob`.";
    ANNOTATIONS "annotations" Must "schema, Annotations" "`annotations` has an `audience` of roles, a `priority` from 0 to 1 and a string `lastModified`, each optional.";
    ICONS "icons" Must "schema, Icon" "`icons` are objects with a string `src`; `sizes` are strings, `theme` is light or dark.";

    TOOL_USE_ROLE "tool-use-role" Must "client/sampling, Tool Use and Result Balance" "tool_use appears only in messages of the assistant.";
    TOOL_RESULT_ROLE "tool-result-role" Must "client/sampling, Tool Result Messages" "tool_result appears only in messages of the user.";
    RESULTS_ALONE "results-alone" Must "client/sampling, Tool Result Messages" "A user message with a tool result holds nothing but tool results.";
    USES_ANSWERED_NEXT "uses-answered-next" Must "client/sampling, Tool Use and Result Balance" "An assistant message with tool uses is followed at once by a user message of tool results.";
    USE_HAS_RESULT "use-has-result" Must "client/sampling, Tool Use and Result Balance" "Each tool use has its result in the very next message.";
    RESULT_MATCHES_USE "result-matches-use" Must "schema, ToolResultContent.toolUseId" "Each tool result answers a tool use of the message before.";
    USE_ID_UNIQUE "use-id-unique" Advice "schema, ToolUseContent.id; advice: providers refuse it" "The tool uses of one message have different ids.";
    RESULT_UNIQUE "result-unique" Advice "advice: providers refuse it" "No tool use has two results.";

    TOOLS_ARRAY "tools-array" Must "schema, CreateMessageRequestParams.tools" "`tools` is an array.";
    TOOL_DEFINITION "tool-definition" Must "schema, Tool" "Each tool is an object with a string `name`; its other members have the types of the schema.";
    INPUT_SCHEMA "input-schema" Must "schema, Tool.inputSchema" "Each tool has an object `inputSchema` with `type` \"object\"; `properties` is an object, `required` an array of strings, `$schema` a string.";
    OUTPUT_SCHEMA "output-schema" Must "schema, Tool.outputSchema" "`outputSchema` is an object and its `$schema` a string; before 2026-07-28 its `type` is \"object\".";
    TOOL_NAMES_UNIQUE "tool-names-unique" Advice "advice: a call could mean either" "The tools have different names.";
    TOOL_CHOICE "tool-choice" Must "schema, ToolChoice" "`toolChoice` is an object; its `mode`, if there, is auto, required or none.";
    REQUIRED_NEEDS_TOOLS "required-needs-tools" Advice "advice: it cannot be obeyed" "`toolChoice` required comes with at least one tool.";

    TOOLS_CAPABILITY "tools-capability" Must "schema, CreateMessageRequestParams.tools; client/sampling, Capabilities" "`tools` comes only to a client that declared `sampling.tools`.";
    TOOL_CHOICE_CAPABILITY "tool-choice-capability" Must "schema, CreateMessageRequestParams.toolChoice; client/sampling, Capabilities" "`toolChoice` comes only to a client that declared `sampling.tools`.";
    CONTEXT_CAPABILITY "context-capability" Notice "client/sampling, Capabilities" "`includeContext` thisServer or allServers comes only to a client that declared `sampling.context`.";
    CONTEXT_DEPRECATED "context-deprecated" Notice "schema 2026-07-28, CreateMessageRequestParams.includeContext" "`includeContext` thisServer and allServers are deprecated.";

    RESULT_OBJECT "result-object" Must "schema, CreateMessageResult" "The result is an object.";
    RESULT_ROLE "result-role" Must "schema, CreateMessageResult.role" "The result has a `role`, user or assistant.";
    RESULT_ROLE_ASSISTANT "result-role-assistant" Advice "advice: the model speaks as the assistant" "The role of a result is assistant.";
    RESULT_MODEL "result-model" Must "schema, CreateMessageResult.model" "The result has a string `model`.";
    RESULT_STOP_REASON "result-stop-reason" Must "schema, CreateMessageResult.stopReason" "`stopReason` is a string, any string.";
    RESULT_CONTENT "result-content" Must "schema, CreateMessageResult.content" "The result has a `content`: a block or an array of blocks.";
    RESULT_SINGLE_BLOCK "result-single-block" Must "schema 2025-06-18, CreateMessageResult.content" "Before 2025-11-25, the content of a result is one block and no array.";
    RESULT_ARRAY_NEEDS_TOOLS "result-array-needs-tools" Advice "advice: servers of 2025-11-25 built on the TypeScript SDK refuse it" "In 2025-11-25, the content of a result is an array only if the request had tools.";
    RESULT_NO_TOOL_RESULT "result-no-tool-result" Must "client/sampling, Tool Result Messages" "A result holds no tool_result.";
    RESULT_TOOL_OFFERED "result-tool-offered" Must "client/sampling, Sampling with Tools" "Each tool use in a result names a tool of the request.";
    RESULT_USE_ID_UNIQUE "result-use-id-unique" Must "schema, ToolUseContent.id" "The tool uses of a result have different ids.";
    RESULT_STOP_TOOL_USE "result-stop-tool-use" Advice "schema, CreateMessageResult.stopReason" "`stopReason` is toolUse if, and only if, the result has a tool use; a cut or refused answer says that instead.";
    RESULT_CHOICE_NONE "result-choice-none" Must "client/sampling, Tool Choice Modes" "With `toolChoice` none, the result has no tool use.";
    RESULT_CHOICE_REQUIRED "result-choice-required" Must "client/sampling, Tool Choice Modes" "With `toolChoice` required, the result has a tool use.";
    RESULT_MAX_TOKENS "result-max-tokens" Must "client/sampling, Model Preferences; schema, CreateMessageRequestParams.maxTokens" "The result took no more tokens than `maxTokens`, by `_meta.usage.outputTokens` or `_meta.usage.output_tokens` if one is there.";
    RESULT_NO_RESULT_TYPE "result-no-result-type" Notice "schema 2026-07-28, InputResponses" "The result has no `resultType`: the answer to an input request is bare.";

    INEXPRESSIBLE "inexpressible" Must "schema of the older revision, CreateMessageResult.content" "A result converted for an older revision loses nothing.";
    MORE_FINDINGS "more-findings" Must "advice: bounded memory" "No more than 100 findings are listed; this one closes the list.";
}
