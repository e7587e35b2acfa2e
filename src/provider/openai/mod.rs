//! OpenAI's Chat Completions, `POST {base}/chat/completions`, and the many servers that speak it.
//!
//! Facts: the types of `openai` 7.59.0 and `@mlc-ai/web-llm` 0.2.86, and the sources of the servers. Which server it is
//! says [`BuildOptions::profile`](super::BuildOptions::profile): `openai`, `ollama`, `lmstudio`, `vllm`, `llamacpp`, `deepseek`, `gemini`, `webllm`,
//! `generic`, or an object of flags, with `base` as the profile they change (`generic` without it): `maxTokensField`,
//! `systemRole`, `contentAsString`, `nullContent`, `toolChoice`, `streamUsage`, `images`, `audio`, `metadata`, `stopMax`,
//! `reasoningField`. The key goes into `authorization: Bearer`; send no other header of your own, as many servers refuse
//! them in the preflight of a page.

mod messages;
mod parts;
mod profile;
mod reply;
mod request;
mod stream;

use super::models::{self, Row};
use super::remap::Charset;
use super::{Adapter, BuildOptions};

// Responses, the other API of this vendor, has these in common.
pub(super) use reply::{failure, function_call, no_function};
pub(super) use request::{metadata_map, note_parallel, temperature};
// Workers AI has its messages, its tools and its answers.
pub(super) use profile::Profile;
pub(super) use reply::{Said, chat_places, read_message};
pub(super) use request::{choice, messages as write_messages, scalars, stop, tools, write_choice};
pub(super) use stream::{event, is_first, joined};

pub(super) static ADAPTER: Adapter = Adapter {
    limits: (
        Charset { extra: 2, max: 64, letter_first: false },
        // Older versions of the API refuse ids of more than 40 characters.
        Charset { extra: 2, max: 40, letter_first: false },
    ),
    models: &[],
    build: request::build,
    places: reply::PLACES,
    read: reply::read,
    event,
    reply: joined,
    event_failure: failure,
    failure,
};

pub(super) fn models(options: &BuildOptions) -> &'static [Row] {
    match profile::profile_name(options).as_str() {
        "openai" => models::OPENAI,
        "webllm" => models::WEBLLM,
        _ => models::COMPATIBLE,
    }
}
