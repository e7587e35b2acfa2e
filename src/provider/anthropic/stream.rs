//! A stream (`MessageStreamEvent`): events of blocks, by index, that add up to a `Message`.

use crate::json::{Document, Kind, Value};

use super::super::body::{Json, MEMBER, RAW_MEMBER};
use super::super::failure::{inner, place_among, string};
use super::super::members::Members;
use super::super::options::copy;
use super::super::stream::{Assembly, Ended, Sink};

/// The events that say something new, in the order of [`Message::event`], the most frequent first.
const EVENTS: &str =
    "content_block_delta content_block_start content_block_stop message_start message_delta message_stop";

/// What may grow of a block, by the name in a delta.
const GROWING: &[(&str, &str)] =
    &[("text", "text"), ("thinking", "thinking"), ("signature", "signature"), ("partial_json", "input")];

/// The message so far.
#[derive(Debug, Default)]
pub(super) struct Message {
    members: Members,
    usage: Members,
    blocks: Vec<Block>,
    calls: usize,
    ended: bool,
}

/// A block so far.
#[derive(Debug)]
struct Block {
    index: i64,
    /// The block as it began.
    start: Document,
    /// What came since for the member of this name, as it stands between quotes.
    grown: Members,
    /// Citations that came since.
    citations: Json,
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
                for name in ["id", "model"] {
                    self.members.set(name, message.at(name));
                }
                set_all(&mut self.usage, message.at("usage"));
            }
            Some(4) => {
                set_all(&mut self.members, event.at("delta"));
                set_all(&mut self.usage, event.at("usage"));
            }
            Some(_) => self.ended = true,
            // `ping`, and what the API may add.
            None => {}
        }
    }

    fn ended(&self) -> Ended {
        match self.ended {
            true => Ended::Yes,
            false if self.members.has("stop_reason") => Ended::Maybe,
            false => Ended::No,
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
        let name = string(start, "name").filter(|_| start.at("type").raw() == "\"tool_use\"");
        let mut call = None;
        if let Some(name) = name {
            sink.tool_use(self.calls, name);
            call = Some(self.calls);
            self.calls += 1;
        }
        if let Some(text) = string(start, "text") {
            sink.text(text);
        }
        let (grown, citations) = (Members::default(), Json::default());
        self.blocks.push(Block { index: index(event), start: copy(start), grown, citations, call });
    }

    fn block_delta(&mut self, event: Value<'_>, sink: &mut Sink) {
        let index = index(event);
        // The newest block with this index: nearly always the last of all.
        let Some(block) = self.blocks.iter_mut().rev().find(|block| block.index == index) else { return };
        let delta = event.at("delta");
        for (member, of) in GROWING {
            let Some(piece) = string(delta, member) else { continue };
            block.grown.grow(of, piece.raw());
            match (*of, block.call) {
                ("text", _) => sink.text(piece),
                ("thinking", _) => sink.reasoning(piece),
                ("input", Some(call)) => sink.tool_input(call, piece),
                _ => {}
            }
        }
        let citation = delta.at("citation");
        if !citation.is_missing() {
            block.citations.one("%r", citation.raw());
        }
    }
}

impl Block {
    /// The block as it would have come in one piece. What did not grow stays as it began, so that thoughts return to the
    /// API as they were.
    fn write(&self, json: &mut Json) {
        let start = self.start.root();
        let mut replaced = Vec::new();
        for (name, _) in self.grown.list() {
            replaced.push(name.as_str());
        }
        if !self.citations.is_empty() {
            replaced.push("citations");
        }
        json.lit("{");
        json.members(start, MEMBER, &replaced);
        for (name, grown) in self.grown.list() {
            let text = ["\"", inner(start, name), grown, "\""].concat();
            // The input of a call of ours stays a text, to be judged by the reader; that of a server tool, which returns
            // to the API as it is, becomes the object.
            let object = if name == "input" && self.call.is_none() { object_in(&text) } else { None };
            json.two(RAW_MEMBER, name, object.as_ref().map_or(&text, |object| object.root().raw()));
        }
        if !self.citations.is_empty() {
            json.one("\"citations\":[%r]", self.citations.text());
        }
        json.lit("}");
    }
}

/// The object that a text is.
fn object_in(text: &str) -> Option<Document> {
    let decoded = Document::from_text(text.to_owned()).ok()?.root().as_str()?.decode().into_owned();
    Document::from_text(decoded).ok().filter(|text| text.root().kind() == Kind::Object)
}

fn index(event: Value<'_>) -> i64 {
    event.at("index").integer_or(0)
}

fn set_all(members: &mut Members, object: Value<'_>) {
    for (name, value) in object.members() {
        members.set(name.raw(), value);
    }
}
