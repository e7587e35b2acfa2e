//! Tool results: many kinds of content, of which each provider takes a few. What it does not take becomes text, as a tool
//! result must never make a request impossible.

use std::mem::replace;

use crate::error::Error;
use crate::json::{JsonStr, Value, concat, quote};
use crate::sampling::BlockType;

use super::blank::is_blank;
use super::body::Json;
use super::draft::Draft;
use super::failure::{inner, is_true, string};
use super::media::{AUDIO, DATA, IMAGES, Takes, allowed, bare, canonical_base64};
use super::warnings::Fate;

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Image,
    Audio,
    Document,
}

impl Kind {
    fn of(bit: Takes) -> Self {
        match bit {
            _ if bit & IMAGES != 0 => Self::Image,
            _ if bit & AUDIO != 0 => Self::Audio,
            _ => Self::Document,
        }
    }
}

/// One piece of a message or a result, in a form that a provider takes.
#[derive(Debug)]
pub(super) struct Part<'d> {
    pub(super) kind: Kind,
    /// Of bytes, their media type; of JSON that stays what it is, something.
    pub(super) mime_type: &'static str,
    /// How the text begins, or the bytes, where we wrote that; as `body`.
    pub(super) head: String,
    /// The text, or the rest of it, as it stands between quotes; bytes in base64, checked.
    pub(super) body: &'d str,
}

impl<'d> Part<'d> {
    /// A text as it stands between quotes.
    pub(super) fn text(inner: &'d str) -> Self {
        Self { kind: Kind::Text, mime_type: "", head: const { String::new() }, body: inner }
    }

    /// JSON that stays what it is.
    fn data(json: &'d str) -> Self {
        Self { mime_type: "json", ..Self::text(json) }
    }

    /// JSON as a text.
    #[inline(never)]
    fn quoted(json: &str) -> Self {
        Self { head: inside(&quote(json)).to_owned(), ..Self::text("") }
    }

    /// Takes the part, and leaves an empty text.
    #[inline(never)]
    pub(super) fn take(&mut self) -> Self {
        replace(self, Self::text(""))
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }
}

/// Adds a text as it stands between quotes.
#[inline(never)]
pub(super) fn add<'d>(parts: &mut Vec<Part<'d>>, inner: &'d str) {
    parts.push(Part::text(inner));
}

/// Adds a text of ours, as it stands between quotes, that goes on with one of a peer.
#[inline(never)]
pub(super) fn add_text<'d>(parts: &mut Vec<Part<'d>>, head: String, inner: &'d str) {
    parts.push(Part { head, ..Part::text(inner) });
}

/// What stands between the quotes of a string token.
pub(super) fn inside(quoted: &str) -> &str {
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default()
}

/// Writes the texts of a list of parts as one, a line for each.
#[inline(never)]
pub(super) fn write_lines(json: &mut Json, parts: &[Part<'_>]) {
    json.lit("\"");
    let mut form = "%v%v";
    for part in parts {
        if part.is_text() {
            json.more(form, &[&part.head, part.body]);
            form = "\\n%v%v";
        }
    }
    json.more("\"", &[]);
}

/// An image or sound of a message, which must be one the provider takes there.
///
/// # Errors
///
/// `PROVIDER_ERROR` (`unsupported`) for another media type, `INVALID_SAMPLING_REQUEST` if there is no data.
pub(super) fn of_message<'d>(draft: &mut Draft<'d>, block: Value<'d>, takes: Takes) -> Result<Part<'d>, Error> {
    let mut found = const { Vec::new() };
    of_block(draft, block, takes, &mut found)?;
    match found.pop() {
        Some(part) => Ok(part),
        None => Err(draft.unsupported("/mimeType", "the provider does not take this media type here")),
    }
}

fn of_block<'d>(draft: &mut Draft<'d>, block: Value<'d>, takes: Takes, out: &mut Vec<Part<'d>>) -> Result<(), Error> {
    let (Some(data), Some(mime_type)) = (string(block, "data"), string(block, "mimeType")) else {
        return Err(draft.invalid("", "block-members", "data and mimeType must be strings"));
    };
    draft.report_block(block, "type data mimeType _meta");
    bytes(draft, data, mime_type, takes, out)
}

/// Adds nothing if the provider does not take the type.
fn bytes<'d>(
    draft: &mut Draft<'d>,
    data: JsonStr<'d>,
    mime_type: JsonStr<'d>,
    takes: Takes,
    out: &mut Vec<Part<'d>>,
) -> Result<(), Error> {
    let Some((found, bit)) = allowed(&bare(mime_type), takes) else { return Ok(()) };
    let (head, body) = canonical_base64(data);
    if head.is_empty() && body.is_empty() {
        return Err(draft.invalid("/data", "base64-data", "the data is empty"));
    }
    if mime_type != found {
        draft.warn_at("/mimeType", Fate::Changed, "the media type was written in another way");
    }
    if !head.is_empty() && data != *head.as_str() {
        draft.warn_at("/data", Fate::Changed, "the base64 was written without blanks and with its padding");
    }
    out.push(Part { kind: Kind::of(bit), mime_type: found, head, body });
    Ok(())
}

/// True for a result that says that the tool failed.
#[inline(never)]
pub(super) fn failed(result: Value<'_>) -> bool {
    is_true(result.at("isError"))
}

/// Parts that a result begins with where the API has no mark for failed tools.
pub(super) fn marked<'d>(draft: &mut Draft<'d>, result: Value<'d>) -> Vec<Part<'d>> {
    let mut parts = const { Vec::new() };
    if failed(result) {
        draft.warn_at("/isError", Fate::Changed, "the API has no mark for failed tools; the text says it");
        add(&mut parts, "Error:");
    }
    parts
}

/// Adds the content of a tool result, and its `structuredContent` unless the content says the same.
///
/// # Errors
///
/// `INVALID_SAMPLING_REQUEST` if data to be sent is empty.
#[inline(never)]
pub(super) fn parts<'d>(
    draft: &mut Draft<'d>,
    result: Value<'d>,
    takes: Takes,
    out: &mut Vec<Part<'d>>,
) -> Result<(), Error> {
    let mut structured = result.at("structuredContent");
    for (index, block) in result.at("content").items().enumerate() {
        part(draft, index, block, takes, out)?;
        if says(block, structured) {
            if takes & DATA != 0 {
                out.pop();
                out.push(Part::data(structured.raw()));
            }
            structured = structured.nothing();
        }
    }
    if !structured.is_missing() {
        let raw = structured.raw();
        out.push(if takes & DATA != 0 { Part::data(raw) } else { Part::quoted(raw) });
    }
    Ok(())
}

/// One block of a result, as parts.
fn part<'d>(
    draft: &mut Draft<'d>,
    index: usize,
    block: Value<'d>,
    takes: Takes,
    out: &mut Vec<Part<'d>>,
) -> Result<(), Error> {
    let place = draft.enter("content");
    draft.enter_item(index);
    match BlockType::of(block) {
        Some(BlockType::Text) => {
            draft.report_block(block, "type text _meta");
            let inner = inner(block, "text");
            if !is_blank(inner) {
                add(out, inner);
            }
        }
        Some(BlockType::Image | BlockType::Audio) => {
            let count = out.len();
            of_block(draft, block, takes, out)?;
            if out.len() == count {
                out.push(absent(draft, block, block));
            }
        }
        Some(BlockType::Resource) => embedded(draft, block, takes, out)?,
        Some(BlockType::ResourceLink) => {
            draft.warn(Fate::Changed, "the provider knows no links to resources; it is sent as JSON");
            out.push(Part::quoted(block.raw()));
        }
        _ => draft.warn(Fate::Dropped, "this is no content of a tool result"),
    }
    draft.place.truncate(place);
    Ok(())
}

/// Text of a resource, after a line that names it; bytes as what they are, where the provider takes the type.
fn embedded<'d>(draft: &mut Draft<'d>, block: Value<'d>, takes: Takes, out: &mut Vec<Part<'d>>) -> Result<(), Error> {
    draft.report_block(block, "type resource _meta");
    let resource = block.at("resource");
    if resource.is_null() {
        return Ok(());
    }
    let (mime_type, text) = (string(resource, "mimeType"), string(resource, "text"));
    let (open, close) = if mime_type.is_some() { (" (", "):") } else { ("", ":") };
    let end = if text.is_some() { "\\n" } else { "" };
    let title = concat(&["Resource ", inner(resource, "uri"), open, mime_type.map_or("", JsonStr::raw), close, end]);
    add_text(out, title, text.map_or("", JsonStr::raw));
    if text.is_some() {
        let message = "the provider knows no embedded resources; it is sent as text, after its URI";
        draft.warn(Fate::Changed, message);
        return Ok(());
    }
    let count = out.len();
    if let (Some(blob), Some(mime_type)) = (string(resource, "blob"), mime_type) {
        bytes(draft, blob, mime_type, takes, out)?;
    }
    if out.len() > count {
        let message = "the provider knows no embedded resources; its bytes are sent, after its URI";
        draft.warn(Fate::Changed, message);
    } else {
        out.pop();
        out.push(absent(draft, block, resource));
    }
    Ok(())
}

/// A text that says what cannot be shown.
fn absent<'d>(draft: &mut Draft<'d>, block: Value<'d>, described: Value<'d>) -> Part<'d> {
    let message = "the provider does not take such bytes in a tool result; a description is sent";
    draft.warn(Fate::Dropped, message);
    let mut json = Json::begin("{");
    for (owner, name) in &[(block, "type"), (described, "uri"), (described, "mimeType")] {
        if let Some(text) = string(*owner, name) {
            json.two("\"%r\":\"%v\"", name, text.raw());
        }
    }
    json.lit("\"omitted\":\"the model cannot be shown this content\"}");
    Part::quoted(json.text())
}

/// True if the block is a text that is this JSON, as servers are told to write it for clients that know no structured
/// content.
fn says(block: Value<'_>, structured: Value<'_>) -> bool {
    let text = string(block, "text").filter(|_| !structured.is_missing() && block.at("type").is_text("text"));
    text.is_some_and(|text| same_json(text.decode().as_bytes(), structured.raw().as_bytes()))
}

/// True if two JSON texts differ in nothing but blanks between tokens.
fn same_json(left: &[u8], right: &[u8]) -> bool {
    let (mut left, mut right) = (Significant::of(left), Significant::of(right));
    loop {
        let (one, two) = (left.next(), right.next());
        if one != two || one.is_none() {
            return one == two;
        }
    }
}

/// The bytes of a JSON text without blanks between tokens.
struct Significant<'t> {
    bytes: &'t [u8],
    quoted: bool,
    escaped: bool,
}

impl<'t> Significant<'t> {
    fn of(bytes: &'t [u8]) -> Self {
        Self { bytes, quoted: false, escaped: false }
    }

    #[inline(never)]
    fn next(&mut self) -> Option<u8> {
        while let [byte, rest @ ..] = self.bytes {
            self.bytes = rest;
            let keep = self.quoted || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
            self.quoted ^= *byte == b'"' && !self.escaped;
            self.escaped = self.quoted && *byte == b'\\' && !self.escaped;
            if keep {
                return Some(*byte);
            }
        }
        None
    }
}
