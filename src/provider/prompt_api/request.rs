//! The descriptor: options of `create`, the prompt and its options, and the limit that the page keeps.

use crate::error::Error;
use crate::sampling::{Role, ToolChoiceMode};

use super::super::Rules;
use super::super::body::next_word;
use super::super::draft::Draft;
use super::super::fields::is_above;
use super::super::results::Kind;
use super::super::warnings::Fate;
use super::messages::{Messages, Turn};
use super::tools::{constraint, instructions};

/// The modes that there are but for the last, each after the temperature up to which it is the nearest.
const MODES: &str = "0.25 most-predictable 0.75 predictable 1.25 balanced 1.75 creative";

/// Writes the descriptor.
pub(super) fn build(draft: &mut Draft<'_>) -> Result<(), Error> {
    draft.no_reserved_fields("initialPrompts prompt")?;
    let offered = offered(draft);
    let required = draft.choice() == ToolChoiceMode::Required;
    let turns = Messages::collect(draft)?;
    prompts(draft, &turns, offered.then_some(required))?;
    expected_inputs(draft, &turns);
    sampling(draft);
    if offered && draft.wants_own("responseConstraint") {
        constraint(draft, required);
        draft.write_own("omitResponseConstraintInput", "%r", "true");
    }
    if draft.max_tokens("maxTokens") {
        let message = "the API has no limit; the page counts and ends the answer";
        draft.warn_at("/maxTokens", Fate::Emulated, message);
    }
    draft.stream();
    draft.stops("", 0, false, "the API has no stop sequences; the answer is cut here");
    draft.report_metadata("", "the API takes no metadata");
    if offered {
        draft.own.lit("\"folded\":true");
    }
    Ok(())
}

/// Whether the model is told of the tools.
fn offered(draft: &mut Draft<'_>) -> bool {
    if !draft.has_tools() {
        return false;
    }
    if draft.choice() == ToolChoiceMode::None {
        draft.warn_at("/tools", Fate::Emulated, "no tools are sent, so that none is used");
        return false;
    }
    let message = "the API runs tools itself; here the model answers with JSON that is read as calls";
    draft.warn_at("/tools", Fate::Emulated, message);
    draft.report_tools();
    true
}

/// The history goes into the session, where nothing is dropped in silence; the last turn is the prompt. Such a turn of the
/// assistant is continued, or the user says something after it: a prefix is text, so it cannot begin an answer that is
/// JSON.
fn prompts(draft: &mut Draft<'_>, turns: &[Turn<'_>], tools: Option<bool>) -> Result<(), Error> {
    let Some(end) = turns.last() else { return Err(draft.nothing_left()) };
    let (mut last, mut asked) = (1, None);
    let prefix = end.role == Role::Assistant && tools.is_none() && draft.rules.allow(Rules::PREFILL);
    if prefix {
        // The user's message before it too, if there is one.
        let before = turns.get(turns.len().wrapping_sub(2));
        last += usize::from(before.is_some_and(|before| before.role == Role::User));
    } else if end.role == Role::Assistant {
        (last, asked) = (0, Some(draft.continuation()?));
    }
    let (before, prompt) = turns.split_at_checked(turns.len().saturating_sub(last)).unwrap_or_default();
    // The system prompt, and what the model must know of the tools.
    let system = draft.system().unwrap_or_default();
    let tools = tools.map(|required| instructions(draft, required)).unwrap_or_default();
    let blank = if system.is_empty() || tools.is_empty() { "" } else { "\\n\\n" };
    let has_system = !system.is_empty() || !tools.is_empty();
    if has_system || !before.is_empty() {
        draft.json.lit("\"initialPrompts\":[");
        if has_system {
            draft.json.three("{\"role\":\"system\",\"content\":\"%v%v%v\"}", system, blank, &tools);
        }
        for turn in before {
            turn.write(&mut draft.json, false);
        }
        draft.json.end_list();
    }
    draft.json.lit("\"prompt\":[");
    for turn in prompt {
        turn.write(&mut draft.json, prefix && turn.role == Role::Assistant);
    }
    if let Some(text) = asked {
        draft.json.one("{\"role\":\"user\",\"content\":%q}", text);
    }
    draft.json.end_list();
    Ok(())
}

/// What a session must know to be created for it.
fn expected_inputs(draft: &mut Draft<'_>, turns: &[Turn<'_>]) {
    let (mut images, mut audio) = (false, false);
    for turn in turns {
        for part in &turn.parts {
            images |= part.kind == Kind::Image;
            audio |= part.kind == Kind::Audio;
        }
    }
    let form = match (images, audio) {
        (true, true) => "[{\"type\":\"image\"},{\"type\":\"audio\"}]",
        (true, false) => "[{\"type\":\"image\"}]",
        (false, true) => "[{\"type\":\"audio\"}]",
        (false, false) => return,
    };
    draft.write_own("expectedInputs", "%r", form);
}

/// The nearest mode; in extensions, the number. Both at once are an error, as is a mode beside the host's own numbers.
/// The value 1 is what models use by themselves, so leaving it out loses nothing.
fn sampling(draft: &mut Draft<'_>) {
    let Some(temperature) = draft.temperature() else { return };
    if draft.rules.allow(Rules::TEMPERATURE) {
        if draft.wants("temperature", "/temperature") && draft.wants_own("samplingMode") {
            let number = if temperature.is_negative() { "0" } else { temperature.raw() };
            draft.json.one("\"temperature\":%r", number);
            if temperature.is_negative() {
                draft.warn_at("/temperature", Fate::Changed, "the API takes temperatures from 0");
            }
        }
        return;
    }
    let is_default = temperature.as_unit_thousandths() == Some(1000);
    if is_default || !draft.wants_own("temperature") || !draft.wants("samplingMode", "/temperature") {
        return;
    }
    if draft.adds("topK") {
        return draft.warn_at("/temperature", Fate::Dropped, "the API takes no mode beside the host's topK");
    }
    let mut modes = MODES;
    let mode = loop {
        match (next_word(&mut modes), next_word(&mut modes)) {
            (Some(most), Some(_)) if is_above(temperature, most) => {}
            (_, mode) => break mode.unwrap_or("most-creative"),
        }
    };
    draft.json.one("\"samplingMode\":%q", mode);
    let message = "the API knows no temperature but modes; the nearest is chosen";
    draft.warn_at("/temperature", Fate::Changed, message);
}
