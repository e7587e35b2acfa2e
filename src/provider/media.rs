//! Images and sound: the form of base64, and which media types a provider takes.

use crate::error::{before, part};
use crate::json::JsonStr;

use super::blank::{plain_trim_end, trim_start};
use super::body::{decoded, next_word};

/// Other spellings of media types, each before the registered one.
const ALIASES: &str = "image/jpg image/jpeg image/pjpeg image/jpeg image/x-png image/png audio/x-wav audio/wav \
                       audio/wave audio/wav audio/vnd.wave audio/wav audio/mp3 audio/mpeg audio/x-aac audio/aac \
                       audio/x-aiff audio/aiff audio/x-flac audio/flac";

/// A media type without parameters, capitals and other spellings.
pub(super) fn bare(mime_type: JsonStr<'_>) -> String {
    let text = decoded(mime_type);
    let mut bare = plain_trim_end(trim_start(before(&text, ";"))).to_owned();
    bare.make_ascii_lowercase();
    registered(&bare).to_owned()
}

/// Media types, a bit for each.
pub(super) type Takes = u32;

/// The media types that providers take, by the bits that they have in a set. Providers have their own spellings too.
const TYPES: &str = "image/png image/jpeg image/webp image/gif image/heic image/heif image/bmp \
                     audio/wav audio/mpeg audio/mp3 audio/ogg audio/aiff audio/aac audio/flac audio/mp4 audio/webm \
                     application/pdf";

/// All images.
pub(super) const IMAGES: Takes = 0x7f;
/// All sounds.
pub(super) const AUDIO: Takes = 0xff80;
pub(super) const JPEG_PNG_WEBP: Takes = 0b111;
pub(super) const GIF: Takes = 1 << 3;
/// What goes everywhere on the web.
pub(super) const WEB_IMAGES: Takes = JPEG_PNG_WEBP | GIF;
pub(super) const HEIC_HEIF: Takes = 0b11 << 4;
pub(super) const BMP: Takes = 1 << 6;
pub(super) const WAV: Takes = 1 << 7;
pub(super) const WAV_MPEG: Takes = WAV | 1 << 8;
/// As Google spells them.
pub(super) const WAV_MP3: Takes = WAV | 1 << 9;
pub(super) const OGG: Takes = 1 << 10;
pub(super) const AIFF_AAC_FLAC: Takes = 0b111 << 11;
pub(super) const MP4_WEBM: Takes = 0b11 << 14;
pub(super) const PDF: Takes = 1 << 16;
/// Not a media type: JSON, as the result that it is.
pub(super) const DATA: Takes = 1 << 17;

/// The media type, a [`bare`] one, as the provider spells it, and its bit, if it is among what the provider takes.
pub(super) fn allowed(bare: &str, takes: Takes) -> Option<(&'static str, Takes)> {
    let (mut types, mut bit) = (TYPES, 1);
    while let Some(name) = next_word(&mut types) {
        if takes & bit != 0 && registered(name) == bare {
            return Some((name, bit));
        }
        bit <<= 1;
    }
    None
}

fn registered(name: &str) -> &str {
    let mut aliases = ALIASES;
    while let (Some(alias), Some(registered)) = (next_word(&mut aliases), next_word(&mut aliases)) {
        if name == alias {
            return registered;
        }
    }
    name
}

/// Base64 as providers take it: with padding, without white space (RFC 4648 section 4). The checks of the request have
/// made sure that it is base64 as `atob` takes it, so that all but odd cases are borrowed after a look at the ends: then it
/// is the second text, else the first. Both are empty if there is none.
pub(super) fn canonical_base64(data: JsonStr<'_>) -> (String, &str) {
    let raw = data.raw();
    if raw.len().is_multiple_of(4) && !has_either(raw.as_bytes(), b' ', b'\\') {
        return (const { String::new() }, raw);
    }
    (padded(&data.decode()), "")
}

/// True if one of two bytes is there. Eight bytes a step.
fn has_either(bytes: &[u8], one: u8, other: u8) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let zero_byte = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (chunks, tail) = bytes.as_chunks::<8>();
    for chunk in chunks {
        let word = u64::from_ne_bytes(*chunk);
        if zero_byte(word ^ (ONES * u64::from(one))) | zero_byte(word ^ (ONES * u64::from(other))) != 0 {
            return true;
        }
    }
    tail.iter().any(|byte| *byte == one || *byte == other)
}

fn padded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let mut start = 0;
    for (at, byte) in text.as_bytes().iter().enumerate() {
        if byte.is_ascii_whitespace() {
            out.push_str(part(text, start, at));
            start = at + 1;
        }
    }
    out.push_str(part(text, start, text.len()));
    while !out.len().is_multiple_of(4) {
        out.push('=');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn with<T>(text: &str, run: impl Fn(JsonStr<'_>) -> T) -> T {
        run(Document::from_text(format!("\"{text}\"")).unwrap().root().as_str().unwrap())
    }

    #[test]
    fn base64() {
        for (text, expected) in [
            ("AAAA", "AAAA"),
            ("AA==", "AA=="),
            ("AA", "AA=="),
            ("AAA", "AAA="),
            (r"AA\/+", "AA/+"),
            (r"AA AA\r\nAA ==", "AAAAAA=="),
            ("", ""),
            (r"\n", ""),
        ] {
            let found = with(text, |data| {
                let (head, body) = canonical_base64(data);
                head + body
            });
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn media_types() {
        let types = 0b11 | WAV_MP3;
        for (text, expected) in [
            ("image/png", Some("image/png")),
            ("IMAGE/PNG; q=1", Some("image/png")),
            ("image/jpg", Some("image/jpeg")),
            ("audio/mpeg", Some("audio/mp3")),
            ("image/svg+xml", None),
            ("", None),
        ] {
            assert_eq!(with(text, |mime| allowed(&bare(mime), types).map(|(name, _)| name)), expected, "{text}");
        }
    }
}
