//! What messages are made of.

use std::collections::BTreeMap;

use super::BuildError;
use super::text::{Open, Text, array};
use crate::json::{Kind, Value};
use crate::sampling::rules::{Judged, is_base64, judge_content, judge_tool_output};
use crate::sampling::{Block, Content};

/// Text, images and sounds, at least one.
#[derive(Clone, Debug)]
pub struct Parts(pub(super) Vec<String>);

/// What kind of bytes a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// An image.
    Image,
    /// A sound.
    Audio,
}

impl Parts {
    /// One text.
    pub fn text<'t>(text: impl Into<Text<'t>>) -> Self {
        Self(vec![Open::object().raw("type", "\"text\"").text("text", text.into()).close()])
    }

    /// One image or sound, its bytes in base64.
    ///
    /// # Errors
    ///
    /// [`BuildError::NotBase64`].
    pub fn media<'t>(
        media: Media,
        base64: impl Into<Text<'t>>,
        mime_type: impl Into<Text<'t>>,
    ) -> Result<Self, BuildError> {
        let data = base64.into();
        if !is_base64(&data.meaning()) {
            return Err(BuildError::NotBase64);
        }
        let name = if media == Media::Image { "\"image\"" } else { "\"audio\"" };
        let block = Open::object().raw("type", name).text("data", data).text("mimeType", mime_type.into());
        Ok(Self(vec![block.close()]))
    }

    /// The text, image and audio blocks of a content from elsewhere, with their annotations and metadata.
    ///
    /// # Errors
    ///
    /// [`BuildError::Invalid`] if there is no block, or one that is broken or belongs to tools.
    pub fn copied(content: Content<'_>) -> Result<Self, BuildError> {
        judge_content(content, Judged::Parts).map_err(BuildError::Invalid)?;
        Ok(Self(blocks(content)))
    }

    /// These, then those.
    #[must_use]
    pub fn and(mut self, those: Self) -> Self {
        self.0.extend(those.0);
        self
    }
}

fn blocks(content: Content<'_>) -> Vec<String> {
    let mut blocks = content.blocks();
    std::iter::from_fn(|| blocks.next_value()).map(|block| block.raw().to_owned()).collect()
}

/// The tool uses of one assistant message, at least one, perhaps after text.
#[derive(Clone, Debug)]
pub struct ToolUses {
    pub(super) blocks: Vec<String>,
    /// What each id means, and how it is shown.
    pub(super) ids: BTreeMap<Vec<u8>, String>,
}

impl ToolUses {
    /// One tool use.
    ///
    /// # Errors
    ///
    /// [`BuildError::Invalid`] if `input` is not an object.
    pub fn new<'t>(id: impl Into<Text<'t>>, name: impl Into<Text<'t>>, input: Value<'_>) -> Result<Self, BuildError> {
        if !input.is(Kind::Object) {
            return Err(BuildError::Invalid(crate::sampling::rules::wrong_input(input)));
        }
        let id = id.into();
        let block = Open::object().raw("type", "\"tool_use\"").text("id", id).text("name", name.into());
        Ok(Self { blocks: vec![block.raw("input", input.raw()).close()], ids: [(id.meaning(), id.shown())].into() })
    }

    /// The content of an assistant message or of a result from elsewhere that has tool uses, with its metadata.
    ///
    /// # Errors
    ///
    /// [`BuildError::Invalid`] if a block is broken, none is a tool use, or one is a tool result;
    /// [`BuildError::Taken`] if two uses have one id.
    pub fn copied(content: Content<'_>) -> Result<Self, BuildError> {
        judge_content(content, Judged::Uses).map_err(BuildError::Invalid)?;
        let uses = content.blocks().filter_map(|block| match block {
            Block::ToolUse(use_) => use_.id(),
            _ => None,
        });
        Self { blocks: blocks(content), ids: BTreeMap::new() }.with_ids(uses.map(|id| {
            let id = Text::from(id);
            (id.meaning(), id.shown())
        }))
    }

    /// These, then those.
    ///
    /// # Errors
    ///
    /// [`BuildError::Taken`] if both have one id.
    pub fn and(mut self, those: Self) -> Result<Self, BuildError> {
        self.blocks.extend(those.blocks);
        self.with_ids(those.ids)
    }

    /// Puts text, images or sounds before the uses.
    #[must_use]
    pub fn after(mut self, parts: Parts) -> Self {
        self.blocks.splice(..0, parts.0);
        self
    }

    fn with_ids(mut self, ids: impl IntoIterator<Item = (Vec<u8>, String)>) -> Result<Self, BuildError> {
        for (meaning, shown) in ids {
            if let Some(shown) = self.ids.insert(meaning, shown) {
                return Err(BuildError::Taken(shown));
            }
        }
        Ok(self)
    }
}

/// What a tool answered.
#[derive(Clone, Debug, Default)]
pub struct ToolOutput {
    content: Vec<String>,
    structured: Option<String>,
    is_error: bool,
    meta: Option<String>,
}

impl ToolOutput {
    /// Text, images and sounds.
    pub fn new(parts: Parts) -> Self {
        Self { content: parts.0, ..Self::default() }
    }

    /// The result of a `tools/call`: `content`, `structuredContent`, `isError` and `_meta` as they are.
    ///
    /// # Errors
    ///
    /// [`BuildError::Invalid`] if `content` is not an array of content blocks, or another member has a wrong type.
    pub fn copied(call_result: Value<'_>) -> Result<Self, BuildError> {
        judge_tool_output(call_result).map_err(BuildError::Invalid)?;
        let raw = |name| call_result.get(name).map(|value: Value<'_>| value.raw().to_owned());
        let content = call_result.get("content").into_iter().flat_map(Value::items);
        Ok(Self {
            content: content.map(|block| block.raw().to_owned()).collect(),
            structured: raw("structuredContent"),
            is_error: call_result.get("isError").and_then(Value::as_bool) == Some(true),
            meta: raw("_meta"),
        })
    }

    /// Adds the result as data. Revisions before 2026-07-28 take objects only.
    #[must_use]
    pub fn structured(mut self, value: Value<'_>) -> Self {
        self.structured = Some(value.raw().to_owned());
        self
    }

    /// Says that the tool failed.
    #[must_use]
    pub fn error(mut self) -> Self {
        self.is_error = true;
        self
    }

    pub(super) fn block(&self, id: Text<'_>) -> String {
        let block =
            Open::object().raw("type", "\"tool_result\"").text("toolUseId", id).raw("content", &array(&self.content));
        let block = self.structured.iter().fold(block, |block, value| block.raw("structuredContent", value));
        let block = if self.is_error { block.raw("isError", "true") } else { block };
        self.meta.iter().fold(block, |block, meta| block.raw("_meta", meta)).close()
    }
}
