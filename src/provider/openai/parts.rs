//! Parts of a message (`ChatCompletionContentPart`).

use super::super::body::Json;
use super::super::results::{Kind, Part};

#[inline(never)]
pub(super) fn write_part(json: &mut Json, part: &Part<'_>) {
    let (mime_type, head, body) = (part.mime_type, part.head.as_str(), part.body);
    match part.kind {
        Kind::Text => json.two("{\"type\":\"text\",\"text\":\"%v%v\"}", head, body),
        Kind::Audio => {
            let form = "{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"%r%r\",\"format\":%q}}";
            json.three(form, head, body, if mime_type == "audio/wav" { "wav" } else { "mp3" });
        }
        _ => {
            let form = "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:%r;base64,%r%r\"}}";
            json.three(form, mime_type, head, body);
        }
    }
}
