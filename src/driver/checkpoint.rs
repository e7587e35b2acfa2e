//! Checkpoints: a call between two legs as plain JSON, to go on elsewhere.
//!
//! Texts that must come back byte for byte (the state token, the server's parameters) stand in it as strings of JSON
//! text, so that whatever stores the checkpoint may parse and write it again. A checksum over all of them tells a
//! checkpoint that was changed by hand; it is no protection against somebody who wants to forge one.

use std::rc::Rc;

use super::round::Asked;
use super::{Call, Limits};
use crate::error::{Code, Error};
use crate::json::{Document, Kind, Value, push_key, push_member, quote};
use crate::mrtr::{Ask, InputMethod};

/// The version this library writes and reads.
const VERSION: i64 = 1;

pub(super) fn write(call: &Call) -> String {
    let Writer { mut out, checksum } = unsigned(call);
    push_member(&mut out, "checksum", &quote(&checksum.to_string()));
    out.push('}');
    out
}

/// All but the checksum.
fn unsigned(call: &Call) -> Writer {
    let mut writer = Writer { out: String::from("{\"version\":1"), checksum: 0xcbf2_9ce4_8422_2325 };
    writer.text("method", Some(&call.method));
    writer.text("paramsJson", call.params().map(Value::raw));
    writer.number("round", call.rounds);
    writer.number("lastId", call.last_id);
    push_key(&mut writer.out, "requests");
    let mut separator = '[';
    for Asked { ask, raw_key, answer } in &call.round.asked {
        writer.out.push(separator);
        writer.out.push('{');
        writer.text("method", Some(ask.method.as_str()));
        writer.text("key", Some(raw_key));
        writer.text("paramsJson", ask.params().map(Value::raw));
        writer.text("resultJson", answer.as_deref());
        writer.out.push('}');
        separator = ',';
    }
    writer.out.push_str(if separator == '[' { "[]" } else { "]" });
    writer.text("requestStateJson", call.round.request_state.as_deref());
    writer
}

struct Writer {
    out: String,
    /// 64-bit FNV-1a over texts and their lengths.
    checksum: u64,
}

impl Writer {
    fn text(&mut self, name: &str, text: Option<&str>) {
        // An absent text must not add up to the same as an empty one.
        self.add(if text.is_some() { "+" } else { "-" });
        if let Some(text) = text {
            self.add(text);
            push_member(&mut self.out, name, &quote(text));
        }
    }

    fn number(&mut self, name: &str, number: u32) {
        let number = i64::from(number).to_string();
        self.add(&number);
        push_member(&mut self.out, name, &number);
    }

    fn add(&mut self, text: &str) {
        for byte in (text.len() as u64).to_le_bytes().into_iter().chain(text.bytes()) {
            self.checksum = (self.checksum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Reads a checkpoint back into a call that goes on from there.
pub(super) fn read(text: &str, limits: Limits) -> Result<Call, Error> {
    let Ok(document) = Document::from_text(text.to_owned()) else { return Err(unreadable("it is not JSON")) };
    let root = document.root();
    match integer(root, "version") {
        Some(VERSION) => call(root, limits).map_err(unreadable),
        Some(version) => Err(unknown_version(version)),
        None => Err(unreadable("it has no version")),
    }
}

/// The call, or why there is none. Whether anything was changed shows when it is written again.
fn call(root: Value<'_>, limits: Limits) -> Result<Call, &'static str> {
    let method = text(root, "method")?.ok_or("it has no method")?;
    let mut call = Call::new(&method, json(root, "paramsJson")?, limits);
    call.rounds = number(root, "round").ok_or("it has no round")?;
    call.last_id = number(root, "lastId").ok_or("it has no lastId")?;
    let requests = root.get("requests").filter(|requests| requests.kind() == Kind::Array);
    for request in requests.ok_or("it has no requests")?.items() {
        let asked = asked(request, call.rounds, call.round.asked.len())?;
        call.round.asked.push(asked);
    }
    call.round.request_state = raw_json(root, "requestStateJson")?;
    let checksum = root.get("checksum").and_then(Value::as_str).ok_or("it was changed")?;
    if checksum == unsigned(&call).checksum.to_string().as_str() { Ok(call) } else { Err("it was changed") }
}

fn asked(request: Value<'_>, round: u32, index: usize) -> Result<Asked, &'static str> {
    let method = text(request, "method")?.and_then(|method| InputMethod::from_name(&method));
    let method = method.ok_or("a request has no known method")?;
    let raw_key = text(request, "key")?.ok_or("a request has no key")?;
    let key = Document::from_text(["\"", &raw_key, "\""].concat()).map_err(|_| "a key is no string")?;
    let key = key.root().as_str().map(|key| key.decode().into_owned()).unwrap_or_default();
    let document = json(request, "paramsJson")?;
    let params = document.as_ref().map(|document| document.root().id());
    let ask = Rc::new(Ask { round, index, key, method, document: document.unwrap_or_default(), params });
    Ok(Asked { ask, raw_key, answer: raw_json(request, "resultJson")? })
}

fn number(object: Value<'_>, name: &str) -> Option<u32> {
    integer(object, name)?.try_into().ok()
}

fn integer(object: Value<'_>, name: &str) -> Option<i64> {
    object.get(name)?.as_number()?.as_safe_integer()
}

fn raw_json(object: Value<'_>, name: &str) -> Result<Option<String>, &'static str> {
    Ok(json(object, name)?.map(|document| document.root().raw().to_owned()))
}

fn json(object: Value<'_>, name: &str) -> Result<Option<Rc<Document>>, &'static str> {
    let Some(text) = text(object, name)? else { return Ok(None) };
    let length = text.len();
    let document = Document::from_text(text).map_err(|_| "a text in it is not JSON")?;
    if document.root().raw().len() == length { Ok(Some(Rc::new(document))) } else { Err("it was changed") }
}

fn text(object: Value<'_>, name: &str) -> Result<Option<String>, &'static str> {
    let Some(value) = object.get(name) else { return Ok(None) };
    value.as_str().map(|text| Some(text.decode().into_owned())).ok_or("a member of it is not a string")
}

fn unreadable(why: &str) -> Error {
    refused([why, "; pass one exactly as this package made it"])
}

fn unknown_version(version: i64) -> Error {
    let version = version.to_string();
    refused(["its version is ", &[&version, ", this package reads version 1"].concat()]).with_raw("version", &version)
}

fn refused(why: [&str; 2]) -> Error {
    let [what, more] = why;
    Error::new(Code::InvalidCheckpoint, ["The checkpoint cannot be used: ", what, more].concat())
}
