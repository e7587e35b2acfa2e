//! Messages (`ChatCompletionMessageParam`).

use std::borrow::Cow;

use crate::error::Error;
use crate::json::{Path, Value, quote};
use crate::sampling::{Block, Role, SamplingMessage, TextContent, ToolResultContent, ToolUseContent};

use super::super::Rules;
use super::super::body::Json;
use super::super::draft::{Draft, at, blocks};
use super::super::failure::unsupported;
use super::super::results::{Media, Part, Takes, parts};
use super::super::warnings::{Fate, Warning};
use super::parts::{inside, lines, text_of, write_part, write_text};
use super::profile::{NullContent, Profile};

/// Writes the messages. What a turn holds is collected first: whether its content is a text or an array shows at its end.
#[derive(Debug)]
pub(in super::super) struct Messages<'a, 'd> {
    draft: &'a mut Draft<'d>,
    profile: &'a Profile,
    /// Who speaks in the turn that is collected.
    role: Role,
    parts: Vec<Part<'d>>,
    /// Places of texts that come after another one of the turn.
    joinable: Vec<String>,
    /// Calls of the turn, each a JSON object.
    calls: Vec<String>,
    /// The reasoning that led to the turn, as a JSON text.
    reasoning: Option<&'d str>,
    /// Images and sounds that go into the next message of the user, each after a text that says where it is from.
    hoisted: Vec<Part<'d>>,
    /// The calls of the last message of the assistant: id and name.
    called: Vec<(String, String)>,
    /// Who spoke last, of what was written.
    last: Option<Role>,
}

impl<'a, 'd> Messages<'a, 'd> {
    /// False if there was nothing to write.
    pub(in super::super) fn write(draft: &'a mut Draft<'d>, profile: &'a Profile, tools: bool) -> Result<bool, Error> {
        let mut messages = Self {
            draft,
            profile,
            role: Role::User,
            parts: Vec::new(),
            joinable: Vec::new(),
            calls: Vec::new(),
            reasoning: None,
            hoisted: Vec::new(),
            called: Vec::new(),
            last: None,
        };
        messages.system(tools);
        for (index, message) in messages.draft.messages() {
            let list = Path::Root.key("messages");
            messages.message(message, index, &list.index(index))?;
        }
        messages.turn_to(Role::User);
        messages.unload();
        messages.close_turn();
        if profile.hermes && messages.last == Some(Role::Assistant) {
            messages.let_user_speak()?;
        }
        Ok(messages.last.is_some())
    }

    fn let_user_speak(&mut self) -> Result<(), Error> {
        let text = self.draft.continuation()?;
        self.draft.json.open('{');
        self.draft.json.key("role").text("user");
        self.draft.json.key("content").text(text);
        self.draft.json.close('}');
        Ok(())
    }

    /// The system prompt; as the start of the first turn of the user where a system message cannot stand beside tools.
    fn system(&mut self, tools: bool) {
        let Some(system) = self.draft.system() else { return };
        if self.profile.hermes && tools {
            let path = Path::Root.key("systemPrompt");
            self.draft.warn(
                &path,
                Fate::Moved,
                "the engine takes no system message beside tools; the user says it first",
            );
            return self.parts.push(Part::Text(vec![system.raw().into()]));
        }
        let developer = self.profile.developer && self.draft.rules.allow(Rules::REASONING);
        let json = &mut self.draft.json;
        json.open('{');
        json.key("role").text(if developer { "developer" } else { "system" });
        json.key("content").token(system);
        json.close('}');
    }

    fn message(&mut self, message: SamplingMessage<'d>, index: usize, path: &Path<'_>) -> Result<(), Error> {
        match message.role() {
            Some(Role::User) => self.user(message, &path.key("content"))?,
            Some(Role::Assistant) => self.assistant(message, index, &path.key("content"))?,
            None => {}
        }
        if !self.profile.content_as_string {
            self.close_turn();
        }
        Ok(())
    }

    /// Results come right after the calls, each as a message; what they cannot hold follows from the user.
    fn user(&mut self, message: SamplingMessage<'d>, path: &Path<'_>) -> Result<(), Error> {
        self.turn_to(Role::User);
        for (index, block) in blocks(message) {
            if let Block::ToolResult(result) = Block::new(block) {
                self.tool_result(result, &at(path, index))?;
            }
        }
        self.unload();
        for (index, block) in blocks(message) {
            let path = at(path, index);
            match Block::new(block) {
                Block::Text(text) => self.text(text, &path),
                Block::Image(_) => self.media(block, self.profile.images, Part::Image, &path)?,
                Block::Audio(_) => self.media(block, self.profile.audio, Part::Audio, &path)?,
                Block::ToolResult(_) => {}
                _ => return Err(unsupported(self.draft.provider, &path, "the API takes no such content")),
            }
        }
        Ok(())
    }

    fn assistant(&mut self, message: SamplingMessage<'d>, number: usize, path: &Path<'_>) -> Result<(), Error> {
        self.turn_to(Role::Assistant);
        self.draft.begin_calls();
        self.called.clear();
        for (index, block) in blocks(message) {
            let path = at(path, index);
            self.recall(block);
            match Block::new(block) {
                Block::Text(text) => {
                    if !self.calls.is_empty() {
                        self.draft.warn(&path, Fate::Moved, "the API takes the text of a turn before its calls");
                    }
                    self.text(text, &path);
                }
                Block::ToolUse(call) => self.tool_use(call, (number, index.unwrap_or(0)), &path),
                _ => self.assistant_media(block, &path)?,
            }
        }
        Ok(())
    }

    fn text(&mut self, text: TextContent<'d>, path: &Path<'_>) {
        self.draft.report_block(text.value(), &["text"], path);
        match text.text().filter(|text| !text.is_empty()) {
            Some(text) => {
                if self.parts.iter().any(|part| text_of(part).is_some()) {
                    self.joinable.push(path.to_string());
                }
                self.parts.push(Part::Text(vec![text.raw().into()]));
            }
            None => self.draft.warn(path, Fate::Dropped, "the text is empty"),
        }
    }

    fn media(
        &mut self,
        block: Value<'d>,
        types: &[&'static str],
        make: fn(Media<'d>) -> Part<'d>,
        path: &Path<'_>,
    ) -> Result<(), Error> {
        let media = Media::of_message(self.draft, block, types, path)?;
        self.parts.push(make(media));
        Ok(())
    }

    /// The API has no place for media of the assistant; on demand the user shows them.
    fn assistant_media(&mut self, block: Value<'d>, path: &Path<'_>) -> Result<(), Error> {
        if !self.draft.options.hoist_assistant_media {
            self.draft.warn(path, Fate::Dropped, "the API takes images and audio only from the user");
            return Ok(());
        }
        let (types, make): (_, fn(Media<'d>) -> Part<'d>) = match Block::new(block) {
            Block::Audio(_) => (self.profile.audio, Part::Audio),
            _ => (self.profile.images, Part::Image),
        };
        let media = Media::of_message(self.draft, block, types, path)?;
        self.draft.warn(path, Fate::Moved, "the API takes images and audio only from the user, who shows it next");
        self.hoisted.extend([Part::Text(vec!["From the assistant:".into()]), make(media)]);
        Ok(())
    }

    fn tool_use(&mut self, call: ToolUseContent<'d>, (message, block): (usize, usize), path: &Path<'_>) {
        let (Some(id), Some(name), Some(input)) = (call.id(), call.name(), call.input()) else { return };
        self.draft.report_block(call.value(), &["id", "name", "input"], path);
        let (id, name) = (self.draft.call_id(id, message, block), self.draft.tool_name(name));
        if self.profile.hermes {
            self.draft.warn(path, Fate::Changed, "the engine reads no calls of the history; it is sent as text");
            return self.call_as_text(&name, input);
        }
        let extra = self.draft.opaque(call.value()).find_map(|item| item.get("extra_content"));
        let mut json = Json::with_capacity(input.raw().len() + 128);
        json.open('{');
        json.key("id").text(&id);
        json.key("type").text("function");
        json.key("function").open('{');
        json.key("name").text(&name);
        json.key("arguments").quoted(input);
        json.close('}');
        if let Some(extra) = extra {
            json.key("extra_content").value(extra);
        }
        json.close('}');
        self.calls.push(json.finish());
        self.called.push((id, name));
    }

    /// As the models with tools of this engine were trained to write calls.
    fn call_as_text(&mut self, name: &str, input: Value<'d>) {
        let call = ["{\"name\":", &quote(name), ",\"arguments\":", input.raw(), "}"].concat();
        let quoted = quote(&["<tool_call>\n", &call, "\n</tool_call>"].concat());
        self.parts.push(Part::Text(vec![inside(&quoted).to_owned().into()]));
    }

    /// The reasoning and the calls' own extras that a block carries.
    fn recall(&mut self, block: Value<'d>) {
        if self.profile.reasoning_field.is_some() && self.reasoning.is_none() {
            let reasoning = |item: Value<'d>| item.get("reasoning_content").map(Value::raw);
            self.reasoning = self.draft.opaque(block).find_map(reasoning);
        }
    }

    fn tool_result(&mut self, result: ToolResultContent<'d>, path: &Path<'_>) -> Result<(), Error> {
        let Some(id) = result.tool_use_id() else { return Ok(()) };
        self.close_turn();
        self.draft.report_block(result.value(), &["toolUseId", "content", "structuredContent", "isError"], path);
        let id = self.draft.result_id(id);
        let takes = Takes { images: self.profile.images, audio: self.profile.audio, documents: &[] };
        let mut texts = Vec::new();
        if result.is_error() == Some(true) {
            self.draft.warn(
                &path.key("isError"),
                Fate::Changed,
                "the API has no mark for failed tools; the text says it",
            );
            texts.push(vec!["Error:".into()]);
        }
        for part in parts(self.draft, result, takes, path)? {
            match part {
                Part::Text(pieces) => texts.push(pieces),
                media => texts.push(self.hoist(media, &id, path)),
            }
        }
        self.write_result(&id, &texts);
        Ok(())
    }

    /// Lets the user show what a result cannot hold; returns what the result says of it.
    fn hoist(&mut self, media: Part<'d>, id: &str, path: &Path<'_>) -> Vec<Cow<'d, str>> {
        self.draft.warn(
            &path.key("content"),
            Fate::Moved,
            "the API takes only text in results; the user shows the rest next",
        );
        let label = ["From the result of ", id, ":"].concat();
        self.hoisted.extend([Part::Text(vec![label.into()]), media]);
        vec!["(shown in the next message)".into()]
    }

    fn write_result(&mut self, id: &str, texts: &[Vec<Cow<'d, str>>]) {
        self.last = Some(Role::User);
        let json = &mut self.draft.json;
        json.open('{');
        json.key("role").text("tool");
        json.key("tool_call_id").text(id);
        if let Some((_, name)) = self.called.iter().find(|(call, _)| self.profile.named_results && call == id) {
            json.key("name").text(name);
        }
        json.key("content").joined(&lines(texts));
        json.close('}');
    }

    /// What was set aside for the user comes first in the turn.
    fn unload(&mut self) {
        self.parts.append(&mut self.hoisted);
    }

    fn turn_to(&mut self, role: Role) {
        if self.role != role {
            self.close_turn();
            self.role = role;
        }
    }

    /// Writes the turn that was collected, if there is something in it.
    fn close_turn(&mut self) {
        let (parts, calls) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.calls));
        let (reasoning, joinable) = (self.reasoning.take(), std::mem::take(&mut self.joinable));
        if parts.is_empty() && calls.is_empty() {
            return;
        }
        self.last = Some(self.role);
        self.draft.json.open('{');
        self.draft.json.key("role").text(self.role.as_str());
        self.content(&parts, !calls.is_empty());
        if self.profile.hermes || (self.profile.content_as_string && parts.iter().all(|part| text_of(part).is_some())) {
            self.report_joined(joinable);
        }
        if let (Some(reasoning), Some(field)) = (reasoning, self.profile.reasoning_field) {
            self.draft.json.key(field).raw(reasoning);
        }
        if !calls.is_empty() {
            self.draft.json.key("tool_calls").open('[');
            calls.iter().for_each(|call| self.draft.json.raw(call));
            self.draft.json.close(']');
        }
        self.draft.json.close('}');
    }

    fn report_joined(&mut self, paths: Vec<String>) {
        let message = "the server takes one text a turn; they are joined, each on a line";
        let warning = |path| Warning { path, fate: Fate::Changed, message };
        self.draft.warnings.0.extend(paths.into_iter().map(warning));
    }

    fn content(&mut self, parts: &[Part<'d>], has_calls: bool) {
        let texts: Vec<_> = parts.iter().filter_map(text_of).cloned().collect();
        let only_text = texts.len() == parts.len();
        let json = &mut self.draft.json;
        match (parts, self.profile.null_content) {
            ([], NullContent::Null) if has_calls => json.key("content").raw("null"),
            ([], NullContent::Omit) if has_calls => {}
            ([] | [_], _) if only_text => json.key("content").joined(&lines(&texts)),
            _ if only_text && self.profile.content_as_string => json.key("content").joined(&lines(&texts)),
            _ => self.array(parts),
        }
    }

    /// Texts and media in their order; where only one text may stand in a message, it comes first.
    fn array(&mut self, parts: &[Part<'d>]) {
        self.draft.json.key("content").open('[');
        if self.profile.hermes {
            let texts: Vec<_> = parts.iter().filter_map(text_of).cloned().collect();
            if !texts.is_empty() {
                write_text(&mut self.draft.json, &texts);
            }
            parts.iter().filter(|part| text_of(part).is_none()).for_each(|part| write_part(&mut self.draft.json, part));
            return self.draft.json.close(']');
        }
        parts.iter().for_each(|part| write_part(&mut self.draft.json, part));
        self.draft.json.close(']');
    }
}
