//! Anthropic's Messages API, `POST /v1/messages`, both live versions.
//!
//! Facts: the types of `@anthropic-ai/sdk` 1.14.0 and 0.137.0. The version is [`BuildOptions::api_version`](super::BuildOptions::api_version): `2023-06-01`
//! is the default, `2026-10-21` no longer knows `temperature`. The key goes into `x-api-key` for the former, into
//! `authorization: Bearer` for the latter; pages add `anthropic-dangerous-direct-browser-access: true`. Both are the
//! host's to set.

mod content;
mod reply;
mod request;
mod stream;

use super::Adapter;
use super::models;
use super::remap::Charset;

/// The version that is sent if the host says nothing: the one that takes all this library can say.
pub const DEFAULT_API_VERSION: &str = "2023-06-01";

pub(super) static ADAPTER: Adapter = Adapter {
    limits: (Charset { extra: 2, max: 64, letter_first: false }, Charset { extra: 2, max: 64, letter_first: false }),
    models: models::ANTHROPIC,
    build: request::build,
    places: reply::PLACES,
    read: reply::read,
    event: stream::event,
    reply: stream::joined,
    event_failure: stream::failure,
    failure: reply::failure,
};
