//! Google's Gemini API, `POST {base}/models/{model}:generateContent`, streamed by `:streamGenerateContent?alt=sse`.
//!
//! Facts: the types of `@google/genai` 3.3.0. The base is `https://generativelanguage.googleapis.com/v1beta`; the key goes
//! into `x-goog-api-key`. Members of a [`BuildOptions::extra_body`](super::BuildOptions::extra_body)'s `generationConfig` stand beside ours and replace
//! them one by one.
//!
//! Thought signatures ride on the blocks whose parts had them, and return with those parts. A call that lost its own,
//! or never had one, gets the word that Google made for it, where the model insists.

mod contents;
mod reply;
mod request;
mod result;
mod schema;
mod stream;

use super::Adapter;
use super::models;
use super::remap::Charset;
use super::stream::Assembly;

/// The media types of images that the API takes from users and models.
pub const IMAGE_TYPES: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/// The media types of sound that the API takes, as it spells them.
pub const AUDIO_TYPES: &[&str] = &["audio/wav", "audio/mp3", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"];

pub(super) static ADAPTER: Adapter = Adapter {
    limits: (
        // Older models take 64 characters, newer ones 128.
        Charset { extra: "_.:-", max: 64, letter_first: true },
        Charset { extra: "_.:-", max: 64, letter_first: false },
    ),
    models: |_| models::GEMINI,
    build: request::build,
    usual: reply::usual,
    places: &reply::PLACES,
    read: reply::read,
    assembly: |_| -> Box<dyn Assembly> { Box::<stream::Chunks>::default() },
    failure: reply::failure,
};
