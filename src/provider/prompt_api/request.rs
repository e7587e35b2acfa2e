//! The descriptor: options of `create`, the prompt and its options, and the limit that the page keeps.

use crate::error::Error;
use crate::sampling::{Role, ToolChoiceMode};

use super::super::Rules;
use super::super::draft::{Draft, no_reserved_fields};
use super::super::fields::is_above;
use super::super::results::Kind;
use super::super::warnings::Fate;
use super::messages::{Messages, Turn};
use super::tools::{constraint, instructions};

/// The modes that there are, each with the temperature up to which it is the nearest.
const MODES: &[(&str, &str)] =
    &[("0.25", "most-predictable"), ("0.75", "predictable"), ("1.25", "balanced"), ("1.75", "creative")];

/// Writes the descriptor.
pub(super) fn build(draft: &mut Draft<'_>) -> Result<(), Error> {
    no_reserved_fields(draft.options, "initialPrompts prompt")?;
    let offered = offered(draft);
    let required = draft.choice() == ToolChoiceMode::Required;
    let turns = Messages::collect(draft)?;
    let begin = begin(draft, &turns, offered)?;
    prompts(draft, &turns, begin, offered.then_some(required));
    expected_inputs(draft, &turns);
    sampling(draft);
    if offered && draft.wants_own("responseConstraint") {
        constraint(draft, required);
        draft.write_own("omitResponseConstraintInput", "%r", "true");
    }
    if draft.max_tokens("maxTokens") {
        let message = "the API has no limit; the page counts and ends the answer";
        draft.warn("/maxTokens", Fate::Emulated, message);
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
        draft.warn("/tools", Fate::Emulated, "no tools are sent, so that none is used");
        return false;
    }
    let message = "the API runs tools itself; here the model answers with JSON that is read as calls";
    draft.warn("/tools", Fate::Emulated, message);
    draft.report_tools();
    true
}

/// How the answer begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin<'d> {
    /// Anew, after the user.
    Anew,
    /// With the last message of the assistant.
    Continued,
    /// Anew, after the user says this.
    Asked(&'d str),
}

/// A prefix is text, so it cannot begin an answer that is JSON.
fn begin<'d>(draft: &mut Draft<'d>, turns: &[Turn<'_>], offered: bool) -> Result<Begin<'d>, Error> {
    match turns.last() {
        None => Err(draft.nothing_left()),
        Some(turn) if turn.role == Role::User => Ok(Begin::Anew),
        Some(_) if draft.rules.allow(Rules::PREFILL) && !offered => Ok(Begin::Continued),
        Some(_) => draft.continuation().map(Begin::Asked),
    }
}

/// The history goes into the session, where nothing is dropped in silence; the last turn is the prompt.
fn prompts(draft: &mut Draft<'_>, turns: &[Turn<'_>], begin: Begin<'_>, tools: Option<bool>) {
    let last = match (begin, turns) {
        (Begin::Anew, _) => 1,
        // The user's message before it too, if there is one.
        (Begin::Continued, [.., before, _]) if before.role == Role::User => 2,
        (Begin::Continued, _) => 1,
        (Begin::Asked(_), _) => 0,
    };
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
        draft.json.lit("]");
    }
    draft.json.lit("\"prompt\":[");
    for turn in prompt {
        turn.write(&mut draft.json, begin == Begin::Continued && turn.role == Role::Assistant);
    }
    if let Begin::Asked(text) = begin {
        draft.json.one("{\"role\":\"user\",\"content\":%q}", text);
    }
    draft.json.lit("]");
}

/// What a session must know to be created for it.
fn expected_inputs(draft: &mut Draft<'_>, turns: &[Turn<'_>]) {
    let has = |kind| turns.iter().any(|turn| turn.has(kind));
    let form = match (has(Kind::Image), has(Kind::Audio)) {
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
                draft.warn("/temperature", Fate::Changed, "the API takes temperatures from 0");
            }
        }
        return;
    }
    let is_default = temperature.as_unit_thousandths() == Some(1000);
    if is_default || !draft.wants_own("temperature") || !draft.wants("samplingMode", "/temperature") {
        return;
    }
    if draft.options.adds("topK") {
        return draft.warn("/temperature", Fate::Dropped, "the API takes no mode beside the host's topK");
    }
    let mode = MODES.iter().find(|(most, _)| !is_above(temperature, most)).map_or("most-creative", |(_, mode)| mode);
    draft.json.one("\"samplingMode\":%q", mode);
    let message = "the API knows no temperature but modes; the nearest is chosen";
    draft.warn("/temperature", Fate::Changed, message);
}
