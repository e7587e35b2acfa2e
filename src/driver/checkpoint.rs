//! Checkpoints: a call between two legs as plain JSON, to go on elsewhere.
//!
//! Texts that must come back byte for byte (the state token, the server's parameters) stand in it as strings of JSON
//! text, so that whatever stores the checkpoint may parse and write it again. A checksum over all of them tells a
//! checkpoint that was changed by hand; it is no protection against somebody who wants to forge one.

use std::rc::Rc;

use super::round::Asked;
use super::{Call, Limits};
use crate::error::{Code, Error};
use crate::json::{
    Document, Kind, Value, ValueId, concat, decimal, digits, push_item, push_key, push_member, push_text,
};
use crate::mrtr::{Ask, InputMethod};

/// The version this library writes and reads.
const VERSION: i64 = 1;
/// Stands for a number that is not there.
const NONE: i64 = i64::MIN;

pub(super) fn write(call: &Call) -> String {
    let Writer { mut out, checksum } = unsigned(call);
    push_text(&mut out, "checksum", &digits(checksum));
    out.push_str("}");
    out
}

/// All but the checksum.
fn unsigned(call: &Call) -> Writer {
    let mut writer = Writer { out: String::from("{\"version\":1"), checksum: 0xcbf2_9ce4_8422_2325 };
    writer.text("method", &call.method);
    writer.json("paramsJson", call.params().map_or("", Value::raw));
    writer.number("round", call.rounds);
    writer.number("lastId", call.last_id);
    push_key(&mut writer.out, "requests");
    writer.out.push_str("[");
    for Asked { ask, raw_key, answer } in &call.round.asked {
        push_item(&mut writer.out, "{");
        writer.text("method", ask.method.as_str());
        writer.text("key", raw_key);
        writer.json("paramsJson", ask.document.value(ask.params).raw());
        writer.json("resultJson", answer);
        writer.out.push_str("}");
    }
    writer.out.push_str("]");
    writer.json("requestStateJson", &call.round.request_state);
    writer
}

struct Writer {
    out: String,
    /// 64-bit FNV-1a over texts and their lengths.
    checksum: u64,
}

impl Writer {
    fn text(&mut self, name: &str, text: &str) {
        self.add("+");
        self.add(text);
        push_text(&mut self.out, name, text);
    }

    /// JSON text is never empty.
    fn json(&mut self, name: &str, text: &str) {
        // An absent text must not add up to the same as an empty one.
        if text.is_empty() { self.add("-") } else { self.text(name, text) }
    }

    fn number(&mut self, name: &str, number: u32) {
        let number = decimal(i64::from(number));
        self.add(&number);
        push_member(&mut self.out, name, &number);
    }

    fn add(&mut self, text: &str) {
        self.hash(&(text.len() as u64).to_le_bytes());
        self.hash(text.as_bytes());
    }

    fn hash(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.checksum = (self.checksum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Reads a checkpoint back into a call that goes on from there. Whether anything was changed shows when it is written
/// again.
pub(super) fn read(text: &str, limits: Limits) -> Result<Call, Error> {
    let mut reader = Reader { why: "", padded: false };
    let document = reader.parsed(text.to_owned(), "it is not JSON");
    let root = document.root();
    let version = root.at("version").integer_or(NONE);
    if version != VERSION && version != NONE {
        let version = decimal(version);
        let sentence = "The checkpoint cannot be used: its version is %, this package reads version 1";
        return Err(Error::told(Code::InvalidCheckpoint, sentence, &[&version]).facts("{\"version\":%}", &[&version]));
    }
    reader.expect(version == VERSION, "it has no version");
    let call = reader.call(root, limits);
    let is_whole = root.at("checksum").is_text(&digits(unsigned(&call).checksum));
    reader.expect(is_whole && !reader.padded, "it was changed");
    if reader.why.is_empty() {
        return Ok(call);
    }
    let sentence = "The checkpoint cannot be used: %; pass one exactly as this package made it";
    Err(Error::told(Code::InvalidCheckpoint, sentence, &[reader.why]))
}

/// Reads on after a mistake, and keeps the first.
struct Reader {
    why: &'static str,
    /// Blanks around a text have no part in the checksum.
    padded: bool,
}

impl Reader {
    fn call(&mut self, root: Value<'_>, limits: Limits) -> Call {
        let method = self.text(root, "method", "it has no method");
        let params = self.json(root, "paramsJson");
        let mut call = Call::new(&method, params, limits);
        call.rounds = self.number(root, "round", "it has no round");
        call.last_id = self.number(root, "lastId", "it has no lastId");
        let requests = root.at("requests");
        self.expect(requests.is(Kind::Array), "it has no requests");
        for request in requests.items() {
            let asked = self.asked(request, call.rounds, call.round.asked.len());
            call.round.asked.push(asked);
        }
        call.round.request_state = self.json_text(root, "requestStateJson");
        call
    }

    fn asked(&mut self, request: Value<'_>, round: u32, index: usize) -> Asked {
        let no_method = "a request has no known method";
        let method = InputMethod::from_name(&self.text(request, "method", no_method));
        self.expect(method.is_some(), no_method);
        let method = method.unwrap_or(InputMethod::ListRoots);
        let raw_key = self.text(request, "key", "a request has no key");
        let key = self.parsed(concat(&["\"", &raw_key, "\""]), "a key is no string");
        let key = key.root().text();
        let document = self.json(request, "paramsJson");
        let params = document.as_ref().map_or(ValueId::NONE, |document| document.root().id());
        let document = document.unwrap_or_default();
        let answer = self.json_text(request, "resultJson");
        Asked { ask: Rc::new(Ask { round, index, key, method, document, params }), raw_key, answer }
    }

    fn number(&mut self, object: Value<'_>, name: &str, missing: &'static str) -> u32 {
        let number = u32::try_from(object.at(name).integer_or(NONE));
        self.expect(number.is_ok(), missing);
        number.unwrap_or_default()
    }

    fn json(&mut self, object: Value<'_>, name: &str) -> Option<Document> {
        if object.at(name).is_missing() {
            return None;
        }
        let text = self.text(object, name, "");
        let length = text.len();
        let document = self.parsed(text, "a text in it is not JSON");
        self.padded |= document.root().raw().len() != length;
        Some(document)
    }

    fn json_text(&mut self, object: Value<'_>, name: &str) -> String {
        match self.json(object, name) {
            Some(document) => document.into_text(),
            None => const { String::new() },
        }
    }

    fn parsed(&mut self, text: String, otherwise: &'static str) -> Document {
        let document = Document::from_text(text);
        self.expect(document.is_ok(), otherwise);
        document.unwrap_or_default()
    }

    fn text(&mut self, object: Value<'_>, name: &str, missing: &'static str) -> String {
        let value = object.at(name);
        self.expect(!value.is_missing(), missing);
        self.expect(value.is(Kind::String), "a member of it is not a string");
        value.text()
    }

    #[inline(never)]
    fn expect(&mut self, holds: bool, otherwise: &'static str) {
        if !holds && self.why.is_empty() {
            self.why = otherwise;
        }
    }
}
