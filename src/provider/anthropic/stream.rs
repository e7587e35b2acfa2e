//! A stream (`MessageStreamEvent`): events of blocks, by index, that add up to a `Message`.

use crate::json::{Document, Kind, Value};

use super::super::body::{Json, MEMBER, RAW_MEMBER};
use super::super::failure::{place_among, string};
use super::super::members::Members;
use super::super::sink::{Ended, Sink};
use super::super::stream::Assembly;

/// The events that say something new, in the order of [`Message::event`], the most frequent first.
const EVENTS: &str =
    "content_block_delta content_block_start content_block_stop message_start message_delta message_stop";

/// What may grow of a block, in the order of [`Message::block_delta`].
const GROWING: &str = "text thinking signature partial_json";

/// The message so far.
#[derive(Debug, Default)]
pub(super) struct Message {
    members: Members,
    usage: Members,
    blocks: Vec<Block>,
    calls: usize,
}

/// A block so far. What does not grow stays as it began, so that thoughts return to the API as they were.
#[derive(Debug, Default)]
struct Block {
    index: i64,
    members: Members,
    /// Which call of the answer this is, if it is one.
    call: Option<usize>,
}

impl Assembly for Message {
    /// An error of the API; of a proxy too, which may not give it a type.
    fn suspect<'e>(&self, event: Value<'e>) -> Option<Value<'e>> {
        let kind = event.at("type");
        (kind.as_str().is_none() || kind.is_text("error")).then_some(event)
    }

    fn event(&mut self, event: Value<'_>, sink: &mut Sink) {
        match string(event, "type").and_then(|kind| place_among(kind, EVENTS)) {
            Some(0) => self.block_delta(event, sink),
            Some(1) => self.block_start(event, sink),
            Some(2) => sink.end_text(),
            Some(3) => {
                let message = event.at("message");
                self.members.keep(message, "id model");
                self.usage.set_all(message.at("usage"));
            }
            Some(4) => {
                self.members.set_all(event.at("delta"));
                self.usage.set_all(event.at("usage"));
                if self.members.has("stop_reason") {
                    sink.ended = Ended::Maybe;
                }
            }
            Some(_) => sink.ended = Ended::Yes,
            // `ping`, and what the API may add.
            None => {}
        }
    }

    fn reply(&mut self) -> String {
        let mut json = Json::default();
        json.lit("{");
        self.members.write(&mut json, RAW_MEMBER);
        json.lit("\"content\":[");
        for block in &self.blocks {
            block.write(&mut json);
        }
        json.lit("]");
        json.lit("\"usage\":{");
        self.usage.write(&mut json, RAW_MEMBER);
        json.lit("}}");
        json.finish()
    }
}

impl Message {
    fn block_start(&mut self, event: Value<'_>, sink: &mut Sink) {
        let start = event.at("content_block");
        if start.is_missing() {
            return;
        }
        let mut block = Block { index: index(event), ..Block::default() };
        block.members.set_all(start);
        if let Some(name) = string(start, "name").filter(|_| start.at("type").is_text("tool_use")) {
            sink.tool_use(self.calls, name);
            block.call = Some(self.calls);
            self.calls += 1;
        }
        if let Some(text) = string(start, "text") {
            sink.text(text);
        }
        self.blocks.push(block);
    }

    fn block_delta(&mut self, event: Value<'_>, sink: &mut Sink) {
        let index = index(event);
        // The newest block with this index: nearly always the last of all.
        let Some(block) = self.blocks.iter_mut().rev().find(|block| block.index == index) else { return };
        for (name, value) in event.at("delta").members() {
            // Of the citations of a text it counts that there are some.
            if name == "citation" {
                block.members.put("citations", ["[", value.raw(), "]"].concat());
            }
            let (Some(what), Some(piece)) = (place_among(name, GROWING), value.as_str()) else { continue };
            block.members.grow(if what == 3 { "input" } else { name.raw() }, piece.raw());
            match (what, block.call) {
                (0, _) => sink.text(piece),
                (1, _) => sink.reasoning(piece),
                (3, Some(call)) => sink.tool_input(call, piece),
                _ => {}
            }
        }
    }
}

impl Block {
    /// The block as it would have come in one piece. The input of a call of ours stays a text, to be judged by the reader;
    /// that of a server tool, which returns to the API as it is, becomes the object.
    fn write(&self, json: &mut Json) {
        json.lit("{");
        for (name, value) in self.members.list() {
            let is_foreign = name == "input" && self.call.is_none();
            let text = if is_foreign { Document::or_null(value).root().text() } else { String::new() };
            let object = Document::or_null(&text);
            let object = Some(object.root()).filter(|object| object.kind() == Kind::Object);
            json.two(MEMBER, name, object.map_or(value, Value::raw));
        }
        json.lit("}");
    }
}

fn index(event: Value<'_>) -> i64 {
    event.at("index").integer_or(0)
}
