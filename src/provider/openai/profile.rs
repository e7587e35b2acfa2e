//! How servers that speak Chat Completions differ, as flags.

use crate::error::{Code, Error};
use crate::json::{JsonStr, Kind, Value};

use super::super::BuildOptions;
use super::super::failure::place_among;

/// What stands for the text of an assistant message that has only calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NullContent {
    Null,
    Empty,
    Omit,
}

/// What one server takes. The names of the flags, as a host writes them, are in [`FLAGS`].
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Profile {
    /// `max_completion_tokens` in place of `max_tokens`.
    pub(super) completion_tokens: bool,
    /// The role `developer` in place of `system`, for models that reason.
    pub(super) developer: bool,
    /// Text only as one string, not as an array of parts; and neighbours of one role only as one message, because the
    /// prompt templates of local models count on turns.
    pub(super) content_as_string: bool,
    pub(super) null_content: NullContent,
    /// `tool_choice` is read.
    pub(super) tool_choice: bool,
    /// `stream_options.include_usage` is known.
    pub(super) stream_usage: bool,
    pub(super) images: &'static [&'static str],
    pub(super) audio: &'static [&'static str],
    /// `metadata` is known.
    pub(super) metadata: bool,
    /// The most stop sequences.
    pub(super) stop_max: usize,
    /// The member of an assistant message by which its reasoning returns.
    pub(super) reasoning_field: Option<&'static str>,
    /// A result has the name of its tool.
    pub(super) named_results: bool,
    /// WebLLM: no system message beside tools, calls of the history only as text, answers with tools that are nothing but
    /// calls, and the user speaks last.
    pub(super) hermes: bool,
}

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];
const AUDIO: &[&str] = &["audio/wav", "audio/mpeg"];
const UNLIMITED: usize = usize::MAX;

const OPENAI: Profile = Profile {
    completion_tokens: true,
    developer: true,
    content_as_string: false,
    null_content: NullContent::Null,
    tool_choice: true,
    stream_usage: true,
    images: IMAGES,
    audio: AUDIO,
    metadata: true,
    stop_max: 4,
    reasoning_field: None,
    named_results: false,
    hermes: false,
};

/// A server of which nothing is known: what nearly all of them take.
const GENERIC: Profile = Profile {
    completion_tokens: false,
    developer: false,
    content_as_string: true,
    null_content: NullContent::Empty,
    stream_usage: false,
    metadata: false,
    ..OPENAI
};

const LOCAL: Profile = Profile { stream_usage: true, stop_max: UNLIMITED, ..GENERIC };

/// Cloudflare's models that take these inputs. Its checks refuse null and, for most models, an array of texts.
const WORKERS_AI: Profile =
    Profile { stream_usage: true, metadata: true, reasoning_field: Some("reasoning"), ..GENERIC };

/// Cloudflare's older models.
const WORKERS_AI_RUN: Profile = Profile { tool_choice: false, stop_max: 0, named_results: true, ..GENERIC };

/// The servers with a name, [`DEFAULT`] first.
const NAMED: &[(&str, Profile)] = &[
    ("openai", OPENAI),
    (
        "ollama",
        Profile {
            null_content: NullContent::Null,
            tool_choice: false,
            images: &["image/jpeg", "image/png", "image/webp"],
            reasoning_field: Some("reasoning"),
            ..LOCAL
        },
    ),
    ("lmstudio", Profile { images: &["image/jpeg", "image/png", "image/webp"], audio: &[], ..LOCAL }),
    ("vllm", Profile { reasoning_field: Some("reasoning_content"), ..LOCAL }),
    (
        "llamacpp",
        Profile {
            images: &["image/jpeg", "image/png", "image/gif"],
            reasoning_field: Some("reasoning_content"),
            ..LOCAL
        },
    ),
    (
        "deepseek",
        Profile { images: &[], audio: &[], stop_max: 16, reasoning_field: Some("reasoning_content"), ..LOCAL },
    ),
    (
        "gemini",
        Profile {
            images: &["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"],
            stop_max: 5,
            ..LOCAL
        },
    ),
    ("webllm", Profile { tool_choice: false, audio: &["audio/wav"], hermes: true, ..LOCAL }),
    ("generic", GENERIC),
];

/// The profile without an option: OpenAI itself.
const DEFAULT: &str = "openai";

impl Profile {
    /// The profile that the options name, or the flags they hold.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` for a name or flag that does not exist, or a flag of another type.
    pub(super) fn of(options: &BuildOptions) -> Result<Box<Self>, Error> {
        let Some(option) = options.profile.as_ref() else { return Ok(Box::new(OPENAI)) };
        let value = option.root();
        let name = profile_name(options);
        let Some((_, profile)) = NAMED.iter().find(|(known, _)| *known == name) else { return Err(unknown(value)) };
        let mut profile = Box::new(*profile);
        for (name, flag) in value.members() {
            if profile.set(name, flag).is_none() {
                return Err(unknown(flag).with("flag", &name.decode()));
            }
        }
        Ok(profile)
    }

    /// For a model of Workers AI, by its inputs.
    pub(in super::super) fn workers_ai(chat: bool, images: bool) -> Box<Self> {
        let mut profile = Box::new(if chat { WORKERS_AI } else { WORKERS_AI_RUN });
        profile.limit(images, false);
        profile
    }

    /// Leaves out what the model does not take.
    pub(super) fn limit(&mut self, images: bool, audio: bool) {
        if !images {
            self.images = &[];
        }
        if !audio {
            self.audio = &[];
        }
    }

    #[inline(never)]
    fn set(&mut self, name: JsonStr<'_>, value: Value<'_>) -> Option<()> {
        match place_among(name, FLAGS)? {
            0 => {}
            1 => self.content_as_string = value.as_bool()?,
            2 => self.stream_usage = value.as_bool()?,
            3 => self.metadata = value.as_bool()?,
            4 => self.images = if value.as_bool()? { IMAGES } else { &[] },
            5 => self.audio = if value.as_bool()? { AUDIO } else { &[] },
            6 => self.completion_tokens = place_among(value.as_str()?, "max_tokens max_completion_tokens")? == 1,
            7 => self.developer = place_among(value.as_str()?, "system developer")? == 1,
            8 => self.tool_choice = place_among(value.as_str()?, "ignored full stringOnly")? > 0,
            9 => {
                self.null_content = match place_among(value.as_str()?, "null empty omit")? {
                    0 => NullContent::Null,
                    1 => NullContent::Empty,
                    _ => NullContent::Omit,
                };
            }
            10 => self.stop_max = value.integer_or(-1).try_into().ok()?,
            _ if value.is_null() => self.reasoning_field = None,
            _ => {
                let place = place_among(value.as_str()?, "reasoning_content reasoning")?;
                self.reasoning_field = Some(if place == 0 { "reasoning_content" } else { "reasoning" });
            }
        }
        Some(())
    }
}

/// The names of the flags, in the order of [`Profile::set`].
const FLAGS: &str = "base contentAsString streamUsage metadata images audio maxTokensField systemRole toolChoice \
                     nullContent stopMax reasoningField";

/// The name in the options; for flags, the one they start from (`base`, or `generic`).
pub(super) fn profile_name(options: &BuildOptions) -> String {
    let Some(profile) = &options.profile else { return DEFAULT.to_owned() };
    let mut value = profile.root();
    if value.kind() == Kind::Object {
        value = value.at("base");
        if value.is_missing() {
            return "generic".to_owned();
        }
    }
    value.as_str().map(|name| name.decode().into_owned()).unwrap_or_default()
}

fn unknown(value: Value<'_>) -> Error {
    let error =
        Error::told(Code::InvalidArgument, "the option profile is neither the name of a server nor known flags", &[]);
    error.with("option", "profile").with_raw("value", value.raw())
}
