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
use super::media::{AIFF_AAC_FLAC, HEIC_HEIF, JPEG_PNG_WEBP, OGG, Takes, WAV_MP3};
use super::models;
use super::remap::Charset;

/// The images and the sounds that the API takes from users and models.
const SHOWN: Takes = JPEG_PNG_WEBP | HEIC_HEIF | WAV_MP3 | AIFF_AAC_FLAC | OGG;

pub(super) static ADAPTER: Adapter = Adapter {
    limits: (
        // Older models take 64 characters, newer ones 128.
        Charset { extra: 4, max: 64, letter_first: true },
        Charset { extra: 4, max: 64, letter_first: false },
    ),
    models: models::GEMINI,
    build: request::build,
    places: reply::PLACES,
    read: reply::read,
    event: stream::event,
    reply: stream::joined,
    event_failure: reply::failure,
    failure: reply::failure,
};
