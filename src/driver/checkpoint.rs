//! Checkpoints: a call between two legs as plain JSON, to go on elsewhere.
//!
//! Texts that must come back byte for byte (the state token, the server's parameters) stand in it as strings of JSON
//! text, so that whatever stores the checkpoint may parse and write it again. A checksum over all of them tells a
//! checkpoint that was changed by hand; it is no protection against somebody who wants to forge one.

use std::rc::Rc;

use super::round::{Asked, Round};
use super::{Call, Limits};
use crate::error::{Code, Error};
use crate::json::{Document, Kind, Value, push_member, quote};
use crate::mrtr::InputMethod;

/// The version this library writes and reads.
const VERSION: i64 = 1;

pub(super) fn write(call: &Call, round: &Round) -> String {
    let mut checksum = Checksum::new();
    let mut out = String::from("{");
    push_member(&mut out, "version", &VERSION.to_string());
    push_text(&mut out, &mut checksum, "method", Some(&call.method));
    push_text(&mut out, &mut checksum, "paramsJson", call.params().map(Value::raw));
    let number = round.number.to_string();
    checksum.add(&number);
    push_member(&mut out, "round", &number);
    let last_id = call.last_id.to_string();
    checksum.add(&last_id);
    push_member(&mut out, "lastId", &last_id);
    let requests: Vec<_> = round.asked.iter().map(|asked| write_asked(asked, &mut checksum)).collect();
    let mut list = String::from("[");
    list.push_str(&requests.join(","));
    list.push(']');
    push_member(&mut out, "requests", &list);
    push_text(&mut out, &mut checksum, "requestStateJson", round.request_state.as_deref());
    push_member(&mut out, "checksum", &quote(&checksum.text()));
    out.push('}');
    out
}

fn write_asked(asked: &Asked, checksum: &mut Checksum) -> String {
    let mut out = String::from("{");
    push_text(&mut out, checksum, "method", Some(asked.method.as_str()));
    push_text(&mut out, checksum, "key", Some(&asked.raw_key));
    push_text(&mut out, checksum, "paramsJson", asked.params.map(|params| asked.document.value(params).raw()));
    push_text(&mut out, checksum, "resultJson", asked.answer.as_deref());
    out.push('}');
    out
}

fn push_text(out: &mut String, checksum: &mut Checksum, name: &str, text: Option<&str>) {
    // An absent text must not add up to the same as an empty one.
    checksum.add(text.map_or("-", |_| "+"));
    if let Some(text) = text {
        checksum.add(text);
        push_member(out, name, &quote(text));
    }
}

/// Reads a checkpoint back into a call that goes on from there.
pub(super) fn read(text: &str, limits: Limits) -> Result<Call, Error> {
    let document = Document::from_text(text.to_owned()).map_err(|_| unreadable("it is not JSON"))?;
    let root = document.root();
    let version = root.get("version").and_then(Value::as_number).and_then(|version| version.as_safe_integer());
    match version {
        Some(VERSION) => {}
        Some(version) => return Err(unknown_version(version)),
        None => return Err(unreadable("it has no version")),
    }
    let mut reader = Reader { checksum: Checksum::new() };
    let call = reader.call(root, limits)?;
    let expected = root.get("checksum").and_then(Value::as_str);
    if !expected.is_some_and(|expected| expected == reader.checksum.text().as_str()) {
        return Err(unreadable("it was changed"));
    }
    Ok(call)
}

struct Reader {
    checksum: Checksum,
}

impl Reader {
    fn call(&mut self, root: Value<'_>, limits: Limits) -> Result<Call, Error> {
        let method = self.text(root, "method")?.ok_or_else(|| unreadable("it has no method"))?;
        let params = self.json(root, "paramsJson")?;
        let number = self.number(root, "round").ok_or_else(|| unreadable("it has no round"))?;
        let last_id = self.number(root, "lastId").ok_or_else(|| unreadable("it has no lastId"))?;
        let requests = root.get("requests").filter(|requests| requests.kind() == Kind::Array);
        let requests = requests.ok_or_else(|| unreadable("it has no requests"))?;
        let asked = requests.items().map(|request| self.asked(request)).collect::<Result<_, _>>()?;
        let request_state = self.json(root, "requestStateJson")?.map(|state| state.root().raw().to_owned());
        let mut call = Call::new(&method, params, limits);
        call.rounds = number;
        call.last_id = last_id;
        call.round = Some(Round { number, asked, request_state });
        Ok(call)
    }

    fn asked(&mut self, request: Value<'_>) -> Result<Asked, Error> {
        let method = self.text(request, "method")?.and_then(|method| InputMethod::from_name(&method));
        let method = method.ok_or_else(|| unreadable("a request has no known method"))?;
        let raw_key = self.text(request, "key")?.ok_or_else(|| unreadable("a request has no key"))?;
        let key = Document::from_text(["\"", &raw_key, "\""].concat()).map_err(|_| unreadable("a key is no string"))?;
        let key = key.root().as_str().map(|key| key.decode().into_owned()).unwrap_or_default();
        let document = self.json(request, "paramsJson")?;
        let params = document.as_ref().map(|document| document.root().id());
        let answer = self.json(request, "resultJson")?.map(|answer| answer.root().raw().to_owned());
        Ok(Asked { raw_key, key, method, document: document.unwrap_or_default(), params, answer })
    }

    fn number(&mut self, object: Value<'_>, name: &str) -> Option<u32> {
        let number = u32::try_from(object.get(name)?.as_number()?.as_safe_integer()?).ok()?;
        self.checksum.add(&number.to_string());
        Some(number)
    }

    fn json(&mut self, object: Value<'_>, name: &str) -> Result<Option<Rc<Document>>, Error> {
        let text = self.text(object, name)?;
        let document = text.map(Document::from_text).transpose().map_err(|_| unreadable("a text in it is not JSON"))?;
        Ok(document.map(Rc::new))
    }

    fn text(&mut self, object: Value<'_>, name: &str) -> Result<Option<String>, Error> {
        let value = object.get(name);
        self.checksum.add(value.map_or("-", |_| "+"));
        let Some(value) = value else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| unreadable("a member of it is not a string"))?.decode().into_owned();
        self.checksum.add(&text);
        Ok(Some(text))
    }
}

/// 64-bit FNV-1a over texts and their lengths.
struct Checksum(u64);

impl Checksum {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, text: &str) {
        for byte in (text.len() as u64).to_le_bytes().into_iter().chain(text.bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&self) -> String {
        self.0.to_string()
    }
}

fn unreadable(why: &str) -> Error {
    let mut message = String::from("The checkpoint cannot be used: ");
    message.push_str(why);
    message.push_str("; pass one exactly as this package made it");
    Error::new(Code::InvalidCheckpoint, message)
}

fn unknown_version(version: i64) -> Error {
    let mut message = String::from("The checkpoint cannot be used: its version is ");
    message.push_str(&version.to_string());
    message.push_str(", this package reads version 1");
    Error::new(Code::InvalidCheckpoint, message).with_number("version", version)
}
