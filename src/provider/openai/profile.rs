//! How servers that speak Chat Completions differ, as flags.

use crate::error::{Code, Error};
use crate::json::{JsonStr, Kind, Value, quote};

use super::super::BuildOptions;
use super::super::body::{decoded, next_word};
use super::super::failure::place_among;
use super::super::media::{AUDIO, GIF, HEIC_HEIF, IMAGES, JPEG_PNG_WEBP, Takes, WAV, WAV_MPEG, WEB_IMAGES};

/// What one server takes.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Profile {
    /// Two bits for each name of [`FLAGS`], and two flags that no host sets.
    flags: u32,
    /// Images and sounds.
    pub(super) takes: Takes,
    /// The most stop sequences.
    pub(super) stop_max: usize,
}

/// The names of the flags, as a host writes them.
const FLAGS: &str = "base stopMax contentAsString streamUsage metadata images audio maxTokensField systemRole toolChoice \
                     nullContent reasoningField";

/// The values of each flag, from the third on.
const VALUES: [&str; 10] = [
    BOOLEAN,
    BOOLEAN,
    BOOLEAN,
    BOOLEAN,
    BOOLEAN,
    "\"max_tokens\" \"max_completion_tokens\"",
    "\"system\" \"developer\"",
    "\"ignored\" \"full\" \"stringOnly\"",
    "\"null\" \"empty\" \"omit\"",
    "null \"reasoning_content\" \"reasoning\"",
];

const BOOLEAN: &str = "false true";

/// Text only as one string, not as an array of parts; and neighbours of one role only as one message, because the
/// prompt templates of local models count on turns.
pub(super) const CONTENT_AS_STRING: u32 = 1 << 4;
/// `stream_options.include_usage` is known.
pub(super) const STREAM_USAGE: u32 = 1 << 6;
/// `metadata` is known.
pub(super) const METADATA: u32 = 1 << 8;
const IMAGES_PLACE: usize = 5;
const AUDIO_PLACE: usize = 6;
/// `max_completion_tokens` in place of `max_tokens`.
pub(super) const COMPLETION_TOKENS: u32 = 1 << 14;
/// The role `developer` in place of `system`, for models that reason.
pub(super) const DEVELOPER: u32 = 1 << 16;
/// `tool_choice` is read.
pub(super) const TOOL_CHOICE: u32 = 3 << 18;
const FULL_CHOICE: u32 = 1 << 18;
/// What stands for the text of an assistant message that has only calls: `null` without these.
pub(super) const EMPTY_CONTENT: u32 = 1 << 20;
pub(super) const NO_CONTENT: u32 = 2 << 20;
/// The member of an assistant message by which its reasoning returns.
const REASONING_CONTENT: u32 = 1 << 22;
const REASONING: u32 = 2 << 22;
/// A result has the name of its tool.
pub(super) const NAMED_RESULTS: u32 = 1 << 24;
/// WebLLM: no system message beside tools, calls of the history only as text, answers with tools that are nothing but
/// calls, and the user speaks last.
pub(super) const HERMES: u32 = 1 << 25;

const UNLIMITED: usize = usize::MAX;

const OPENAI: Profile =
    profile(COMPLETION_TOKENS | DEVELOPER | FULL_CHOICE | STREAM_USAGE | METADATA, WEB_IMAGES | WAV_MPEG, 4);

/// A server of which nothing is known: what nearly all of them take.
const GENERIC: Profile = profile(CONTENT_AS_STRING | EMPTY_CONTENT | FULL_CHOICE, OPENAI.takes, 4);

const LOCAL: u32 = GENERIC.flags | STREAM_USAGE;

/// Cloudflare's models that take these inputs. Its checks refuse null and, for most models, an array of texts.
const WORKERS_AI: Profile = profile(LOCAL | METADATA | REASONING, WEB_IMAGES, 4);

/// Cloudflare's older models.
const WORKERS_AI_RUN: Profile = profile(CONTENT_AS_STRING | EMPTY_CONTENT | NAMED_RESULTS, WEB_IMAGES, 0);

/// The servers with a name.
static NAMED: &[(&str, Profile)] = &[
    (DEFAULT, OPENAI),
    ("ollama", profile(CONTENT_AS_STRING | STREAM_USAGE | REASONING, JPEG_PNG_WEBP | WAV_MPEG, UNLIMITED)),
    ("lmstudio", profile(LOCAL, JPEG_PNG_WEBP, UNLIMITED)),
    ("vllm", profile(LOCAL | REASONING_CONTENT, OPENAI.takes, UNLIMITED)),
    ("llamacpp", profile(LOCAL | REASONING_CONTENT, JPEG_PNG | GIF | WAV_MPEG, UNLIMITED)),
    ("deepseek", profile(LOCAL | REASONING_CONTENT, 0, 16)),
    ("gemini", profile(LOCAL, JPEG_PNG_WEBP | HEIC_HEIF | WAV_MPEG, 5)),
    ("webllm", profile(LOCAL & !TOOL_CHOICE | HERMES, WEB_IMAGES | WAV, UNLIMITED)),
    ("generic", GENERIC),
];

const JPEG_PNG: Takes = 0b11;

/// The profile without an option: OpenAI itself.
const DEFAULT: &str = "openai";

const fn profile(flags: u32, takes: Takes, stop_max: usize) -> Profile {
    Profile { flags, takes, stop_max }
}

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
            if profile.set(name, flag).is_none() {
                return Err(unknown(flag).with("flag", &decoded(name)));
            }
        }
        Ok(profile)
    }

    /// For a model of Workers AI, by its inputs.
    pub(in super::super) fn workers_ai(chat: bool, images: bool) -> Self {
        let Self { flags, stop_max, .. } = if chat { WORKERS_AI } else { WORKERS_AI_RUN };
        Self { flags, takes: if images { WEB_IMAGES } else { 0 }, stop_max }
    }

    pub(super) fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// The member by which reasoning returns; empty if it does not.
    pub(super) fn reasoning_field(&self) -> &'static str {
        match self.flags & (REASONING_CONTENT | REASONING) {
            0 => "",
            REASONING => "reasoning",
            _ => "reasoning_content",
        }
    }

    #[inline(never)]
    fn set(&mut self, name: JsonStr<'_>, value: Value<'_>) -> Option<()> {
        let place = place_among(name.value(), FLAGS)?;
        if place == 1 {
            self.stop_max = value.integer_or(-1).try_into().ok()?;
        }
        let Some(mut values) = place.checked_sub(2).and_then(|place| VALUES.get(place)).copied() else {
            return Some(());
        };
        let text = value.as_str().map_or_else(|| value.raw().to_owned(), |text| quote(&decoded(text)));
        let mut number = 0;
        while next_word(&mut values)? != text {
            number += 1;
        }
        self.flags = self.flags & !(3 << (place * 2)) | number << (place * 2);
        let (kind, all) = match place {
            IMAGES_PLACE => (IMAGES, WEB_IMAGES),
            AUDIO_PLACE => (AUDIO, WAV_MPEG),
            _ => return Some(()),
        };
        self.takes = self.takes & !kind | if number > 0 { all } else { 0 };
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
    value.text()
}

fn unknown(value: Value<'_>) -> Error {
    let error =
        Error::told(Code::InvalidArgument, "the option profile is neither the name of a server nor known flags", &[]);
    error.with("option", "profile").with_raw("value", value.raw())
}
