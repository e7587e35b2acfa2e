//! How servers that speak Chat Completions differ, as flags.

use crate::error::{Code, Error};
use crate::json::{Kind, Value};

use super::super::BuildOptions;

/// What stands for the text of an assistant message that has only calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NullContent {
    Null,
    Empty,
    Omit,
}

/// What one server takes. The names of the flags, as a host writes them, are in [`Profile::set`].
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
const REASONING_FIELDS: &[&str] = &["reasoning_content", "reasoning"];
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
    pub(super) fn of(options: &BuildOptions) -> Result<Self, Error> {
        let Some(option) = options.profile.as_ref() else { return Ok(OPENAI) };
        let value = option.root();
        let name = profile_name(options);
        let Some((_, profile)) = NAMED.iter().find(|(known, _)| *known == name) else { return Err(unknown(value)) };
        let mut profile = *profile;
        for (name, flag) in value.members() {
            if name != "base" && profile.set(&name.decode(), flag).is_none() {
                return Err(unknown(flag).with("flag", &name.decode()));
            }
        }
        Ok(profile)
    }

    /// For a model of Workers AI, by its inputs.
    pub(in super::super) fn workers_ai(chat: bool, images: bool) -> Self {
        let profile = if chat { WORKERS_AI } else { WORKERS_AI_RUN };
        profile.only(images, false)
    }

    /// Without what the model does not take.
    pub(super) fn only(self, images: bool, audio: bool) -> Self {
        let take = |taken: bool, types: &'static [&'static str]| if taken { types } else { &[] };
        Self { images: take(images, self.images), audio: take(audio, self.audio), ..self }
    }

    fn set(&mut self, name: &str, value: Value<'_>) -> Option<()> {
        let flag = match name {
            "contentAsString" => &mut self.content_as_string,
            "streamUsage" => &mut self.stream_usage,
            "metadata" => &mut self.metadata,
            _ => return self.set_other(name, value),
        };
        *flag = value.as_bool()?;
        Some(())
    }

    fn set_other(&mut self, name: &str, value: Value<'_>) -> Option<()> {
        match name {
            "maxTokensField" => self.completion_tokens = one_of(value, &["max_tokens", "max_completion_tokens"])? == 1,
            "systemRole" => self.developer = one_of(value, &["system", "developer"])? == 1,
            "nullContent" => {
                let forms = [NullContent::Null, NullContent::Empty, NullContent::Omit];
                self.null_content = *forms.get(one_of(value, &["null", "empty", "omit"])?)?;
            }
            "toolChoice" => self.tool_choice = one_of(value, &["ignored", "full", "stringOnly"])? > 0,
            "images" => self.images = if value.as_bool()? { IMAGES } else { &[] },
            "audio" => self.audio = if value.as_bool()? { AUDIO } else { &[] },
            "stopMax" => self.stop_max = value.integer_or(-1).try_into().ok()?,
            "reasoningField" if value.is_null() => self.reasoning_field = None,
            "reasoningField" => self.reasoning_field = REASONING_FIELDS.get(one_of(value, REASONING_FIELDS)?).copied(),
            _ => return None,
        }
        Some(())
    }
}

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

fn one_of(value: Value<'_>, words: &[&str]) -> Option<usize> {
    words.iter().position(|word| value.is_text(word))
}

fn unknown(value: Value<'_>) -> Error {
    let error =
        Error::told(Code::InvalidArgument, "the option profile is neither the name of a server nor known flags", &[]);
    error.with("option", "profile").with_raw("value", value.raw())
}
