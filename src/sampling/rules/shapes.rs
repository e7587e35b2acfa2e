//! The schema as data: the members of each object, the rule they answer to, and what they must be.

use super::demands::{Then, Want, When};
use super::shape::{Member, Shape, length, packed};
use super::table::Rule;

impl Then {
    /// The members of the object, or of each object in the array.
    pub(super) fn members(self) -> Shape {
        match self {
            Self::Tools => TOOL,
            Self::Preferences => PREFERENCES,
            Self::Hints => HINT,
            Self::Annotations => ANNOTATIONS,
            Self::Icons => ICON,
            Self::ToolAnnotations => TOOL_ANNOTATIONS,
            Self::InputSchema => INPUT_SCHEMA,
            Self::OutputSchema => OUTPUT_SCHEMA,
            _ => CHOICE,
        }
    }
}

macro_rules! then {
    () => {
        Then::Nothing
    };
    ($then:ident) => {
        Then::$then
    };
}

macro_rules! shapes {
    ($($(#[$doc:meta])* $shape:ident { $($when:ident $name:literal $want:ident $rule:ident $($then:ident)?;)* })*) => {$(
        $(#[$doc])*
        pub(super) const $shape: Shape = {
            const MEMBERS: &[Member] = &[$(Member {
                name: $name,
                rule: Rule::$rule,
                want: Want::$want,
                when: When::$when,
                then: then!($($then)?),
            }),*];
            const BYTES: [u8; length(MEMBERS)] = packed(MEMBERS);
            match str::from_utf8(&BYTES) {
                Ok(text) => Shape(text),
                Err(_) => Shape(""),
            }
        };
    )*};
}

// Whether it must be there, its name, what it must be, the rule that says so, what is checked further.
shapes! {
    /// basic, `_meta`
    META {
        May "_meta" Object Meta;
    }

    /// CreateMessageRequestParams
    REQUEST {
        Must "maxTokens" Integer MaxTokensInteger Positive;
        May "systemPrompt" Text SystemPrompt;
        May "temperature" Number Temperature;
        May "stopSequences" Texts StopSequences;
        May "metadata" Object Metadata;
        May "includeContext" Context IncludeContext;
        May "modelPreferences" Object ModelPreferences Preferences;
        May "_meta" Object Meta;
        Must "messages" Array MessagesArray Messages;
        May "tools" Array ToolsArray Tools;
        May "toolChoice" Object ToolChoice Choice;
    }

    /// ModelPreferences
    PREFERENCES {
        May "hints" Array ModelPreferences Hints;
        May "costPriority" Unit PriorityRange;
        May "speedPriority" Unit PriorityRange;
        May "intelligencePriority" Unit PriorityRange;
    }

    /// ModelHint
    HINT {
        May "name" Text ModelPreferences;
    }

    /// SamplingMessage
    MESSAGE {
        Must "role" Role MessageRole;
        May "_meta" Object Meta;
        Must "content" Content MessageContent;
    }

    /// CreateMessageResult, but for what the request decides
    RESULT {
        Must "role" Role ResultRole Assistant;
        Must "model" Text ResultModel;
        May "stopReason" Text ResultStopReason;
    }

    /// The rest of CreateMessageResult
    RESULT_CONTENT {
        May "_meta" Object Meta;
        Must "content" Content ResultContent;
    }

    /// What a block of a message or result has first of all
    BLOCK {
        Must "type" Text BlockType;
    }

    /// What a block of a tool result has first of all
    OUTPUT_BLOCK {
        Must "type" Text ToolResultBlock;
    }

    /// TextContent
    TEXT {
        Must "text" Text TextContent;
        May "annotations" Object Annotations Annotations;
        May "_meta" Object Meta;
    }

    /// ImageContent and AudioContent
    MEDIA {
        Must "data" Text MediaContent Base64;
        Must "mimeType" Text MediaContent;
        May "annotations" Object Annotations Annotations;
        May "_meta" Object Meta;
    }

    /// ToolUseContent
    TOOL_USE {
        Must "id" Text ToolUseContent;
        Must "name" Text ToolUseContent;
        Must "input" Object ToolUseContent;
        May "_meta" Object Meta;
    }

    /// ToolResultContent
    TOOL_RESULT {
        Must "toolUseId" Text ToolResultContent;
        May "isError" Bool ToolResultContent;
        Must "content" Array ToolResultContent OutputBlocks;
        MayOnce "structuredContent" Object StructuredContent;
        May "_meta" Object Meta;
    }

    /// ToolResultContent but for its id
    OUTPUT {
        May "isError" Bool ToolResultContent;
        Must "content" Array ToolResultContent OutputBlocks;
        MayOnce "structuredContent" Object StructuredContent;
        May "_meta" Object Meta;
    }

    /// ResourceLink
    RESOURCE_LINK {
        Must "uri" Text ResourceLink;
        Must "name" Text ResourceLink;
        May "title" Text ResourceLink;
        May "description" Text ResourceLink;
        May "mimeType" Text ResourceLink;
        May "size" Integer ResourceLink;
        May "icons" Array Icons Icons;
        May "annotations" Object Annotations Annotations;
        May "_meta" Object Meta;
    }

    /// EmbeddedResource
    EMBEDDED {
        Must "resource" Object EmbeddedResource Resource;
        May "annotations" Object Annotations Annotations;
        May "_meta" Object Meta;
    }

    /// ResourceContents, but for the contents
    RESOURCE {
        Must "uri" Text EmbeddedResource;
        May "mimeType" Text EmbeddedResource;
    }

    /// Annotations
    ANNOTATIONS {
        May "priority" Unit Annotations;
        May "lastModified" Text Annotations;
        May "audience" Texts Annotations Audience;
    }

    /// Icon
    ICON {
        Must "src" Text Icons;
        May "mimeType" Text Icons;
        May "sizes" Texts Icons;
        May "theme" Theme Icons;
    }

    /// Tool
    TOOL {
        Must "name" Text ToolDefinition;
        May "title" Text ToolDefinition;
        May "description" Text ToolDefinition;
        May "annotations" Object ToolDefinition ToolAnnotations;
        Must "inputSchema" Object InputSchema InputSchema;
        May "outputSchema" Object OutputSchema OutputSchema;
        May "icons" Array Icons Icons;
        May "_meta" Object Meta;
    }

    /// ToolAnnotations
    TOOL_ANNOTATIONS {
        May "title" Text ToolDefinition;
        May "readOnlyHint" Bool ToolDefinition;
        May "destructiveHint" Bool ToolDefinition;
        May "idempotentHint" Bool ToolDefinition;
        May "openWorldHint" Bool ToolDefinition;
    }

    /// Tool.inputSchema
    INPUT_SCHEMA {
        Must "type" TypeObject InputSchema;
        May "$schema" Text InputSchema;
        May "properties" Object InputSchema;
        May "required" Texts InputSchema;
    }

    /// Tool.outputSchema
    OUTPUT_SCHEMA {
        May "$schema" Text OutputSchema;
        MustOnce "type" TypeObject OutputSchema;
    }

    /// ToolChoice
    CHOICE {
        May "mode" Mode ToolChoice;
    }
}
