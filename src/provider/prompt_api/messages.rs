//! Messages (`LanguageModelMessage`): texts, and images and sounds of the user.

use std::borrow::Cow;

use crate::error::Error;
use crate::json::{JsonStr, Path, Value};
use crate::sampling::{Block, Role, SamplingMessage, TextContent, ToolResultContent, ToolUseContent};

use super::super::body::Json;
use super::super::draft::{Draft, at, blocks};
use super::super::failure::unsupported;
use super::super::openai::{lines, text_of};
use super::super::results::{Media, Part, Takes, parts};
use super::super::warnings::Fate;
use super::{AUDIO_TYPES, IMAGE_TYPES};

const TAKES: Takes = Takes { images: IMAGE_TYPES, audio: AUDIO_TYPES, documents: &[] };

/// One message.
#[derive(Debug)]
pub(super) struct Turn<'d> {
    pub(super) role: Role,
    parts: Vec<Part<'d>>,
    /// Calls, each a JSON object.
    calls: Vec<String>,
}

/// Collects the messages that have something in them. Which one is the last shows at the end.
#[derive(Debug)]
pub(super) struct Turns<'a, 'd> {
    draft: &'a mut Draft<'d>,
    turns: Vec<Turn<'d>>,
    /// The calls of the last message of the assistant: id and name.
    calls: Vec<(String, String)>,
    /// Images and sounds of the assistant that the user shows next.
    hoisted: Vec<Part<'d>>,
}

impl<'a, 'd> Turns<'a, 'd> {
    pub(super) fn collect(draft: &'a mut Draft<'d>) -> Result<Vec<Turn<'d>>, Error> {
        let mut turns = Self { draft, turns: Vec::new(), calls: Vec::new(), hoisted: Vec::new() };
        for (index, message) in turns.draft.messages() {
            let list = Path::Root.key("messages");
            let path = list.index(index);
            match message.role() {
                Some(Role::User) => turns.user(message, &path.key("content"))?,
                Some(Role::Assistant) => turns.assistant(message, index, &path.key("content"))?,
                None => {}
            }
        }
        let rest = std::mem::take(&mut turns.hoisted);
        turns.push(Role::User, rest, Vec::new());
        Ok(turns.turns)
    }

    fn push(&mut self, role: Role, parts: Vec<Part<'d>>, calls: Vec<String>) {
        if !parts.is_empty() || !calls.is_empty() {
            self.turns.push(Turn { role, parts, calls });
        }
    }

    /// Results come first, right after the calls; only a lenient host sees other blocks beside them.
    fn user(&mut self, message: SamplingMessage<'d>, path: &Path<'_>) -> Result<(), Error> {
        let mut said = Vec::new();
        for (index, block) in blocks(message) {
            if let Block::ToolResult(result) = Block::new(block) {
                self.tool_result(result, &mut said, &at(path, index))?;
            }
        }
        said.append(&mut self.hoisted);
        for (index, block) in blocks(message) {
            let path = at(path, index);
            match Block::new(block) {
                Block::Text(text) => self.text(text, &mut said, &path),
                Block::Image(_) => said.push(Part::Image(Media::of_message(self.draft, block, IMAGE_TYPES, &path)?)),
                Block::Audio(_) => said.push(Part::Audio(Media::of_message(self.draft, block, AUDIO_TYPES, &path)?)),
                Block::ToolResult(_) => {}
                _ => return Err(unsupported(self.draft.provider, &path, "the API takes no such content")),
            }
        }
        self.push(Role::User, said, Vec::new());
        Ok(())
    }

    fn assistant(&mut self, message: SamplingMessage<'d>, number: usize, path: &Path<'_>) -> Result<(), Error> {
        self.draft.begin_calls();
        self.calls.clear();
        let (mut said, mut calls) = (Vec::new(), Vec::new());
        for (index, block) in blocks(message) {
            let path = at(path, index);
            match Block::new(block) {
                Block::Text(text) => {
                    if !calls.is_empty() {
                        self.draft.warn(&path, Fate::Moved, "the text of a message stands before its calls");
                    }
                    self.text(text, &mut said, &path);
                }
                Block::ToolUse(call) => calls.extend(self.tool_use(call, (number, index.unwrap_or(0)), &path)),
                _ => self.assistant_media(block, &path)?,
            }
        }
        self.push(Role::Assistant, said, calls);
        Ok(())
    }

    fn text(&mut self, text: TextContent<'d>, said: &mut Vec<Part<'d>>, path: &Path<'_>) {
        self.draft.report_block(text.value(), &["text"], path);
        let Some(text) = text.text().filter(|text| !text.is_empty()) else {
            return self.draft.warn(path, Fate::Dropped, "the text is empty");
        };
        if said.last().is_some_and(|part| text_of(part).is_some()) {
            let message = "the API runs texts of a message together; they are joined, each on a line";
            self.draft.warn(path, Fate::Changed, message);
        }
        said.push(Part::Text(vec![text.raw().into()]));
    }

    /// The API has no place for media of the assistant; on demand the user shows them.
    fn assistant_media(&mut self, block: Value<'d>, path: &Path<'_>) -> Result<(), Error> {
        if !self.draft.options.hoist_assistant_media {
            self.draft.warn(path, Fate::Dropped, "the API takes images and audio only from the user");
            return Ok(());
        }
        let (types, make): (_, fn(Media<'d>) -> Part<'d>) = match Block::new(block) {
            Block::Audio(_) => (AUDIO_TYPES, Part::Audio),
            _ => (IMAGE_TYPES, Part::Image),
        };
        let media = Media::of_message(self.draft, block, types, path)?;
        self.draft.warn(path, Fate::Moved, "the API takes images and audio only from the user, who shows it next");
        self.hoisted.extend([Part::Text(vec!["From the assistant:".into()]), make(media)]);
        Ok(())
    }

    /// As the model itself writes calls.
    fn tool_use(&mut self, call: ToolUseContent<'d>, place: (usize, usize), path: &Path<'_>) -> Option<String> {
        let (id, name, input) = (call.id()?, call.name()?, call.input()?);
        self.draft.report_block(call.value(), &["id", "name", "input"], path);
        self.draft.warn(
            path,
            Fate::Emulated,
            "the API knows no calls of tools in messages; it is sent as the model writes calls",
        );
        let (id, name) = (self.draft.call_id(id, place.0, place.1), self.draft.tool_name(name));
        let mut json = Json::with_capacity(input.raw().len() + 64);
        json.open('{');
        json.key("name").text(&name);
        json.key("arguments").value(input);
        json.close('}');
        self.draft.json.note_replaced(&json);
        self.calls.push((id, name));
        Some(json.finish())
    }

    fn tool_result(
        &mut self,
        result: ToolResultContent<'d>,
        said: &mut Vec<Part<'d>>,
        path: &Path<'_>,
    ) -> Result<(), Error> {
        let Some(id) = result.tool_use_id() else { return Ok(()) };
        self.draft.report_block(result.value(), &["toolUseId", "content", "structuredContent", "isError"], path);
        self.draft.warn(path, Fate::Emulated, "the API knows no results of tools; the user says it");
        said.push(Part::Text(self.title(id, result.is_error() == Some(true))));
        said.append(&mut parts(self.draft, result, TAKES, path)?);
        Ok(())
    }

    /// Says whose result follows: calls have no ids here, so their order tells.
    fn title(&mut self, id: JsonStr<'d>, failed: bool) -> Vec<Cow<'d, str>> {
        let id = self.draft.result_id(id);
        let place = self.calls.iter().position(|(known, _)| *known == id);
        let name = place.and_then(|place| self.calls.get(place)).map_or("", |(_, name)| name);
        let number = place.map_or(0, |place| place + 1).to_string();
        let end = if failed { "), which failed:" } else { "):" };
        vec!["Result of tool call ".into(), number.into(), " (".into(), name.to_owned().into(), end.into()]
    }
}

impl Turn<'_> {
    /// The types of what it has beside text.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.parts.iter().any(|part| kind_of(part) == kind)
    }

    /// Writes the message; the last of the assistant may be one to go on with.
    pub(super) fn write(&self, json: &mut Json, prefix: bool) {
        json.open('{');
        json.key("role").text(self.role.as_str());
        json.key("content");
        let texts: Vec<_> = self.parts.iter().filter_map(text_of).cloned().collect();
        if !self.calls.is_empty() {
            self.folded(json, &texts);
        } else if texts.len() == self.parts.len() {
            json.joined(&lines(&texts));
        } else {
            self.array(json);
        }
        if prefix {
            json.key("prefix").raw("true");
        }
        json.close('}');
    }

    /// As the model was told to write its answers.
    fn folded(&self, json: &mut Json, texts: &[Vec<Cow<'_, str>>]) {
        let mut inner = Json::with_capacity(256);
        inner.open('{');
        if !texts.is_empty() {
            inner.key("text").joined(&lines(texts));
        }
        inner.key("tool_calls").open('[');
        self.calls.iter().for_each(|call| inner.raw(call));
        inner.close(']');
        inner.close('}');
        json.note_replaced(&inner);
        json.text(&inner.finish());
    }

    /// Texts that follow each other are one, with a line for each, as the API would put nothing between them.
    fn array(&self, json: &mut Json) {
        json.open('[');
        for run in self.parts.chunk_by(|left, right| text_of(left).is_some() && text_of(right).is_some()) {
            let texts: Vec<_> = run.iter().filter_map(text_of).cloned().collect();
            json.open('{');
            json.key("type").text(run.first().map_or("", kind_of));
            json.key("value");
            match run.first() {
                Some(Part::Image(media) | Part::Audio(media) | Part::Document(media)) => bytes(json, media),
                _ => json.joined(&lines(&texts)),
            }
            json.close('}');
        }
        json.close(']');
    }
}

/// In place of this the page puts a `Blob`.
fn bytes(json: &mut Json, media: &Media<'_>) {
    json.open('{');
    json.key("mimeType").text(media.mime_type);
    json.key("base64").joined_unchecked(&[&media.data]);
    json.close('}');
}

fn kind_of(part: &Part<'_>) -> &'static str {
    match part {
        Part::Text(_) => "text",
        Part::Image(_) | Part::Document(_) => "image",
        Part::Audio(_) => "audio",
    }
}
