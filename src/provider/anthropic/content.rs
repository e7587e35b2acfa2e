//! Messages and their blocks (`MessageParam`, `ContentBlockParam`).

use crate::error::Error;
use crate::json::{JsonStr, Path, Value};
use crate::sampling::{Block, Role, SamplingMessage, TextContent, ToolResultContent, ToolUseContent};

use super::super::Rules;
use super::super::body::{is_blank, trim_end};
use super::super::draft::{Draft, at, blocks};
use super::super::failure::unsupported;
use super::super::results::{Media, Part, Takes, parts};
use super::super::warnings::Fate;
use super::IMAGE_TYPES;

const TAKES: Takes = Takes { images: IMAGE_TYPES, audio: &[], documents: &["application/pdf"] };

/// What the rest of the body has to know of the messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    /// Who spoke last, of what was sent.
    pub(super) last: Option<Role>,
    /// The newest calls came without the thoughts that led to them.
    pub(super) calls_without_state: bool,
}

/// Writes the messages. A turn is opened by its first block that is sent, so messages that end up empty vanish, and
/// neighbours of one role become one turn, as the API would make of them itself.
#[derive(Debug)]
pub(super) struct Messages<'a, 'd> {
    draft: &'a mut Draft<'d>,
    turns: Turns,
    /// Images of the assistant that the user shows next.
    hoisted: Vec<Media<'d>>,
}

impl<'a, 'd> Messages<'a, 'd> {
    pub(super) fn write(draft: &'a mut Draft<'d>) -> Result<Turns, Error> {
        let mut messages = Self { draft, turns: Turns::default(), hoisted: Vec::new() };
        for (index, message) in messages.draft.messages() {
            let list = Path::Root.key("messages");
            messages.message(message, index, &list.index(index))?;
        }
        messages.unload();
        if messages.turns.last.is_some() {
            messages.close();
        }
        Ok(messages.turns)
    }

    fn message(&mut self, message: SamplingMessage<'d>, index: usize, path: &Path<'_>) -> Result<(), Error> {
        match message.role() {
            Some(Role::User) => self.user(message, &path.key("content")),
            Some(Role::Assistant) => self.assistant(message, index, &path.key("content")),
            None => Ok(()),
        }
    }

    /// Results come first in a turn; only a lenient host sees other blocks beside them.
    fn user(&mut self, message: SamplingMessage<'d>, path: &Path<'_>) -> Result<(), Error> {
        let mut others = 0;
        for (index, block) in blocks(message) {
            match Block::new(block) {
                Block::ToolResult(result) => self.tool_result(result, others > 0, &at(path, index))?,
                _ => others += 1,
            }
        }
        self.unload();
        for (index, block) in blocks(message) {
            match Block::new(block) {
                Block::Text(text) => self.text(Role::User, text, false, &at(path, index)),
                Block::Image(image) => self.image(image.value(), &at(path, index))?,
                Block::ToolResult(_) => {}
                _ => return Err(unsupported(self.draft.provider, &at(path, index), "the API takes no such content")),
            }
        }
        Ok(())
    }

    /// Calls come last in a turn.
    fn assistant(&mut self, message: SamplingMessage<'d>, number: usize, path: &Path<'_>) -> Result<(), Error> {
        self.draft.begin_calls();
        let last = if number + 1 == self.draft.state.turn { blocks(message).last() } else { None };
        let mut calls = Vec::new();
        for (index, block) in blocks(message) {
            match Block::new(block) {
                Block::ToolUse(call) => calls.push((index, call)),
                Block::Text(text) => {
                    self.moved(!calls.is_empty(), &at(path, index));
                    let is_last = last.is_some_and(|(_, last)| last.id() == block.id());
                    self.text(Role::Assistant, text, is_last, &at(path, index));
                }
                _ => self.assistant_media(block, &at(path, index))?,
            }
        }
        if !calls.is_empty() {
            self.turns.calls_without_state = true;
        }
        for (index, call) in calls {
            self.tool_use(call, (number, index.unwrap_or(0)), &at(path, index));
        }
        Ok(())
    }

    fn moved(&mut self, moved: bool, path: &Path<'_>) {
        if moved {
            self.draft.warn(
                path,
                Fate::Moved,
                "the API takes calls only at the end of a turn, and results only at its start",
            );
        }
    }

    /// The API has no place for media of the assistant; on demand the user shows images.
    fn assistant_media(&mut self, block: Value<'d>, path: &Path<'_>) -> Result<(), Error> {
        if !self.draft.options.hoist_assistant_media || !matches!(Block::new(block), Block::Image(_)) {
            self.draft.warn(path, Fate::Dropped, "the API takes images only from the user, and no audio");
            return Ok(());
        }
        let image = Media::of_message(self.draft, block, IMAGE_TYPES, path)?;
        self.draft.warn(path, Fate::Moved, "the API takes images only from the user, who shows it next");
        self.hoisted.push(image);
        Ok(())
    }

    fn unload(&mut self) {
        for image in std::mem::take(&mut self.hoisted) {
            self.enter(Role::User);
            self.media("image", image);
        }
    }

    fn text(&mut self, role: Role, text: TextContent<'d>, is_prefill: bool, path: &Path<'_>) {
        self.draft.report_block(text.value(), &["text"], path);
        let inner = text.text().map_or("", JsonStr::raw);
        if is_blank(inner) {
            return self.draft.warn(path, Fate::Dropped, "the API takes no blank text");
        }
        let trimmed = if is_prefill && self.draft.rules.allow(Rules::PREFILL) { trim_end(inner) } else { inner };
        if trimmed.len() < inner.len() {
            self.draft.warn(path, Fate::Changed, "the API takes no blanks at the end of a message to continue");
        }
        self.enter(role);
        self.replay(text.value());
        self.draft.json.open('{');
        self.draft.json.key("type").text("text");
        self.draft.json.key("text").joined(&[trimmed]);
        self.draft.json.close('}');
    }

    fn image(&mut self, block: Value<'d>, path: &Path<'_>) -> Result<(), Error> {
        let image = Media::of_message(self.draft, block, IMAGE_TYPES, path)?;
        self.enter(Role::User);
        self.media("image", image);
        Ok(())
    }

    fn media(&mut self, kind: &'static str, media: Media<'d>) {
        let json = &mut self.draft.json;
        json.open('{');
        json.key("type").text(kind);
        json.key("source").open('{');
        json.key("type").text("base64");
        json.key("media_type").text(media.mime_type);
        json.key("data").joined_unchecked(&[&media.data]);
        json.close('}');
        json.close('}');
    }

    fn tool_use(&mut self, call: ToolUseContent<'d>, (message, block): (usize, usize), path: &Path<'_>) {
        let (Some(id), Some(name), Some(input)) = (call.id(), call.name(), call.input()) else { return };
        self.draft.report_block(call.value(), &["id", "name", "input"], path);
        let (id, name) = (self.draft.call_id(id, message, block), self.draft.tool_name(name));
        self.enter(Role::Assistant);
        self.turns.calls_without_state &= !self.replay(call.value());
        let json = &mut self.draft.json;
        json.open('{');
        json.key("type").text("tool_use");
        json.key("id").text(&id);
        json.key("name").text(&name);
        json.key("input").value(input);
        json.close('}');
    }

    fn tool_result(&mut self, result: ToolResultContent<'d>, moved: bool, path: &Path<'_>) -> Result<(), Error> {
        let Some(id) = result.tool_use_id() else { return Ok(()) };
        self.moved(moved, path);
        self.draft.report_block(result.value(), &["toolUseId", "content", "structuredContent", "isError"], path);
        let id = self.draft.result_id(id);
        let parts = parts(self.draft, result, TAKES, path)?;
        self.enter(Role::User);
        self.draft.json.open('{');
        self.draft.json.key("type").text("tool_result");
        self.draft.json.key("tool_use_id").text(&id);
        self.parts(parts);
        if result.is_error() == Some(true) {
            self.draft.json.key("is_error").raw("true");
        }
        self.draft.json.close('}');
        Ok(())
    }

    fn parts(&mut self, parts: Vec<Part<'d>>) {
        if parts.is_empty() {
            return;
        }
        self.draft.json.key("content").open('[');
        for part in parts {
            match part {
                Part::Text(pieces) => {
                    let pieces: Vec<_> = pieces.iter().map(|piece| &**piece).collect();
                    self.draft.json.open('{');
                    self.draft.json.key("type").text("text");
                    self.draft.json.key("text").joined(&pieces);
                    self.draft.json.close('}');
                }
                Part::Document(media) => self.media("document", media),
                Part::Image(media) | Part::Audio(media) => self.media("image", media),
            }
        }
        self.draft.json.close(']');
    }

    /// Gives back the thoughts that came before this block; true if there were any.
    fn replay(&mut self, block: Value<'d>) -> bool {
        let items: Vec<_> = self.draft.opaque(block).collect();
        items.iter().for_each(|item| self.draft.json.value(*item));
        !items.is_empty()
    }

    fn enter(&mut self, role: Role) {
        if self.turns.last == Some(role) {
            return;
        }
        if self.turns.last.is_some() {
            self.close();
        }
        self.turns.last = Some(role);
        self.draft.json.open('{');
        self.draft.json.key("role").text(role.as_str());
        self.draft.json.key("content").open('[');
    }

    fn close(&mut self) {
        self.draft.json.close(']');
        self.draft.json.close('}');
    }
}
