//! The Prompt API of browsers, `LanguageModel`: a descriptor that page code runs, and what its session answers.
//!
//! Facts: `@types/dom-chromium-ai` 0.0.17 and the draft of the specification of 2026-06. The API is an object of pages,
//! not a server, so there is no path, no header and no key: [`Built::body`](super::Built::body) says which session to create and what to
//! prompt, and the page hands back what it got as events; `docs/providers.md` has both forms. The API has no limit, no
//! stop sequences, and runs tools itself: the page counts tokens, this library cuts, and the model is made to write its
//! calls as JSON.
//!
//! Rules of models: `temperature` is for extensions, where the API takes the number in place of a mode (and wants `topK`
//! with it, by `extraBody`); `prefill` means that a last message of the assistant can be continued.

mod messages;
mod reply;
mod request;
mod stream;
mod tools;
mod unfold;

pub(super) use unfold::Unfold;

use super::Adapter;
use super::models;
use super::remap::Charset;

pub(super) static ADAPTER: Adapter = Adapter {
    // Names stand in texts, where anything goes; ids are not sent at all.
    limits: (Charset { extra: 3, max: 128, letter_first: false }, Charset { extra: 4, max: 128, letter_first: false }),
    models: models::PROMPT_API,
    build: request::build,
    places: reply::PLACES,
    read: reply::read,
    event: stream::event,
    reply: stream::joined,
    event_failure: reply::failure,
    failure: reply::failure,
};
