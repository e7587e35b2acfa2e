//! Cloudflare Workers AI: `env.AI.run(model, inputs)` in a worker, and its REST twins.
//!
//! Facts: `@cloudflare/workers-types` 5.20261117.1, `workers-ai-provider` 4.0.0. [`Built::body`](super::Built::body) is the inputs of
//! `run`, whose path over REST is `/ai/run/{model}` after `https://api.cloudflare.com/client/v4/accounts/{id}`. Newer
//! models take the inputs of Chat Completions; older ones a subset, without `stop`, `tool_choice` and `metadata` (rule
//! `chatInputs`), and only some see images (rule `images`). [`BuildOptions::profile`](super::BuildOptions::profile) `openai` is the other endpoint,
//! `/ai/v1/chat/completions`, which takes Chat Completions for every model. The key goes into `authorization: Bearer`.
//!
//! Answers come in the form of Chat Completions or as `{ response, tool_calls, usage }`, whatever the request was;
//! over REST at times inside of `{ result, success, errors }`. All are read. What `run` throws can be read as a reply
//! too: `{"error":{"message":…}}`, with the message of the error.

mod reply;
mod request;

pub(super) use reply::content;

use super::Adapter;
use super::models;
use super::openai;
use super::remap::Charset;

pub(super) static ADAPTER: Adapter = Adapter {
    limits: (
        Charset { extra: 2, max: 64, letter_first: false },
        // Some models write `functions.f:0`, and want it back like that.
        Charset { extra: 4, max: 64, letter_first: false },
    ),
    models: models::WORKERS_AI,
    build: request::build,
    places: reply::PLACES,
    read: reply::read,
    event: openai::event,
    reply: openai::joined,
    event_failure: reply::failure,
    failure: reply::failure,
};
