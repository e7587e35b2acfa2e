//! Messages and the blocks in them.

use super::view::{FromValue, List, views, words};
use crate::json::{Items, JsonStr, Kind, Number, Value};

words! {
    /// Who speaks (schema, Role).
    Role {
        /// The server, on behalf of a person.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }

    /// The `type` of a block. The first five may stand in a message; the first three and the last two in a tool result.
    BlockType {
        /// `text`
        Text = "text",
        /// `image`
        Image = "image",
        /// `audio`
        Audio = "audio",
        /// `tool_use`
        ToolUse = "tool_use",
        /// `tool_result`
        ToolResult = "tool_result",
        /// `resource_link`
        ResourceLink = "resource_link",
        /// `resource`
        Resource = "resource",
    }
}

impl BlockType {
    /// The type of a block, if it has a known one.
    pub fn of(block: Value<'_>) -> Option<Self> {
        Self::from_value(block.get("type")?)
    }

    /// True for what sampling messages may hold (schema, SamplingMessageContentBlock).
    pub fn in_message(self) -> bool {
        !matches!(self, Self::ResourceLink | Self::Resource)
    }

    /// True for what tool results may hold (schema, ContentBlock).
    pub fn in_tool_result(self) -> bool {
        !self.is_tool_block()
    }

    /// True for the two that came with sampling tools in 2025-11-25.
    pub fn is_tool_block(self) -> bool {
        matches!(self, Self::ToolUse | Self::ToolResult)
    }
}

views! {
    /// One message of the history (schema, SamplingMessage).
    SamplingMessage {
        /// Who speaks.
        role: "role" => Role;
        /// What is said: one block or several.
        content: "content" => Content<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// Text (schema, TextContent).
    TextContent {
        /// The text.
        text: "text" => JsonStr<'d>;
        /// Hints on audience and weight.
        annotations: "annotations" => Annotations<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// An image (schema, ImageContent).
    ImageContent {
        /// The image, in base64.
        data: "data" => JsonStr<'d>;
        /// Its media type, as `image/png`.
        mime_type: "mimeType" => JsonStr<'d>;
        /// Hints on audience and weight.
        annotations: "annotations" => Annotations<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// Sound (schema, AudioContent).
    AudioContent {
        /// The sound, in base64.
        data: "data" => JsonStr<'d>;
        /// Its media type, as `audio/wav`.
        mime_type: "mimeType" => JsonStr<'d>;
        /// Hints on audience and weight.
        annotations: "annotations" => Annotations<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// The model wants a tool called (schema, ToolUseContent). Only in messages of the assistant.
    ToolUseContent {
        /// Names this use; the result refers to it.
        id: "id" => JsonStr<'d>;
        /// The tool.
        name: "name" => JsonStr<'d>;
        /// The arguments, an object.
        input: "input" => Value<'d>;
        /// Metadata, to be kept in later requests: providers find their caches by it.
        meta: "_meta" => Value<'d>;
    }

    /// What a tool answered (schema, ToolResultContent). Only in messages of the user.
    ToolResultContent {
        /// The use that this answers.
        tool_use_id: "toolUseId" => JsonStr<'d>;
        /// Text, images, audio, resource links and embedded resources; may be empty.
        content: "content" => List<'d, Block<'d>>;
        /// The result as data: any JSON value since 2026-07-28, an object before.
        structured_content: "structuredContent" => Value<'d>;
        /// The tool failed, and `content` says how. Absent means no.
        is_error: "isError" => bool;
        /// Metadata, to be kept in later requests: providers find their caches by it.
        meta: "_meta" => Value<'d>;
    }

    /// Something the server can be asked to read (schema, ResourceLink).
    ResourceLink {
        /// Where it is.
        uri: "uri" => JsonStr<'d>;
        /// Its name for programs.
        name: "name" => JsonStr<'d>;
        /// Its name for people.
        title: "title" => JsonStr<'d>;
        /// What it is.
        description: "description" => JsonStr<'d>;
        /// Its media type.
        mime_type: "mimeType" => JsonStr<'d>;
        /// Its size in bytes, before any encoding.
        size: "size" => Number<'d>;
        /// Pictures for it.
        icons: "icons" => List<'d, Icon<'d>>;
        /// Hints on audience and weight.
        annotations: "annotations" => Annotations<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// Something read, sent along (schema, EmbeddedResource).
    EmbeddedResource {
        /// The contents.
        resource: "resource" => ResourceContents<'d>;
        /// Hints on audience and weight.
        annotations: "annotations" => Annotations<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// Text or bytes of a resource (schema, TextResourceContents and BlobResourceContents).
    ResourceContents {
        /// Where it is.
        uri: "uri" => JsonStr<'d>;
        /// Its media type.
        mime_type: "mimeType" => JsonStr<'d>;
        /// The contents, if they are text.
        text: "text" => JsonStr<'d>;
        /// The contents in base64, if they are bytes.
        blob: "blob" => JsonStr<'d>;
        /// Metadata.
        meta: "_meta" => Value<'d>;
    }

    /// Hints on how to use a block (schema, Annotations).
    Annotations {
        /// For whom it is.
        audience: "audience" => List<'d, Role>;
        /// Its weight, from 0 (optional) to 1 (required).
        priority: "priority" => Number<'d>;
        /// When it was last changed, in ISO 8601.
        last_modified: "lastModified" => JsonStr<'d>;
    }

    /// A picture for a tool or a resource (schema, Icon).
    Icon {
        /// Where the picture is: an `https` or `data` URI.
        src: "src" => JsonStr<'d>;
        /// Its media type.
        mime_type: "mimeType" => JsonStr<'d>;
        /// Its sizes, as `48x48` or `any`.
        sizes: "sizes" => List<'d, JsonStr<'d>>;
        /// `light` or `dark`: the background it is made for.
        theme: "theme" => JsonStr<'d>;
    }
}

/// The content of a message or result: one block, or an array of blocks, kept as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Content<'d>(Value<'d>);

impl<'d> Content<'d> {
    /// Looks at `value` as content. Nothing is checked.
    pub fn new(value: Value<'d>) -> Self {
        Self(value)
    }

    /// The whole value as it was sent.
    pub fn value(self) -> Value<'d> {
        self.0
    }

    /// True if the blocks came in an array.
    pub fn is_array(self) -> bool {
        self.0.is(Kind::Array)
    }

    /// The blocks: a single one counts as an array of one.
    #[inline(always)]
    pub fn blocks(self) -> Blocks<'d> {
        Blocks(self.0.one_or_items())
    }
}

impl<'d> FromValue<'d> for Content<'d> {
    fn from_value(value: Value<'d>) -> Option<Self> {
        (value.is(Kind::Object) || value.is(Kind::Array)).then_some(Self(value))
    }
}

/// The blocks of a [`Content`], in order.
#[derive(Clone, Debug)]
pub struct Blocks<'d>(Items<'d>);

impl<'d> Blocks<'d> {
    /// The next block as it was sent.
    #[inline(always)]
    pub fn next_value(&mut self) -> Option<Value<'d>> {
        self.0.next()
    }
}

impl<'d> Iterator for Blocks<'d> {
    type Item = Block<'d>;

    fn next(&mut self) -> Option<Block<'d>> {
        self.next_value().map(Block::new)
    }
}

/// A block of any type.
#[derive(Clone, Copy, Debug)]
pub enum Block<'d> {
    /// `text`
    Text(TextContent<'d>),
    /// `image`
    Image(ImageContent<'d>),
    /// `audio`
    Audio(AudioContent<'d>),
    /// `tool_use`
    ToolUse(ToolUseContent<'d>),
    /// `tool_result`
    ToolResult(ToolResultContent<'d>),
    /// `resource_link`
    ResourceLink(ResourceLink<'d>),
    /// `resource`
    Resource(EmbeddedResource<'d>),
    /// No block that this library knows; never in what passed the checks.
    Unknown(Value<'d>),
}

impl<'d> Block<'d> {
    /// Looks at `value` as a block, by its `type`. Nothing else is checked.
    pub fn new(value: Value<'d>) -> Self {
        match BlockType::of(value) {
            Some(BlockType::Text) => Self::Text(TextContent(value)),
            Some(BlockType::Image) => Self::Image(ImageContent(value)),
            Some(BlockType::Audio) => Self::Audio(AudioContent(value)),
            Some(BlockType::ToolUse) => Self::ToolUse(ToolUseContent(value)),
            Some(BlockType::ToolResult) => Self::ToolResult(ToolResultContent(value)),
            Some(BlockType::ResourceLink) => Self::ResourceLink(ResourceLink(value)),
            Some(BlockType::Resource) => Self::Resource(EmbeddedResource(value)),
            None => Self::Unknown(value),
        }
    }
}

impl<'d> FromValue<'d> for Block<'d> {
    fn from_value(value: Value<'d>) -> Option<Self> {
        Some(Self::new(value))
    }
}
