//! What single models allow, as data: one table for each maker of models.
//!
//! A model that is not in its table gets the newest rules, so a stale table errs towards what newer models refuse; the host overrides any rule by name (`rules` in [`BuildOptions`](super::BuildOptions)).

use crate::error::{Code, Error, part};
use crate::json::Value;

use super::body::{decoded, find, next_word};
use super::failure::place_among;

/// What a model allows: a set of facts, each with a name that the host can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u32);

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $text:literal;)*) => {
        impl Rules {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*

            /// Every rule with its name.
            pub const ALL: &'static [(&'static str, Self)] = &[$(($text, Self::$name)),*];
        }

        /// The names by their bits.
        const RULE_NAMES: &str = concat!($($text, " "),*);
    };
}

rules! {
    /// `temperature` is accepted.
    TEMPERATURE = 0, "temperature";
    /// Anthropic: `tool_choice` may be `any`.
    FORCED_TOOLS = 1, "forcedToolUse";
    /// Anthropic: `thinking` may be `disabled`.
    THINKING_OFF = 2, "thinkingCanBeOff";
    /// Anthropic, Gemini, Prompt API: the last message may be the assistant's, to be continued.
    PREFILL = 3, "prefill";
    /// OpenAI: a model that reasons: `developer` for `system`, `max_completion_tokens` for `max_tokens`.
    REASONING = 4, "reasoning";
    /// OpenAI: `temperature` is accepted together with `reasoning_effort: "none"`.
    TEMPERATURE_WITHOUT_EFFORT = 5, "temperatureWithEffortNone";
    /// `stop` is accepted.
    STOP = 6, "stop";
    /// OpenAI: with tools, Chat Completions wants `reasoning_effort: "none"`.
    TOOLS_WITHOUT_EFFORT = 7, "toolsNeedEffortNone";
    /// OpenAI: the model is served on Chat Completions.
    CHAT = 8, "chat";
    /// The model takes tools.
    TOOLS = 9, "tools";
    /// OpenAI: the model is served on Responses.
    RESPONSES = 10, "responses";
    /// Gemini: the first call of each turn in the history needs a thought signature.
    SIGNATURES = 11, "thoughtSignatures";
    /// Gemini: results may hold images and documents.
    RESULT_PARTS = 12, "resultParts";
    /// Gemini: calls and results have ids.
    CALL_IDS = 13, "callIds";
    /// Gemini: `systemInstruction` is accepted.
    SYSTEM = 14, "systemInstruction";
    /// Gemini: schemas of tools go as they are, and it is the API that reads past what it does not know.
    WHOLE_SCHEMAS = 15, "wholeSchemas";
    /// Workers AI: the model takes the inputs of Chat Completions.
    CHAT_INPUTS = 16, "chatInputs";
    /// WebLLM, Workers AI: the model sees images.
    IMAGES = 17, "images";
    /// WebLLM: the model hears sounds.
    AUDIO = 18, "audio";
    /// Workers AI: `run` can stream this model.
    STREAMS = 19, "streams";
}

impl Rules {
    const NONE: Self = Self(0);

    /// The rules of a model, by this table.
    pub(super) fn of(table: &[Row], model: &str) -> Self {
        let model = plain_id(model);
        let (mut rules, mut longest) = (Self::NONE, 0);
        for row in table {
            let mut models = row.models;
            while let Some(known) = next_word(&mut models) {
                if known.len() > longest && covers(known, &model) {
                    (rules, longest) = (row.rules, known.len());
                }
            }
        }
        rules
    }

    /// True if the model allows it.
    pub fn allow(self, rule: Self) -> bool {
        self.0 & rule.0 == rule.0
    }

    /// These rules with those changed that `overrides`, an object of booleans, names.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` for a name that is no rule, or a value that is no boolean.
    pub fn with(mut self, overrides: Value<'_>) -> Result<Self, Error> {
        for (name, value) in overrides.members() {
            let (Some(bit), Some(allowed)) = (place_among(name.value(), RULE_NAMES), value.as_bool()) else {
                let sentence = "a member of rules is not the name of a rule with a boolean";
                return Err(Error::told(Code::InvalidArgument, sentence, &[]).with("rule", &decoded(name)));
            };
            self.0 = self.0 & !(1 << bit) | u32::from(allowed) << bit;
        }
        Ok(self)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// One line of a table.
#[derive(Debug)]
pub(super) struct Row {
    /// Model ids without date, with blanks between them; with `*` at its end, any id that goes on. The longest that
    /// covers an id counts.
    models: &'static str,
    rules: Rules,
}

fn covers(known: &str, model: &str) -> bool {
    match known.as_bytes() {
        [start @ .., b'*'] => model.as_bytes().starts_with(start),
        whole => model.as_bytes() == whole,
    }
}

const fn row(models: &'static str, rules: Rules) -> Row {
    Row { models, rules }
}

const CLAUDE_OLD: Rules = Rules::TEMPERATURE.and(Rules::FORCED_TOOLS).and(Rules::THINKING_OFF).and(Rules::PREFILL);
const CLAUDE_4_6: Rules = Rules::TEMPERATURE.and(Rules::FORCED_TOOLS).and(Rules::THINKING_OFF);
const CLAUDE_4_7: Rules = Rules::FORCED_TOOLS.and(Rules::THINKING_OFF);
const CLAUDE_NEW: Rules = Rules::NONE;

const CHAT_ONLY: Rules = Rules::TEMPERATURE.and(Rules::STOP).and(Rules::CHAT).and(Rules::TOOLS);
const CHAT_OLD: Rules = CHAT_ONLY.and(Rules::RESPONSES);
const SEARCH: Rules = Rules::STOP.and(Rules::CHAT).and(Rules::TOOLS);
const REASONING: Rules = RESPONSES_ONLY.and(Rules::CHAT);
const REASONING_EFFORT: Rules = REASONING.and(Rules::TEMPERATURE_WITHOUT_EFFORT);
const RESPONSES_ONLY: Rules = Rules::REASONING.and(Rules::RESPONSES).and(Rules::TOOLS);
const WITHOUT_TOOLS: Rules = Rules::TEMPERATURE.and(Rules::STOP).and(Rules::CHAT);

const RUN: Rules = Rules::TEMPERATURE.and(Rules::TOOLS).and(Rules::STREAMS);
const RUN_SEES: Rules = RUN.and(Rules::IMAGES);
const RUN_CHAT: Rules = RUN_SEES.and(Rules::STOP).and(Rules::CHAT_INPUTS);
const RUN_WHOLE: Rules =
    Rules::TEMPERATURE.and(Rules::TOOLS).and(Rules::IMAGES).and(Rules::STOP).and(Rules::CHAT_INPUTS);

const GEMMA: Rules = Rules::TEMPERATURE.and(Rules::PREFILL).and(Rules::TOOLS);
const GEMMA_OLD: Rules = Rules::TEMPERATURE.and(Rules::PREFILL);
const GEMINI_OLD: Rules = GEMMA.and(Rules::SYSTEM);
const GEMINI_3: Rules = GEMINI_NEW.and(Rules::TEMPERATURE).and(Rules::PREFILL);
const GEMINI_NEW: Rules =
    Rules::SIGNATURES.and(Rules::RESULT_PARTS).and(Rules::CALL_IDS).and(Rules::SYSTEM).and(Rules::TOOLS);

// Sources of the tables: the vendors' types and the catalogues of two peers, read on 2026-11-30.

/// Anthropic's models.
pub(super) static ANTHROPIC: &[Row] = &[
    row("*", CLAUDE_NEW),
    row("claude-2* claude-instant* claude-3* claude-opus-4* claude-sonnet-4* claude-haiku-4*", CLAUDE_OLD),
    row("claude-opus-4-6* claude-sonnet-4-6*", CLAUDE_4_6),
    row("claude-opus-4-7* claude-opus-4-8* claude-sonnet-5 claude-opus-5 claude-haiku-5-5", CLAUDE_4_7),
    row("claude-fable-5", Rules::FORCED_TOOLS),
];

/// OpenAI's models, on whichever of its APIs.
pub(super) static OPENAI: &[Row] = &[
    row("*", REASONING),
    row("gpt-3* gpt-4* gpt-5-chat* gpt-5.1-chat* gpt-5.2-chat* gpt-5.3-chat*", CHAT_OLD),
    row("gpt-3.5-turbo-16k* gpt-4o-audio-preview* gpt-4o-mini-audio-preview*", CHAT_ONLY),
    row("gpt-4o-search-preview* gpt-4o-mini-search-preview*", SEARCH),
    row("gpt-5.1* gpt-5.2* gpt-5.3* gpt-5.4* gpt-5.5* gpt-6-luna* gpt-6-sol* gpt-6.1-terra*", REASONING_EFFORT),
    row("gpt-5.6*", REASONING_EFFORT.and(Rules::TOOLS_WITHOUT_EFFORT)),
    row("gpt-5-pro* gpt-5-codex* gpt-5.1-codex*", RESPONSES_ONLY),
];

/// Google's models. Gemini 3.5 Flash-Lite and 3.6 Flash were the first without temperature and prefill, and their guide
/// says that all later ones are.
pub(super) static GEMINI: &[Row] = &[
    row("*", GEMINI_NEW),
    row("gemini-1* gemini-2* gemini-robotics-er-1.5*", GEMINI_OLD),
    row("gemini-3-* gemini-3.1-* gemini-3.5-flash", GEMINI_3),
    row("gemma-*", GEMMA),
    row("gemma-2-* gemma-3*", GEMMA_OLD),
];

/// Models on other servers that speak OpenAI's APIs: whatever those servers take.
pub(super) static COMPATIBLE: &[Row] = &[row("*", CHAT_OLD)];

/// Cloudflare's models: those that came before the inputs of Chat Completions, and all others.
pub(super) static WORKERS_AI: &[Row] = &[
    row("*", RUN_CHAT),
    row(
        "deepseek-coder* deepseek-math* deepseek-r1* discolm* falcon* gemma-2b* gemma-7b* \
         gemma-sea-lion* granite-4.0* hermes-2* llama-2* llama-3* mistral-7b* neural-chat* openchat* openhermes* \
         phi-2 qwen1.5* qwen2.5* qwen3-30b-a3b* qwq* sqlcoder* starling* tinyllama* una-cybertron* \
         zephyr*",
        RUN,
    ),
    row("gemma-3-* llama-3.2-11b-vision* llama-4* mistral-small-3.1*", RUN_SEES),
    row("gpt-oss*", RUN_WHOLE),
    row("llama-guard*", Rules::TEMPERATURE.and(Rules::STREAMS)),
];

/// The model behind the Prompt API, whichever it is.
pub(super) static PROMPT_API: &[Row] = &[row("*", Rules::PREFILL)];

/// Models in the browser; tools throw with all but these.
pub(super) static WEBLLM: &[Row] = &[
    row("*", WITHOUT_TOOLS),
    row("phi-3.5-vision*", WITHOUT_TOOLS.and(Rules::IMAGES)),
    row("hermes-2-pro-llama-3-8b* hermes-2-pro-mistral-7b* hermes-3-llama-3.1-8b*", CHAT_OLD),
];

/// The id in lower case, without what gateways put before it and without a date or `-latest` at its end.
fn plain_id(model: &str) -> String {
    let mut name = model;
    while let Some(slash) = find(name, "/") {
        name = part(name, slash + 1, name.len());
    }
    let mut name = name.to_owned();
    name.make_ascii_lowercase();
    let from = ["claude-", "gpt-", "gemini-"].iter().find_map(|start| find(&name, start)).unwrap_or(0);
    let name = part(&name, from, name.len());
    let at = name.len().saturating_sub(7);
    let name = if part(name, at, name.len()) == "-latest" { part(name, 0, at) } else { name };
    without_date(name, 8).or_else(|| without_date(name, 10)).unwrap_or(name).to_owned()
}

/// The id before `-20250514`, `@20250514` or `-2025-05-14`.
fn without_date(id: &str, length: usize) -> Option<&str> {
    let at = id.len().checked_sub(length)?;
    let (before, date) = (part(id, 0, at), part(id, at, id.len()));
    let (mut digits, mut dashes) = (0, 0);
    for byte in date.as_bytes() {
        digits += usize::from(byte.is_ascii_digit());
        dashes += usize::from(*byte == b'-');
    }
    let is_date = digits == 8 && dashes == length - 8;
    match before.as_bytes() {
        [id @ .., b'-' | b'@'] if is_date => Some(part(before, 0, id.len())),
        _ => None,
    }
}

/// Which models understand each other's opaque state: the id up to and with its first number, as `claude-opus-5` of
/// `claude-opus-5-5-20261001`, `gpt-5` of `gpt-5.1-mini`, `gemini-3` of `gemini-3.1-pro`.
pub(super) fn family(model: &str) -> String {
    let mut id = plain_id(model);
    let mut in_number = false;
    for (at, byte) in id.as_bytes().iter().enumerate() {
        if in_number && !byte.is_ascii_digit() {
            id.truncate(at);
            break;
        }
        in_number = byte.is_ascii_digit();
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_longest_line_counts() {
        for (model, rules) in [
            ("claude-3-5-sonnet-20241022", CLAUDE_OLD),
            ("claude-sonnet-4-20250514", CLAUDE_OLD),
            ("claude-opus-4-6", CLAUDE_4_6),
            ("us.anthropic.claude-opus-4-7-v1:0", CLAUDE_4_7),
            ("anthropic/claude-sonnet-5", CLAUDE_4_7),
            ("claude-sonnet-5-20260901", CLAUDE_4_7),
            ("claude-sonnet-5-5", CLAUDE_NEW),
            ("claude-sonnet-6", CLAUDE_NEW),
            ("something-else", CLAUDE_NEW),
        ] {
            assert_eq!(Rules::of(ANTHROPIC, model), rules, "{model}");
        }
        for (model, rules) in [
            ("gpt-4o-2024-08-06", CHAT_OLD),
            ("gpt-4.1", CHAT_OLD),
            ("gpt-5", REASONING),
            ("gpt-5-2025-08-07", REASONING),
            ("gpt-5-chat-latest", CHAT_OLD),
            ("openai/gpt-5.1-mini", REASONING_EFFORT),
            ("o3", REASONING),
            ("gpt-7", REASONING),
            ("gpt-5.1-codex-max", RESPONSES_ONLY),
            ("gpt-4o-audio-preview-2025-06-03", CHAT_ONLY),
        ] {
            assert_eq!(Rules::of(OPENAI, model), rules, "{model}");
        }
        for (model, rules) in [
            ("gemini-2.5-flash", GEMINI_OLD),
            ("models/gemini-3-pro-preview", GEMINI_3),
            ("gemini-3.5-flash", GEMINI_3),
            ("gemini-3.5-flash-lite", GEMINI_NEW),
            ("gemini-4-argon", GEMINI_NEW),
            ("gemini-flash-latest", GEMINI_NEW),
            ("gemma-3-27b-it", GEMMA_OLD),
            ("gemma-4-31b-it", GEMMA),
        ] {
            assert_eq!(Rules::of(GEMINI, model), rules, "{model}");
        }
    }

    #[test]
    fn the_host_overrides_by_name() {
        let rules = |text: &str| CLAUDE_NEW.with(Document::from_text(text.into()).unwrap().root());
        assert!(rules(r#"{"temperature":true,"prefill":false}"#).unwrap().allow(Rules::TEMPERATURE));
        assert_eq!(rules(r#"{"tempreature":true}"#).unwrap_err().data(), r#"{"rule":"tempreature"}"#);
        assert!(rules(r#"{"temperature":1}"#).is_err());
    }

    #[test]
    fn families() {
        for (model, expected) in [
            ("claude-opus-5-5-20261001", "claude-opus-5"),
            ("claude-sonnet-4-20250514", "claude-sonnet-4"),
            ("claude-3-5-sonnet-latest", "claude-3"),
            ("gpt-5.1-mini", "gpt-5"),
            ("models/gemini-3.1-pro", "gemini-3"),
            ("o4-mini", "o4"),
            ("deepseek-reasoner", "deepseek-reasoner"),
            ("@cf/openai/gpt-oss-120b", "gpt-oss-120"),
            ("", ""),
        ] {
            assert_eq!(family(model), expected, "{model}");
        }
    }
}
