//! Tool results: many kinds of content, of which each provider takes a few. What it does not take becomes text, as a tool
//! result must never make a request impossible.

use std::borrow::Cow;

use crate::error::Error;
use crate::json::{JsonStr, Path, Value, quote};
use crate::sampling::{Block, EmbeddedResource, ResourceContents, ToolResultContent};

use super::body::{Json, is_blank};
use super::draft::Draft;
use super::failure::{invalid_request, unsupported};
use super::media::{allowed, canonical_base64};
use super::warnings::Fate;

/// The media types that a provider takes somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Takes {
    pub(super) images: &'static [&'static str],
    pub(super) audio: &'static [&'static str],
    pub(super) documents: &'static [&'static str],
}

/// One piece of a tool result, in a form that a provider takes.
#[derive(Debug)]
pub(super) enum Part<'d> {
    /// Text in pieces, each as it stands between quotes; see [`Json::joined`].
    Text(Vec<Cow<'d, str>>),
    Image(Media<'d>),
    Audio(Media<'d>),
    Document(Media<'d>),
}

/// Bytes in base64, checked, of a type that the provider takes.
#[derive(Clone, Debug)]
pub(super) struct Media<'d> {
    pub(super) mime_type: &'static str,
    pub(super) data: Cow<'d, str>,
}

impl<'d> Media<'d> {
    /// An image or sound of a message, which must be one the provider takes.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` (`unsupported`) for another media type, `INVALID_SAMPLING_REQUEST` if there is no data.
    pub(super) fn of_message(
        draft: &mut Draft<'d>,
        block: Value<'d>,
        types: &[&'static str],
        path: &Path<'_>,
    ) -> Result<Self, Error> {
        let (data, mime_type) =
            (block.get("data").and_then(Value::as_str), block.get("mimeType").and_then(Value::as_str));
        let (Some(data), Some(mime_type)) = (data, mime_type) else {
            return Err(invalid_request(path, "block-members", "data and mimeType must be strings"));
        };
        draft.report_block(block, &["data", "mimeType"], path);
        match Self::new(draft, data, mime_type, types, path)? {
            Some(media) => Ok(media),
            None => Err(unsupported(
                draft.provider,
                &path.key("mimeType"),
                "the provider does not take this media type here",
            )),
        }
    }

    /// Nothing if the provider does not take the type.
    fn new(
        draft: &mut Draft<'d>,
        data: JsonStr<'d>,
        mime_type: JsonStr<'d>,
        types: &[&'static str],
        path: &Path<'_>,
    ) -> Result<Option<Self>, Error> {
        let Some(found) = allowed(mime_type, types) else { return Ok(None) };
        let Some(canonical) = canonical_base64(data) else {
            return Err(invalid_request(&path.key("data"), "base64-data", "the data is empty"));
        };
        if mime_type != found {
            draft.warn(&path.key("mimeType"), Fate::Changed, "the media type was written in another way");
        }
        if matches!(canonical, Cow::Owned(_)) && data != *canonical {
            draft.warn(&path.key("data"), Fate::Changed, "the base64 was written without blanks and with its padding");
        }
        Ok(Some(Self { mime_type: found, data: canonical }))
    }
}

/// The content of a tool result, and its `structuredContent` unless the content says the same.
///
/// # Errors
///
/// `INVALID_SAMPLING_REQUEST` if data to be sent is empty.
pub(super) fn parts<'d>(
    draft: &mut Draft<'d>,
    result: ToolResultContent<'d>,
    takes: Takes,
    path: &Path<'_>,
) -> Result<Vec<Part<'d>>, Error> {
    let mut out = Vec::new();
    let content = path.key("content");
    for (index, block) in result.content().into_iter().flatten().enumerate() {
        part(draft, block, takes, &content.index(index), &mut out)?;
    }
    if let Some(structured) = result.structured_content().filter(|structured| !is_said(&result, structured.raw())) {
        out.push(quoted(structured.raw()));
    }
    Ok(out)
}

/// One block of a result, as parts.
///
/// # Errors
///
/// As [`parts`].
pub(super) fn part<'d>(
    draft: &mut Draft<'d>,
    block: Block<'d>,
    takes: Takes,
    path: &Path<'_>,
    out: &mut Vec<Part<'d>>,
) -> Result<(), Error> {
    match block {
        Block::Text(text) => {
            draft.report_block(text.value(), &["text"], path);
            let inner = text.text().map(JsonStr::raw).filter(|inner| !is_blank(inner));
            out.extend(inner.map(|inner| Part::Text(vec![inner.into()])));
        }
        Block::Image(image) => out.push(media(draft, image.value(), takes, path)?),
        Block::Audio(audio) => out.push(media(draft, audio.value(), takes, path)?),
        Block::Resource(resource) => embedded(draft, resource, takes, path, out)?,
        Block::ResourceLink(link) => {
            draft.warn(path, Fate::Changed, "the provider knows no links to resources; it is sent as JSON");
            out.push(quoted(link.value().raw()));
        }
        Block::ToolUse(_) | Block::ToolResult(_) | Block::Unknown(_) => {
            draft.warn(path, Fate::Dropped, "this is no content of a tool result");
        }
    }
    Ok(())
}

/// An image or sound: as such, or a text that says there was one.
fn media<'d>(draft: &mut Draft<'d>, block: Value<'d>, takes: Takes, path: &Path<'_>) -> Result<Part<'d>, Error> {
    let (Some(data), Some(mime_type)) = (string(block, "data"), string(block, "mimeType")) else {
        return Err(invalid_request(path, "block-members", "data and mimeType must be strings"));
    };
    draft.report_block(block, &["data", "mimeType"], path);
    match bytes(draft, data, mime_type, takes, path)? {
        Some(part) => Ok(part),
        None => Ok(absent(draft, block, block, path)),
    }
}

fn bytes<'d>(
    draft: &mut Draft<'d>,
    data: JsonStr<'d>,
    mime_type: JsonStr<'d>,
    takes: Takes,
    path: &Path<'_>,
) -> Result<Option<Part<'d>>, Error> {
    if let Some(image) = Media::new(draft, data, mime_type, takes.images, path)? {
        return Ok(Some(Part::Image(image)));
    }
    if let Some(audio) = Media::new(draft, data, mime_type, takes.audio, path)? {
        return Ok(Some(Part::Audio(audio)));
    }
    Ok(Media::new(draft, data, mime_type, takes.documents, path)?.map(Part::Document))
}

/// Text of a resource, after a line that names it; bytes as what they are, where the provider takes the type.
fn embedded<'d>(
    draft: &mut Draft<'d>,
    block: EmbeddedResource<'d>,
    takes: Takes,
    path: &Path<'_>,
    out: &mut Vec<Part<'d>>,
) -> Result<(), Error> {
    draft.report_block(block.value(), &["resource"], path);
    let Some(resource) = block.resource() else { return Ok(()) };
    let title = title(resource);
    if let Some(text) = resource.text() {
        draft.warn(path, Fate::Changed, "the provider knows no embedded resources; it is sent as text, after its URI");
        out.push(Part::Text(title.into_iter().chain(["\\n".into(), text.raw().into()]).collect()));
        return Ok(());
    }
    let (Some(blob), Some(mime_type)) = (resource.blob(), resource.mime_type()) else {
        out.push(absent(draft, block.value(), resource.value(), path));
        return Ok(());
    };
    match bytes(draft, blob, mime_type, takes, path)? {
        Some(part) => {
            draft.warn(
                path,
                Fate::Changed,
                "the provider knows no embedded resources; its bytes are sent, after its URI",
            );
            out.extend([Part::Text(title), part]);
        }
        None => out.push(absent(draft, block.value(), resource.value(), path)),
    }
    Ok(())
}

fn title<'d>(resource: ResourceContents<'d>) -> Vec<Cow<'d, str>> {
    let mut title = vec!["Resource ".into(), resource.uri().map_or("", JsonStr::raw).into()];
    if let Some(mime_type) = resource.mime_type() {
        title.extend([" (".into(), mime_type.raw().into(), ")".into()]);
    }
    title.push(":".into());
    title
}

/// A text that says what cannot be shown.
fn absent<'d>(draft: &mut Draft<'d>, block: Value<'d>, described: Value<'d>, path: &Path<'_>) -> Part<'d> {
    draft.warn(path, Fate::Dropped, "the provider does not take such bytes in a tool result; a description is sent");
    let mut json = Json::with_capacity(128);
    json.open('{');
    for (owner, name) in [(block, "type"), (described, "uri"), (described, "mimeType")] {
        if let Some(text) = string(owner, name) {
            json.key(name).token(text);
        }
    }
    json.key("omitted").text("the model cannot be shown this content");
    json.close('}');
    quoted(&json.finish())
}

fn quoted<'d>(json: &str) -> Part<'d> {
    let text = quote(json);
    Part::Text(vec![text.get(1..text.len() - 1).unwrap_or_default().to_owned().into()])
}

fn string<'d>(object: Value<'d>, name: &str) -> Option<JsonStr<'d>> {
    object.get(name)?.as_str()
}

/// True if one of the texts is this JSON, as servers are told to write it for clients that know no structured content.
fn is_said(result: &ToolResultContent<'_>, json: &str) -> bool {
    result.content().into_iter().flatten().any(|block| says(block, json))
}

/// True if the block is a text that is this JSON.
pub(super) fn says(block: Block<'_>, json: &str) -> bool {
    match block {
        Block::Text(text) => text.text().is_some_and(|text| same_json(&text.decode(), json)),
        _ => false,
    }
}

/// True if two JSON texts differ in nothing but blanks between tokens.
fn same_json(left: &str, right: &str) -> bool {
    significant(left).eq(significant(right))
}

fn significant(json: &str) -> impl Iterator<Item = u8> {
    let (mut quoted, mut escaped) = (false, false);
    json.bytes().filter(move |byte| {
        let keep = quoted || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        quoted ^= *byte == b'"' && !escaped;
        escaped = quoted && *byte == b'\\' && !escaped;
        keep
    })
}
