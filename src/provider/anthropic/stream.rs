//! A stream (`MessageStreamEvent`): events of blocks, by index, that add up to a `Message`.

use crate::error::Error;
use crate::json::{Document, JsonStr, Kind, Number, Value};

use super::super::Provider;
use super::super::body::Json;
use super::super::failure::string;
use super::super::stream::{Assembly, Ended, Sink};
use super::reply::failure;

/// The message so far.
#[derive(Debug, Default)]
pub(super) struct Message {
    /// Members of the message, each with its JSON text; a later value replaces an earlier one, null does not.
    members: Vec<(String, String)>,
    usage: Vec<(String, String)>,
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
    grown: Vec<(&'static str, String)>,
    /// Citations that came since, with commas between them.
    citations: String,
    /// Which call of the answer this is, if it is one.
    call: Option<usize>,
}

impl Assembly for Message {
    fn event(&mut self, event: Value<'_>, sink: &mut Sink) -> Result<(), Error> {
        let Some(kind) = string(event, "type") else { return self.no_type(event) };
        match &*kind.decode() {
            "message_start" => self.start(event),
            "content_block_start" => self.block_start(event, sink),
            "content_block_delta" => self.block_delta(event, sink),
            "content_block_stop" => sink.end_text(),
            "message_delta" => self.delta(event),
            "message_stop" => self.ended = true,
            "error" => return self.no_type(event),
            // `ping`, and what the API may add.
            _ => {}
        }
        Ok(())
    }

    fn ended(&self) -> Ended {
        let has_reason = self.members.iter().any(|(name, _)| name == "stop_reason");
        match (self.ended, has_reason) {
            (true, _) => Ended::Yes,
            (false, true) => Ended::Maybe,
            (false, false) => Ended::No,
        }
    }

    fn reply(&mut self) -> String {
        let mut json = Json::with_capacity(1024);
        json.open('{');
        self.members.iter().for_each(|(name, value)| json.raw_key(name).raw(value));
        json.key("content").open('[');
        self.blocks.iter().for_each(|block| block.write(&mut json));
        json.close(']');
        json.key("usage").open('{');
        self.usage.iter().for_each(|(name, value)| json.raw_key(name).raw(value));
        json.close('}');
        json.close('}');
        json.finish()
    }
}

impl Message {
    /// An error of the API; of a proxy too, which may not give it a type.
    fn no_type(&self, event: Value<'_>) -> Result<(), Error> {
        failure(event).map_or(Ok(()), |failure| Err(failure.into_error(Provider::Anthropic, None)))
    }

    fn start(&mut self, event: Value<'_>) {
        let Some(message) = event.get("message") else { return };
        for name in ["id", "model"] {
            set(&mut self.members, name, message.get(name));
        }
        self.usage(message);
    }

    fn delta(&mut self, event: Value<'_>) {
        for (name, value) in event.get("delta").into_iter().flat_map(Value::members) {
            set(&mut self.members, name.raw(), Some(value));
        }
        self.usage(event);
    }

    fn usage(&mut self, owner: Value<'_>) {
        for (name, value) in owner.get("usage").into_iter().flat_map(Value::members) {
            set(&mut self.usage, name.raw(), Some(value));
        }
    }

    fn block_start(&mut self, event: Value<'_>, sink: &mut Sink) {
        let Some(start) = event.get("content_block") else { return };
        let Ok(start) = Document::from_text(start.raw().to_owned()) else { return };
        let name = string(start.root(), "name")
            .filter(|_| start.root().get("type").is_some_and(|kind| kind.raw() == "\"tool_use\""));
        if let Some(name) = name {
            sink.tool_use(self.calls, &name.decode());
        }
        let call = name.map(|_| self.calls);
        self.calls += usize::from(call.is_some());
        if let Some(text) = string(start.root(), "text") {
            sink.text(text);
        }
        self.blocks.push(Block { index: index(event), start, grown: Vec::new(), citations: String::new(), call });
    }

    fn block_delta(&mut self, event: Value<'_>, sink: &mut Sink) {
        let index = index(event);
        // The newest block with this index: nearly always the last of all.
        let Some(block) = self.blocks.iter_mut().rev().find(|block| block.index == index) else { return };
        let Some(delta) = event.get("delta") else { return };
        for (member, of) in
            [("text", "text"), ("thinking", "thinking"), ("signature", "signature"), ("partial_json", "input")]
        {
            if let Some(piece) = string(delta, member) {
                block.grow(of, piece, sink);
            }
        }
        if let Some(citation) = delta.get("citation") {
            block.citations.push_str(if block.citations.is_empty() { "" } else { "," });
            block.citations.push_str(citation.raw());
        }
    }
}

impl Block {
    fn grow(&mut self, member: &'static str, piece: JsonStr<'_>, sink: &mut Sink) {
        match self.grown.iter_mut().find(|(name, _)| *name == member) {
            Some((_, grown)) => grown.push_str(piece.raw()),
            None => self.grown.push((member, piece.raw().to_owned())),
        }
        match (member, self.call) {
            ("text", _) => sink.text(piece),
            ("thinking", _) => sink.reasoning(piece),
            ("input", Some(call)) => sink.tool_input(call, piece),
            _ => {}
        }
    }

    /// The block as it would have come in one piece. What did not grow stays as it began, so that thoughts return to the
    /// API as they were.
    fn write(&self, json: &mut Json) {
        json.open('{');
        for (name, value) in self.start.root().members() {
            let replaced = self.grown.iter().any(|(grown, _)| name == *grown);
            if !replaced && (name != "citations" || self.citations.is_empty()) {
                json.raw_key(name.raw()).value(value);
            }
        }
        for (name, grown) in &self.grown {
            let start = string(self.start.root(), name).map_or("", JsonStr::raw);
            let text = ["\"", start, grown, "\""].concat();
            json.key(name).raw(&if *name == "input" { self.input(text) } else { text });
        }
        if !self.citations.is_empty() {
            json.key("citations").raw(&["[", &self.citations, "]"].concat());
        }
        json.close('}');
    }

    /// The input of a call of ours stays a text, to be judged by the reader; that of a server tool, which returns to the
    /// API as it is, becomes the object.
    fn input(&self, text: String) -> String {
        let decoded = Document::from_text(text.clone()).ok();
        let decoded = decoded.as_ref().and_then(|text| text.root().as_str()).map(|text| text.decode().into_owned());
        let object =
            decoded.and_then(|text| Document::from_text(text).ok()).filter(|text| text.root().kind() == Kind::Object);
        match object.filter(|_| self.call.is_none()) {
            Some(object) => object.root().raw().to_owned(),
            None => text,
        }
    }
}

fn index(event: Value<'_>) -> i64 {
    event.get("index").and_then(Value::as_number).and_then(Number::as_safe_integer).unwrap_or(0)
}

/// Replaces a member, or adds it. Null says nothing new.
fn set(members: &mut Vec<(String, String)>, name: &str, value: Option<Value<'_>>) {
    let Some(value) = value else { return };
    match members.iter_mut().find(|(known, _)| known == name) {
        Some(_) if value.is_null() => {}
        Some((_, known)) => *known = value.raw().to_owned(),
        None => members.push((name.to_owned(), value.raw().to_owned())),
    }
}
