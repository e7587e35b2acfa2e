//! The history, block by block, in an order that suits every provider.

use crate::error::Error;
use crate::json::{Kind as JsonKind, Value};
use crate::sampling::{BlockType, Role};

use super::blank::is_blank;
use super::draft::Draft;
use super::failure::{inner, string};
use super::media::{AUDIO, IMAGES, Takes, allowed, bare};
use super::results::{Part, add, of_message};
use super::warnings::Fate;

/// How a provider takes a history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// What it takes from users, and in results.
    pub(super) takes: Takes,
    /// It takes sound.
    pub(super) hears: bool,
    /// It refuses blank text, not just empty text.
    pub(super) no_blanks: bool,
    /// It takes images and sound of the assistant.
    pub(super) assistant_shows: bool,
    /// A text says where images and sound are from that the user shows in the assistant's place.
    pub(super) labels: bool,
    /// What to report of text that comes after calls.
    pub(super) late_text: &'static str,
}

/// What writes the history for one provider. What is being written is the place of the draft.
pub(super) trait Turns<'d> {
    /// A message begins.
    fn begin(&mut self, draft: &mut Draft<'d>, role: Role);

    /// Text, an image or sound; the block is missing if it has none of its own.
    fn say(&mut self, draft: &mut Draft<'d>, part: Part<'d>, block: Value<'d>);

    /// A call of a tool.
    fn call(&mut self, draft: &mut Draft<'d>, block: Value<'d>);

    /// What a tool answered. Results come before all else in a message.
    fn result(&mut self, draft: &mut Draft<'d>, block: Value<'d>) -> Result<(), Error>;

    /// All results of a message. What they cannot hold follows, as the user says it.
    fn results(&mut self, draft: &mut Draft<'d>, results: &mut [Late<'d>]) -> Result<(), Error> {
        for result in results {
            draft.go(draft.number, result.index);
            draft.is_late = result.is_late;
            self.result(draft, result.block)?;
        }
        Ok(())
    }

    /// A message ends.
    fn end(&mut self, draft: &mut Draft<'d>);

    /// A block of the assistant begins.
    fn see(&mut self, _draft: &Draft<'d>, _block: Value<'d>) {}

    /// The turn has calls already.
    fn has_calls(&self) -> bool {
        false
    }
}

/// A block that is written at another moment than it comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late<'d> {
    pub(super) index: Option<usize>,
    pub(super) block: Value<'d>,
    /// It comes after blocks of another type.
    pub(super) is_late: bool,
}

/// Goes through the messages.
pub(super) fn walk<'d>(draft: &mut Draft<'d>, style: &Style, turns: &mut dyn Turns<'d>) -> Result<(), Error> {
    for (number, message) in draft.params.at("messages").items().enumerate() {
        draft.go(number, None);
        let role = if message.at("role").is_text("user") { Role::User } else { Role::Assistant };
        turn(draft, style, turns, role, message.at("content"))?;
        turns.end(draft);
    }
    draft.place.clear();
    if !draft.hoisted.is_empty() {
        turns.begin(draft, Role::User);
        unload(draft, turns);
        turns.end(draft);
    }
    Ok(())
}

/// Results come right after the calls; only a lenient host sees other blocks beside them.
fn turn<'d>(
    draft: &mut Draft<'d>,
    style: &Style,
    turns: &mut dyn Turns<'d>,
    role: Role,
    content: Value<'d>,
) -> Result<(), Error> {
    let (is_array, blocks) = (content.kind() == JsonKind::Array, content.one_or_items());
    let (number, mut count) = (draft.number, 0);
    let mut results = const { Vec::new() };
    for block in blocks.clone() {
        if block.at("type").is_text("tool_result") {
            results.push(Late { index: is_array.then_some(count), block, is_late: results.len() < count });
        }
        count += 1;
    }
    draft.is_last = false;
    if role == Role::Assistant {
        draft.begin_calls();
    }
    turns.begin(draft, role);
    if role == Role::User {
        turns.results(draft, &mut results)?;
        unload(draft, turns);
    }
    for (index, block) in blocks.enumerate() {
        draft.go(number, is_array.then_some(index));
        if role == Role::Assistant {
            draft.is_last = number + 1 == draft.turn && index + 1 == count;
            turns.see(draft, block);
        }
        match (BlockType::of(block), role) {
            (Some(BlockType::Text), _) => text(draft, style, turns, block),
            (Some(BlockType::ToolUse), Role::Assistant) => turns.call(draft, block),
            (Some(BlockType::ToolResult), Role::User) => {}
            (Some(BlockType::Audio), _) => media(draft, style, turns, role, block, AUDIO)?,
            (Some(BlockType::Image), _) | (_, Role::Assistant) => media(draft, style, turns, role, block, IMAGES)?,
            _ => return Err(draft.unsupported("", NO_CONTENT)),
        }
    }
    Ok(())
}

const NO_CONTENT: &str = "the API takes no such content";

fn text<'d>(draft: &mut Draft<'d>, style: &Style, turns: &mut dyn Turns<'d>, block: Value<'d>) {
    if turns.has_calls() {
        draft.warn(Fate::Moved, style.late_text);
    }
    draft.report_block(block, "type text _meta");
    let inner = inner(block, "text");
    if style.no_blanks && is_blank(inner) {
        draft.warn(Fate::Dropped, "the API takes no blank text");
    } else if inner.is_empty() {
        draft.warn(Fate::Dropped, "the text is empty");
    } else {
        turns.say(draft, Part::text(inner), block);
    }
}

/// Most APIs have no place for media of the assistant; on demand the user shows them. Where it has one, what it does not
/// take is left out; from a user, that is an error.
fn media<'d>(
    draft: &mut Draft<'d>,
    style: &Style,
    turns: &mut dyn Turns<'d>,
    role: Role,
    block: Value<'d>,
    kind: Takes,
) -> Result<(), Error> {
    let (is_user, is_known) = (role == Role::User, style.hears || kind == IMAGES);
    if is_user && !is_known {
        return Err(draft.unsupported("", NO_CONTENT));
    }
    let takes = style.takes & kind;
    let is_taken = |mime_type| allowed(&bare(mime_type), takes).is_some();
    let (shows, hoists) = (is_user || style.assistant_shows, draft.options.hoist_assistant_media && is_known);
    let (fate, message) = match (hoists, style.hears) {
        _ if shows => (Fate::Dropped, "the API does not take this media type"),
        (false, true) => (Fate::Dropped, "the API takes images and audio only from the user"),
        (false, false) => (Fate::Dropped, "the API takes images only from the user, and no audio"),
        (true, true) => (Fate::Moved, "the API takes images and audio only from the user, who shows it next"),
        (true, false) => (Fate::Moved, "the API takes images only from the user, who shows it next"),
    };
    let is_sent = if shows { is_user || string(block, "mimeType").is_some_and(is_taken) } else { hoists };
    if !is_sent {
        draft.warn(fate, message);
        return Ok(());
    }
    let part = of_message(draft, block, takes)?;
    if shows {
        turns.say(draft, part, block);
        return Ok(());
    }
    draft.warn(fate, message);
    if style.labels {
        add(&mut draft.hoisted, "From the assistant:");
    }
    draft.hoisted.push(part);
    Ok(())
}

/// What was set aside for the user comes first in the turn.
fn unload<'d>(draft: &mut Draft<'d>, turns: &mut dyn Turns<'d>) {
    for part in &mut std::mem::take(&mut draft.hoisted) {
        turns.say(draft, part.take(), draft.params.nothing());
    }
}
