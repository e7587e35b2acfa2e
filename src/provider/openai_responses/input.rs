//! The history as items (`ResponseInputItem`).

use crate::error::Error;
use crate::json::{JsonStr, Path, Value};
use crate::sampling::{Block, Role, SamplingMessage, TextContent, ToolResultContent, ToolUseContent};

use super::super::draft::{Draft, at, blocks};
use super::super::failure::{string, unsupported};
use super::super::openai::{lines, text_of};
use super::super::results::{Media, Part, Takes, parts};
use super::super::warnings::Fate;

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/gif"];
const TAKES: Takes = Takes { images: IMAGES, audio: &[], documents: &["application/pdf"] };

/// Writes the items: messages, calls and results stand side by side.
#[derive(Debug)]
pub(super) struct Input<'a, 'd> {
    draft: &'a mut Draft<'d>,
    /// The vendor keeps the answers, as the host wants it.
    stores: bool,
    /// Images of the assistant that the user shows next, each after a text that says where it is from.
    hoisted: Vec<Part<'d>>,
    written: bool,
}

impl<'a, 'd> Input<'a, 'd> {
    /// False if there was nothing to write.
    pub(super) fn write(draft: &'a mut Draft<'d>) -> Result<bool, Error> {
        let stores = draft.options.extra("store").and_then(Value::as_bool);
        let stores = stores.unwrap_or_else(|| draft.options.omits("store"));
        let mut input = Self { draft, stores, hoisted: Vec::new(), written: false };
        for (index, message) in input.draft.messages() {
            let list = Path::Root.key("messages");
            let path = list.index(index);
            match message.role() {
                Some(Role::User) => input.user(message, &path.key("content"))?,
                Some(Role::Assistant) => input.assistant(message, index, &path.key("content"))?,
                None => {}
            }
        }
        let rest = std::mem::take(&mut input.hoisted);
        input.user_message(&rest);
        Ok(input.written)
    }

    /// Results come right after the calls; only a lenient host sees other blocks beside them.
    fn user(&mut self, message: SamplingMessage<'d>, path: &Path<'_>) -> Result<(), Error> {
        for (index, block) in blocks(message) {
            if let Block::ToolResult(result) = Block::new(block) {
                self.tool_result(result, &at(path, index))?;
            }
        }
        let mut said = std::mem::take(&mut self.hoisted);
        for (index, block) in blocks(message) {
            let path = at(path, index);
            match Block::new(block) {
                Block::Text(text) => {
                    said.extend(self.text(text, &path).map(|text| Part::Text(vec![text.raw().into()])))
                }
                Block::Image(_) => said.push(Part::Image(Media::of_message(self.draft, block, IMAGES, &path)?)),
                Block::ToolResult(_) => {}
                _ => return Err(unsupported(self.draft.provider, &path, "the API takes no such content")),
            }
        }
        self.user_message(&said);
        Ok(())
    }

    fn user_message(&mut self, parts: &[Part<'d>]) {
        if !parts.is_empty() {
            self.open("message");
            self.draft.json.key("role").text("user");
            self.draft.json.key("content");
            self.parts(parts);
            self.draft.json.close('}');
        }
    }

    fn assistant(&mut self, message: SamplingMessage<'d>, number: usize, path: &Path<'_>) -> Result<(), Error> {
        self.draft.begin_calls();
        for (index, block) in blocks(message) {
            let path = at(path, index);
            match Block::new(block) {
                Block::Text(text) => self.said(text, &path),
                Block::ToolUse(call) => self.tool_use(call, (number, index.unwrap_or(0)), &path),
                other => self.assistant_media(block, matches!(other, Block::Image(_)), &path)?,
            }
        }
        Ok(())
    }

    /// The text of a block, unless it is empty.
    fn text(&mut self, text: TextContent<'d>, path: &Path<'_>) -> Option<JsonStr<'d>> {
        self.draft.report_block(text.value(), &["text"], path);
        let said = text.text().filter(|text| !text.is_empty());
        if said.is_none() {
            self.draft.warn(path, Fate::Dropped, "the text is empty");
        }
        said
    }

    /// The API takes what the assistant said as a text, not as parts.
    fn said(&mut self, text: TextContent<'d>, path: &Path<'_>) {
        let Some(said) = self.text(text, path) else { return };
        let phase = self.replay(text.value(), path);
        self.open("message");
        self.draft.json.key("role").text("assistant");
        self.draft.json.key("content").token(said);
        if let Some(phase) = phase {
            self.draft.json.key("phase").value(phase);
        }
        self.draft.json.close('}');
    }

    /// The API has no place for media of the assistant; on demand the user shows images.
    fn assistant_media(&mut self, block: Value<'d>, is_image: bool, path: &Path<'_>) -> Result<(), Error> {
        if !self.draft.options.hoist_assistant_media || !is_image {
            self.draft.warn(path, Fate::Dropped, "the API takes images only from the user, and no audio");
            return Ok(());
        }
        let image = Media::of_message(self.draft, block, IMAGES, path)?;
        self.draft.warn(path, Fate::Moved, "the API takes images only from the user, who shows it next");
        self.hoisted.extend([Part::Text(vec!["From the assistant:".into()]), Part::Image(image)]);
        Ok(())
    }

    fn tool_use(&mut self, call: ToolUseContent<'d>, (message, block): (usize, usize), path: &Path<'_>) {
        let (Some(id), Some(name), Some(input)) = (call.id(), call.name(), call.input()) else { return };
        self.draft.report_block(call.value(), &["id", "name", "input"], path);
        let (id, name) = (self.draft.call_id(id, message, block), self.draft.tool_name(name));
        self.replay(call.value(), path);
        self.open("function_call");
        self.draft.json.key("call_id").text(&id);
        self.draft.json.key("name").text(&name);
        self.draft.json.key("arguments").quoted(input);
        self.draft.json.close('}');
    }

    fn tool_result(&mut self, result: ToolResultContent<'d>, path: &Path<'_>) -> Result<(), Error> {
        let Some(id) = result.tool_use_id() else { return Ok(()) };
        self.draft.report_block(result.value(), &["toolUseId", "content", "structuredContent", "isError"], path);
        let id = self.draft.result_id(id);
        let mut output = Vec::new();
        if result.is_error() == Some(true) {
            let path = path.key("isError");
            self.draft.warn(&path, Fate::Changed, "the API has no mark for failed tools; the text says it");
            output.push(Part::Text(vec!["Error:".into()]));
        }
        output.extend(parts(self.draft, result, TAKES, path)?);
        self.open("function_call_output");
        self.draft.json.key("call_id").text(&id);
        self.draft.json.key("output");
        self.output(&output);
        self.draft.json.close('}');
        Ok(())
    }

    /// Nothing but texts is one text, a line for each: that is what every server reads.
    fn output(&mut self, parts: &[Part<'d>]) {
        let texts: Vec<_> = parts.iter().filter_map(text_of).cloned().collect();
        if texts.len() == parts.len() {
            return self.draft.json.joined(&lines(&texts));
        }
        self.parts(parts);
    }

    fn parts(&mut self, parts: &[Part<'d>]) {
        self.draft.json.open('[');
        parts.iter().for_each(|part| self.part(part));
        self.draft.json.close(']');
    }

    fn part(&mut self, part: &Part<'d>) {
        let json = &mut self.draft.json;
        json.open('{');
        match part {
            Part::Text(pieces) => {
                let pieces: Vec<_> = pieces.iter().map(|piece| &**piece).collect();
                json.key("type").text("input_text");
                json.key("text").joined(&pieces);
            }
            Part::Image(media) | Part::Audio(media) => {
                json.key("type").text("input_image");
                json.key("image_url").joined_unchecked(&["data:", media.mime_type, ";base64,", &media.data]);
                json.key("detail").text("auto");
            }
            Part::Document(media) => {
                json.key("type").text("input_file");
                json.key("filename").text("document.pdf");
                json.key("file_data").joined_unchecked(&["data:", media.mime_type, ";base64,", &media.data]);
            }
        }
        json.close('}');
    }

    fn open(&mut self, kind: &str) {
        self.written = true;
        self.draft.json.open('{');
        self.draft.json.key("type").text(kind);
    }

    /// Gives back the items that came before this block. Returns the phase of the message, which comes with it.
    fn replay(&mut self, block: Value<'d>, path: &Path<'_>) -> Option<Value<'d>> {
        let items: Vec<_> = self.draft.opaque(block).collect();
        let mut phase = None;
        for item in items {
            match string(item, "type") {
                Some(kind) if kind == "reasoning" => self.reasoning(item, path),
                Some(_) => self.draft.json.value(item),
                None => phase = item.get("phase").or(phase),
            }
        }
        phase
    }

    /// An item whose content came with it. The id of one stands for what is stored, which here is nothing; where the
    /// vendor stores, it would bind the item to others that have ids too.
    fn reasoning(&mut self, item: Value<'d>, path: &Path<'_>) {
        let encrypted = string(item, "encrypted_content").is_some_and(|content| !content.is_empty());
        let is_whole = encrypted || item.get("content").is_some_and(|content| content.items().next().is_some());
        if !is_whole {
            let message = "the reasoning came without its encrypted content, and is not stored at the vendor";
            return self.draft.warn(path, Fate::Dropped, message);
        }
        self.draft.json.open('{');
        for (key, value) in item.members().filter(|(key, _)| !(self.stores && *key == "id")) {
            self.draft.json.raw_key(key.raw()).value(value);
        }
        self.draft.json.close('}');
    }
}
