//! The history, block by block, in an order that suits every provider.

use crate::error::Error;
use crate::json::{Items, Kind as JsonKind, Value};
use crate::sampling::{BlockType, Role};

use super::body::is_blank;
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

    /// All results of a message.
    fn results(&mut self, draft: &mut Draft<'d>, results: &[Late<'d>]) -> Result<(), Error> {
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
        let content = message.at("content");
        if message.at("role").is_text("user") {
            user(draft, style, turns, content)?;
        } else {
            assistant(draft, style, turns, content)?;
        }
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

/// The blocks, and whether they have numbers.
fn blocks(content: Value<'_>) -> (Items<'_>, bool) {
    let is_array = content.kind() == JsonKind::Array;
    (content.one_or_items(), is_array)
}

/// Results come right after the calls; only a lenient host sees other blocks beside them.
fn user<'d>(draft: &mut Draft<'d>, style: &Style, turns: &mut dyn Turns<'d>, content: Value<'d>) -> Result<(), Error> {
    let (blocks, is_array) = blocks(content);
    let number = draft.number;
    let (mut results, mut is_late) = (const { Vec::new() }, false);
    for (index, block) in blocks.clone().enumerate() {
        if block.at("type").is_text("tool_result") {
            results.push(Late { index: is_array.then_some(index), block, is_late });
        } else {
            is_late = true;
        }
    }
    draft.is_last = false;
    turns.begin(draft, Role::User);
    turns.results(draft, &results)?;
    unload(draft, turns);
    for (index, block) in blocks.enumerate() {
        draft.go(number, is_array.then_some(index));
        match BlockType::of(block) {
            Some(BlockType::Text) => text(draft, style, turns, block),
            Some(BlockType::Image) => shown(draft, style, turns, block, IMAGES)?,
            Some(BlockType::Audio) if style.hears => shown(draft, style, turns, block, AUDIO)?,
            Some(BlockType::ToolResult) => {}
            _ => return Err(draft.unsupported("", "the API takes no such content")),
        }
    }
    Ok(())
}

fn assistant<'d>(
    draft: &mut Draft<'d>,
    style: &Style,
    turns: &mut dyn Turns<'d>,
    content: Value<'d>,
) -> Result<(), Error> {
    let (blocks, is_array) = blocks(content);
    let (number, count) = (draft.number, blocks.clone().count());
    draft.begin_calls();
    turns.begin(draft, Role::Assistant);
    for (index, block) in blocks.enumerate() {
        draft.go(number, is_array.then_some(index));
        draft.is_last = number + 1 == draft.turn && index + 1 == count;
        turns.see(draft, block);
        match BlockType::of(block) {
            Some(BlockType::Text) => {
                if turns.has_calls() {
                    draft.warn("", Fate::Moved, style.late_text);
                }
                text(draft, style, turns, block);
            }
            Some(BlockType::ToolUse) => turns.call(draft, block),
            other => assistant_shows(draft, style, turns, block, other)?,
        }
    }
    Ok(())
}

fn text<'d>(draft: &mut Draft<'d>, style: &Style, turns: &mut dyn Turns<'d>, block: Value<'d>) {
    draft.report_block(block, "type text _meta");
    let inner = inner(block, "text");
    if style.no_blanks && is_blank(inner) {
        draft.warn("", Fate::Dropped, "the API takes no blank text");
    } else if inner.is_empty() {
        draft.warn("", Fate::Dropped, "the text is empty");
    } else {
        turns.say(draft, Part::text(inner), block);
    }
}

fn shown<'d>(
    draft: &mut Draft<'d>,
    style: &Style,
    turns: &mut dyn Turns<'d>,
    block: Value<'d>,
    kind: Takes,
) -> Result<(), Error> {
    let part = of_message(draft, block, style.takes & kind)?;
    turns.say(draft, part, block);
    Ok(())
}

/// Most APIs have no place for media of the assistant; on demand the user shows them. Where it has one, what it does not
/// take is left out; from a user, that is an error.
fn assistant_shows<'d>(
    draft: &mut Draft<'d>,
    style: &Style,
    turns: &mut dyn Turns<'d>,
    block: Value<'d>,
    is: Option<BlockType>,
) -> Result<(), Error> {
    let kind = if is == Some(BlockType::Audio) { AUDIO } else { IMAGES };
    if style.assistant_shows {
        let is_taken = |mime_type| allowed(&bare(mime_type), style.takes & kind).is_some();
        if string(block, "mimeType").is_some_and(is_taken) {
            return shown(draft, style, turns, block, kind);
        }
        draft.warn("", Fate::Dropped, "the API does not take this media type");
        return Ok(());
    }
    if !draft.options.hoist_assistant_media || !(style.hears || is == Some(BlockType::Image)) {
        let all = "the API takes images and audio only from the user";
        let message = if style.hears { all } else { "the API takes images only from the user, and no audio" };
        draft.warn("", Fate::Dropped, message);
        return Ok(());
    }
    let part = of_message(draft, block, style.takes & kind)?;
    let all = "the API takes images and audio only from the user, who shows it next";
    let message = if style.hears { all } else { "the API takes images only from the user, who shows it next" };
    draft.warn("", Fate::Moved, message);
    if style.labels {
        add(&mut draft.hoisted, "From the assistant:");
    }
    draft.hoisted.push(part);
    Ok(())
}

/// What was set aside for the user comes first in the turn.
fn unload<'d>(draft: &mut Draft<'d>, turns: &mut dyn Turns<'d>) {
    for part in std::mem::take(&mut draft.hoisted) {
        turns.say(draft, part, draft.params.nothing());
    }
}
