//! The history (`Content`, `Part`).

use crate::error::Error;
use crate::json::{JsonStr, Kind, Path, Value};
use crate::sampling::{Block, Role, SamplingMessage, TextContent, ToolResultContent, ToolUseContent};

use super::super::Rules;
use super::super::answer::MINTED;
use super::super::body::is_blank;
use super::super::draft::{Draft, at, blocks};
use super::super::failure::{string, unsupported};
use super::super::media::allowed;
use super::super::results::{Media, Part};
use super::super::warnings::Fate;
use super::{AUDIO_TYPES, IMAGE_TYPES};

/// What stands for a signature that is not there. The API asks for nothing but this very text.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// A call that waits for its result. The API wants results in the order of the calls, and their names.
#[derive(Debug)]
pub(super) struct Call<'d> {
    id: JsonStr<'d>,
    pub(super) name: String,
    /// The id in the body, if there is one.
    pub(super) wire: Option<String>,
}

/// Writes the contents. A turn is opened by its first part that is sent, so messages that end up empty vanish, and
/// neighbours of one role become one turn, as the API wants them.
#[derive(Debug)]
pub(super) struct Contents<'a, 'd> {
    pub(super) draft: &'a mut Draft<'d>,
    /// Who spoke last, of what was sent.
    last: Option<Role>,
    /// The calls of the last turn of the model.
    calls: Vec<Call<'d>>,
    /// The turn has a call: only the first of them needs a signature.
    has_call: bool,
    /// What results cannot hold; it follows them in the same turn, each after a text that says where it is from.
    pub(super) aside: Vec<Part<'d>>,
}

impl<'a, 'd> Contents<'a, 'd> {
    /// Returns who spoke last; nothing if nothing was said. The user begins with what the system says, if it is given.
    pub(super) fn write(draft: &'a mut Draft<'d>, system: Option<JsonStr<'d>>) -> Result<Option<Role>, Error> {
        let mut contents = Self { draft, last: None, calls: Vec::new(), has_call: false, aside: Vec::new() };
        if let Some(system) = system {
            contents.text_part(Role::User, &[system.raw(), "\\n\\n"], None);
        }
        let mut said = false;
        for (index, message) in contents.draft.messages() {
            let list = Path::Root.key("messages");
            said |= contents.message(message, index, &list.index(index))?;
        }
        if contents.last.is_some() {
            contents.close();
        }
        Ok(contents.last.filter(|_| said))
    }

    /// True if something of the message was sent.
    fn message(&mut self, message: SamplingMessage<'d>, index: usize, path: &Path<'_>) -> Result<bool, Error> {
        match message.role() {
            Some(Role::User) => self.user(message, &path.key("content")),
            Some(Role::Assistant) => self.assistant(message, index, &path.key("content")),
            None => Ok(false),
        }
    }

    fn user(&mut self, message: SamplingMessage<'d>, path: &Path<'_>) -> Result<bool, Error> {
        let mut said = self.results(message, path)?;
        for (index, block) in blocks(message) {
            let path = at(path, index);
            match Block::new(block) {
                Block::Text(text) => said |= self.text(Role::User, text, &path),
                Block::Image(_) => said |= self.media_of(Role::User, block, IMAGE_TYPES, &path)?,
                Block::Audio(_) => said |= self.media_of(Role::User, block, AUDIO_TYPES, &path)?,
                Block::ToolResult(_) => {}
                _ => return Err(unsupported(self.draft.provider, &path, "the API takes no such content")),
            }
        }
        Ok(said)
    }

    /// One result for each call, in the order of the calls.
    fn results(&mut self, message: SamplingMessage<'d>, path: &Path<'_>) -> Result<bool, Error> {
        let mut results: Vec<_> = blocks(message).filter_map(|(index, block)| Some((index, result(block)?))).collect();
        if results.is_empty() {
            return Ok(false);
        }
        for (number, call) in std::mem::take(&mut self.calls).into_iter().enumerate() {
            let found = results.iter().position(|(_, result)| result.tool_use_id().is_some_and(|id| id == call.id));
            if let Some((index, result)) = found.map(|found| results.remove(found)) {
                self.enter(Role::User);
                self.result(&call, number, result, &at(path, index))?;
            }
        }
        for (index, _) in results {
            self.draft.warn(&at(path, index), Fate::Dropped, "the API takes one result for each call");
        }
        for part in std::mem::take(&mut self.aside) {
            self.part(part);
        }
        Ok(true)
    }

    fn assistant(&mut self, message: SamplingMessage<'d>, number: usize, path: &Path<'_>) -> Result<bool, Error> {
        self.draft.begin_calls();
        self.calls.clear();
        let mut said = false;
        for (index, block) in blocks(message) {
            let path = at(path, index);
            said |= match Block::new(block) {
                Block::Text(text) => self.text(Role::Assistant, text, &path),
                Block::ToolUse(call) => self.tool_use(call, (number, index.unwrap_or(0)), &path),
                Block::Audio(_) => self.media_of(Role::Assistant, block, AUDIO_TYPES, &path)?,
                _ => self.media_of(Role::Assistant, block, IMAGE_TYPES, &path)?,
            };
        }
        Ok(said)
    }

    fn text(&mut self, role: Role, text: TextContent<'d>, path: &Path<'_>) -> bool {
        self.draft.report_block(text.value(), &["text"], path);
        let inner = text.text().map_or("", JsonStr::raw);
        if is_blank(inner) {
            self.draft.warn(path, Fate::Dropped, "the API takes no blank text");
            return false;
        }
        let (own, after) = self.replay(role, text.value());
        self.text_part(role, &[inner], own);
        self.signed_parts(after);
        true
    }

    /// What a model said in pictures and sounds is part of its turn. Of a type that the API does not take, it is left
    /// out; from a user, that is an error.
    fn media_of(
        &mut self,
        role: Role,
        block: Value<'d>,
        types: &[&'static str],
        path: &Path<'_>,
    ) -> Result<bool, Error> {
        let is_taken = string(block, "mimeType").is_some_and(|mime_type| allowed(mime_type, types).is_some());
        if role == Role::Assistant && !is_taken {
            self.draft.warn(path, Fate::Dropped, "the API does not take this media type");
            return Ok(false);
        }
        let media = Media::of_message(self.draft, block, types, path)?;
        let (own, after) = self.replay(role, block);
        self.enter(role);
        self.draft.json.open('{');
        self.inline_data(&media);
        self.close_part(own);
        self.signed_parts(after);
        Ok(true)
    }

    fn tool_use(&mut self, call: ToolUseContent<'d>, (message, block): (usize, usize), path: &Path<'_>) -> bool {
        let (Some(id), Some(name), Some(input)) = (call.id(), call.name(), call.input()) else { return false };
        self.draft.report_block(call.value(), &["id", "name", "input"], path);
        let (wire, name) = (self.draft.call_id(id, message, block), self.draft.tool_name(name));
        // An id that was made here is news to the API.
        let has_id = self.draft.rules.allow(Rules::CALL_IDS) && !id.decode().starts_with(MINTED);
        let wire = has_id.then_some(wire);
        let (own, after) = self.replay(Role::Assistant, call.value());
        self.enter(Role::Assistant);
        let unsigned = own.is_none() && !self.has_call && self.draft.rules.allow(Rules::SIGNATURES);
        self.has_call = true;
        let json = &mut self.draft.json;
        json.open('{');
        json.key("functionCall").open('{');
        if let Some(wire) = &wire {
            json.key("id").text(wire);
        }
        json.key("name").text(&name);
        json.key("args").value(input);
        json.close('}');
        if unsigned {
            json.key("thoughtSignature").text(NO_SIGNATURE);
            self.draft.warn(path, Fate::Emulated, "the call lost its thought signature, and gets a word in its place");
        }
        self.close_part(own);
        self.signed_parts(after);
        self.calls.push(Call { id, name, wire });
        true
    }

    /// Gives back the parts that came before this block. Returns its signature, and those of empty parts after it.
    fn replay(&mut self, role: Role, block: Value<'d>) -> (Option<Value<'d>>, Vec<Value<'d>>) {
        let mut signatures = Vec::new();
        if role == Role::Assistant {
            let items: Vec<_> = self.draft.opaque(block).filter(|item| item.kind() == Kind::Object).collect();
            for item in items {
                match item.get("thoughtSignature").filter(|_| item.members().count() == 1) {
                    Some(signature) => signatures.push(signature),
                    None => {
                        self.enter(role);
                        self.draft.json.value(item);
                    }
                }
            }
        }
        let mut signatures = signatures.into_iter();
        (signatures.next(), signatures.collect())
    }

    fn signed_parts(&mut self, signatures: Vec<Value<'d>>) {
        for signature in signatures {
            self.text_part(Role::Assistant, &[], Some(signature));
        }
    }

    fn text_part(&mut self, role: Role, pieces: &[&str], signature: Option<Value<'d>>) {
        self.enter(role);
        self.draft.json.open('{');
        self.draft.json.key("text").joined(pieces);
        self.close_part(signature);
    }

    fn close_part(&mut self, signature: Option<Value<'d>>) {
        if let Some(signature) = signature {
            self.draft.json.key("thoughtSignature").value(signature);
        }
        self.draft.json.close('}');
    }

    fn part(&mut self, part: Part<'d>) {
        match part {
            Part::Text(pieces) => {
                let pieces: Vec<_> = pieces.iter().map(|piece| &**piece).collect();
                self.text_part(Role::User, &pieces, None);
            }
            Part::Image(media) | Part::Audio(media) | Part::Document(media) => {
                self.draft.json.open('{');
                self.inline_data(&media);
                self.draft.json.close('}');
            }
        }
    }

    pub(super) fn inline_data(&mut self, media: &Media<'d>) {
        let json = &mut self.draft.json;
        json.key("inlineData").open('{');
        json.key("mimeType").text(media.mime_type);
        json.key("data").joined_unchecked(&[&media.data]);
        json.close('}');
    }

    fn enter(&mut self, role: Role) {
        if self.last == Some(role) {
            return;
        }
        if self.last.is_some() {
            self.close();
        }
        (self.last, self.has_call) = (Some(role), false);
        self.draft.json.open('{');
        self.draft.json.key("role").text(if role == Role::User { "user" } else { "model" });
        self.draft.json.key("parts").open('[');
    }

    fn close(&mut self) {
        self.draft.json.close(']');
        self.draft.json.close('}');
    }
}

fn result(block: Value<'_>) -> Option<ToolResultContent<'_>> {
    match Block::new(block) {
        Block::ToolResult(result) => Some(result),
        _ => None,
    }
}
