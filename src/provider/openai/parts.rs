//! Parts of a message (`ChatCompletionContentPart`).

use std::borrow::Cow;

use super::super::body::Json;
use super::super::results::Part;

pub(super) fn write_text(json: &mut Json, texts: &[Vec<Cow<'_, str>>]) {
    json.open('{');
    json.key("type").text("text");
    json.key("text").joined(&lines(texts));
    json.close('}');
}

pub(super) fn write_part(json: &mut Json, part: &Part<'_>) {
    if let Some(pieces) = text_of(part) {
        return write_text(json, std::slice::from_ref(pieces));
    }
    json.open('{');
    match part {
        Part::Text(_) => {}
        Part::Image(media) | Part::Document(media) => {
            json.key("type").text("image_url");
            json.key("image_url").open('{');
            json.key("url").joined_unchecked(&["data:", media.mime_type, ";base64,", &media.data]);
            json.close('}');
        }
        Part::Audio(media) => {
            json.key("type").text("input_audio");
            json.key("input_audio").open('{');
            json.key("data").joined_unchecked(&[&media.data]);
            json.key("format").text(if media.mime_type == "audio/wav" { "wav" } else { "mp3" });
            json.close('}');
        }
    }
    json.close('}');
}

pub(in super::super) fn text_of<'p, 'd>(part: &'p Part<'d>) -> Option<&'p Vec<Cow<'d, str>>> {
    match part {
        Part::Text(pieces) => Some(pieces),
        _ => None,
    }
}

/// The pieces of several texts, one text a line.
pub(in super::super) fn lines<'t>(texts: &'t [Vec<Cow<'_, str>>]) -> Vec<&'t str> {
    let mut out = Vec::new();
    for text in texts {
        out.extend((!out.is_empty()).then_some("\\n"));
        out.extend(text.iter().map(|piece| &**piece));
    }
    out
}

/// What stands between the quotes of a string token.
pub(in super::super) fn inside(quoted: &str) -> &str {
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default()
}
