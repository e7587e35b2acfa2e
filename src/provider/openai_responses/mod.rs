//! OpenAI's Responses API, `POST {base}/responses`, without anything stored at the vendor.
//!
//! Facts: the types of `openai` 7.59.0. The history goes as items in each request, `store` is false, and the reasoning of
//! models that reason returns encrypted, so that a tool loop goes on where it was. With a
//! [`BuildOptions::profile`](super::BuildOptions::profile) other than `openai` the model is one of another server, and has no rules of OpenAI's. The
//! key goes into `authorization: Bearer`.

mod input;
mod reply;
mod request;
mod stream;

use super::Adapter;
use super::remap::Charset;

pub(super) static ADAPTER: Adapter = Adapter {
    limits: (Charset { extra: 2, max: 64, letter_first: false }, Charset { extra: 2, max: 64, letter_first: false }),
    models: &[],
    build: request::build,
    places: reply::PLACES,
    read: reply::read,
    event: stream::event,
    reply: stream::joined,
    event_failure: stream::failure,
    failure: reply::failure,
};
