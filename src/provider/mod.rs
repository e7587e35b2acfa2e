//! Model providers, as pure functions: a sampling request becomes an HTTP request, a reply or a stream becomes a
//! sampling result. Keys, `fetch` and retries are the host's.
//!
//! ```
//! use mcp_sampling::json::Document;
//! use mcp_sampling::provider::{self, BuildOptions, Provider};
//! let text = r#"{"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}"#;
//! let params = Document::from_text(text.into()).unwrap();
//! let built = provider::build(Provider::Anthropic, params.root(), &BuildOptions::new("claude-haiku-5-5")).unwrap();
//! assert_eq!(built.path, "/v1/messages");
//! let reply = r#"{"content":[{"type":"text","text":"Hello."}],"model":"claude-haiku-5-5","stop_reason":"end_turn"}"#;
//! let result = provider::parse(reply.into(), Some(200), &built.state).unwrap();
//! assert!(result.starts_with(r#"{"role":"assistant","content":{"type":"text","text":"Hello."}"#));
//! ```
//!
//! What of a request a provider does not get as it was written is in [`Built::warnings`], never silent; `docs/providers.md`
//! has the fate of each field for each provider. What of a reply MCP has no member for is in the `_meta` of the result,
//! under [`ANSWER_KEY`], and what only the provider understands in the `_meta` of its blocks, under [`STATE_KEY`].
//!
//! An adapter is a folder with an `Adapter`: how to build, how to read a reply, how events add up to a reply, how to read
//! an error. Everything else is shared.

mod answer;
pub mod anthropic;
mod blank;
mod body;
mod closing;
mod cut;
mod draft;
mod end;
mod ending;
mod failure;
mod fields;
pub mod gemini;
mod media;
mod members;
mod models;
mod opaque;
pub mod openai;
pub mod openai_responses;
mod options;
pub mod prompt_api;
mod remap;
mod results;
mod sink;
mod state;
mod stream;
mod tools;
mod turns;
mod usage;
mod warnings;
mod words;
pub mod workers_ai;

use crate::error::{Code, Error};
use crate::json::{Document, Kind, Value};
use crate::lines;
use crate::revision::Revision;
use crate::sampling::{Checks, check_request, repair};

use answer::Answer;
pub use closing::ANSWER_KEY;
use draft::Draft;
use failure::{Failure, invalid_reply};
use models::Row;
pub use models::Rules;
pub use opaque::STATE_KEY;
pub use options::BuildOptions;
use remap::Charset;
use sink::Sink;
use state::State;
pub use stream::Accumulator;
use stream::Assembly;
pub use warnings::{Fate, Warning, warnings_to_json};

/// What an adapter is: some data and some pure functions.
struct Adapter {
    /// What the provider takes as names of tools, and as ids of calls.
    limits: (Charset, Charset),
    /// What its models allow; see [`Rules`]. Nothing where the profile says whose models they are.
    models: &'static [Row],
    /// Writes the body, and says where it goes.
    build: fn(&mut Draft<'_>) -> Result<(), Error>,
    /// Where a reply has what; see [`places`](usage::places).
    places: &'static str,
    /// Reads the content of a reply that is no error.
    read: for<'r> fn(Value<'r>, &mut Answer<'r>) -> Result<(), Error>,
    /// Takes the data of one event of a stream.
    event: fn(&mut Assembly, Value<'_>, &mut Sink),
    /// What the events add up to, as JSON text.
    reply: fn(&Assembly) -> String,
    /// Reads an event that is an error, which is looked for first.
    event_failure: ReadFailure,
    /// Reads the body of an error.
    failure: ReadFailure,
}

/// Reads an error, if it is one; says whether it is.
type ReadFailure = for<'r> fn(Value<'r>, &mut Failure<'r>) -> bool;

macro_rules! providers {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $adapter:path;)*) => {
        /// The APIs that there are adapters for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Provider {
            $($(#[$doc])* $name,)*
        }

        impl Provider {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The name, as in states, errors and metadata.
            #[inline(never)]
            pub fn as_str(self) -> &'static str {
                lines::at(concat!($($text, "\n"),*), self as usize)
            }

            fn adapter(self) -> &'static Adapter {
                match self {
                    $(Self::$name => &$adapter,)*
                }
            }
        }
    };
}

providers! {
    /// Anthropic, Messages API.
    Anthropic = "anthropic", anthropic::ADAPTER;
    /// OpenAI, Chat Completions, and every server that speaks it.
    OpenAi = "openai", openai::ADAPTER;
    /// OpenAI, Responses.
    OpenAiResponses = "openaiResponses", openai_responses::ADAPTER;
    /// Google, Gemini's `generateContent`.
    Gemini = "gemini", gemini::ADAPTER;
    /// The Prompt API of browsers, `LanguageModel`.
    PromptApi = "promptApi", prompt_api::ADAPTER;
    /// Cloudflare Workers AI.
    WorkersAi = "workersAI", workers_ai::ADAPTER;
}

impl Provider {
    /// The provider with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        for provider in Self::ALL {
            if provider.as_str() == name {
                return Some(*provider);
            }
        }
        None
    }
}

/// A request for a provider, without a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// What comes after the provider's base URL.
    pub path: String,
    /// Headers, apart from the key.
    pub headers: Vec<(&'static str, String)>,
    /// The body, JSON in UTF-8.
    pub body: Vec<u8>,
    /// What the provider does not get as it was written.
    pub warnings: Vec<Warning>,
    /// What [`parse`] and [`Accumulator`] need; plain JSON, to be stored if need be.
    pub state: String,
}

/// Builds the HTTP request for a sampling request.
///
/// # Errors
///
/// `INVALID_SAMPLING_REQUEST` if the params break a rule of the specification; `INVALID_ARGUMENT` for unusable options;
/// `PROVIDER_ERROR` with the type `unsupported` if the provider cannot take what must not be dropped, and `lossy` if
/// [`BuildOptions::strict`] forbids what would be dropped or changed. Their data has the `path`.
pub fn build(provider: Provider, params: Value<'_>, options: &BuildOptions) -> Result<Built, Error> {
    let repaired = if options.lenient { repair(params) } else { None };
    let repaired = repaired.and_then(|text| Document::from_text(text).ok());
    let params = repaired.as_ref().map_or(params, Document::root);
    check(params, options)?;
    let mut draft = Draft::new(provider, params, options);
    draft.begin()?;
    if repaired.is_some() {
        draft.warn_at("/messages", Fate::Moved, "messages that mix results with other blocks were split");
    }
    draft.report_params();
    draft.declare_tools()?;
    (provider.adapter().build)(&mut draft)?;
    draft.finish()
}

fn check(params: Value<'_>, options: &BuildOptions) -> Result<(), Error> {
    let checks = Checks { revision: Revision::LATEST, tools: true, context: true, lenient: options.lenient };
    let findings = check_request(params, &checks);
    let Some(first) = findings.errors.first() else { return Ok(()) };
    let error = Error::told(Code::InvalidSamplingRequest, "% (%)", &[&first.message, &first.path]);
    Err(error.with_raw("findings", &findings.to_json()))
}

/// Reads a reply that came in one piece: its bytes, its HTTP status if there was one, and the state of [`build`]. Returns
/// a `CreateMessageResult` as JSON text.
///
/// # Errors
///
/// `PROVIDER_ERROR` if the provider answered with an error or with what its API does not have; the data has `provider`,
/// `type`, `status`, `retryable` and, for errors of the provider, its `message`. `INVALID_ARGUMENT` for a state that is
/// not one of [`build`].
pub fn parse(bytes: Vec<u8>, status: Option<u16>, state: &str) -> Result<String, Error> {
    parse_with(&State::from_json(state)?, bytes, status.unwrap_or(0))
}

/// Without a status it is 0.
fn parse_with(state: &State, bytes: Vec<u8>, status: u16) -> Result<String, Error> {
    let (provider, document) = (state.provider, Document::parse(bytes));
    let adapter = provider.adapter();
    let is_json = document.is_ok();
    let document = document.unwrap_or_default();
    let root = document.root();
    let mut failure = Failure::new(root);
    if is_json && (adapter.failure)(root, &mut failure) || status >= 400 {
        return Err(failure.to_error(provider, status));
    }
    if !is_json {
        return Err(invalid_reply(provider, "invalid_reply", "the reply is not JSON", false));
    }
    if provider != Provider::Gemini || !root.is(Kind::Array) {
        return Answer::read(state, root);
    }
    // A stream that was not asked for as events.
    let mut stream = Accumulator::new(state.text())?;
    for chunk in root.items() {
        stream.add(chunk);
    }
    Answer::read(state, Document::or_null(&stream.reply()).root())
}
