//! Google's Gemini API, `POST {base}/models/{model}:generateContent`, streamed by `:streamGenerateContent?alt=sse`.
//!
//! Facts: the types of `@google/genai` 3.3.0. The base is `https://generativelanguage.googleapis.com/v1beta`; the key goes
//! into `x-goog-api-key`. Members of a [`BuildOptions::extra_body`]'s `generationConfig` stand beside ours and replace
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

use crate::error::Error;
use crate::json::Value;

use super::models;
use super::remap::Charset;
use super::stream::Assembly;
use super::{Accumulator, Adapter, BuildOptions, Built, Provider};

/// The media types of images that the API takes from users and models.
pub const IMAGE_TYPES: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/// The media types of sound that the API takes, as it spells them.
pub const AUDIO_TYPES: &[&str] = &["audio/wav", "audio/mp3", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"];

/// Builds the request; see [`build`](super::build).
///
/// # Errors
///
/// As [`build`](super::build).
pub fn build(params: Value<'_>, options: &BuildOptions) -> Result<Built, Error> {
    super::build(Provider::Gemini, params, options)
}

/// Reads a reply; see [`parse`](super::parse).
///
/// # Errors
///
/// As [`parse`](super::parse).
pub fn parse(bytes: Vec<u8>, status: Option<u16>, state: &str) -> Result<String, Error> {
    super::parse(bytes, status, state)
}

/// Reads a stream; see [`Accumulator`].
///
/// # Errors
///
/// As [`Accumulator::new`].
pub fn accumulator(state: &str) -> Result<Accumulator, Error> {
    Accumulator::new(state)
}

pub(super) static ADAPTER: Adapter = Adapter {
    limits: (
        // Older models take 64 characters, newer ones 128.
        Charset { extra: "_.:-", max: 64, letter_first: true },
        Charset { extra: "_.:-", max: 64, letter_first: false },
    ),
    models: |_| models::GEMINI,
    build: request::build,
    read: reply::read,
    assembly: |_| -> Box<dyn Assembly> { Box::<stream::Chunks>::default() },
    failure: reply::failure,
};
