//! The descriptor: options of `create`, the prompt and its options, and the limit that the page keeps.

use crate::error::Error;
use crate::json::{Number, Path};
use crate::sampling::{Role, ToolChoiceMode};

use super::super::draft::{Draft, reserved};
use super::super::openai::is_above;
use super::super::warnings::Fate;
use super::super::{Built, Rules};
use super::messages::{Turn, Turns};
use super::reply::FOLDED;
use super::tools::{constraint, instructions};

/// The modes that there are, each with the temperature up to which it is the nearest.
const MODES: &[(&str, &str)] =
    &[("0.25", "most-predictable"), ("0.75", "predictable"), ("1.25", "balanced"), ("1.75", "creative")];

/// Writes the descriptor.
pub(super) fn build(mut draft: Draft<'_>) -> Result<Built, Error> {
    if let Some(field) = ["initialPrompts", "prompt"].into_iter().find(|field| draft.options.extra(field).is_some()) {
        return Err(reserved(field));
    }
    let offered = offered(&mut draft);
    let required = draft.choice() == ToolChoiceMode::Required;
    let turns = Turns::collect(&mut draft)?;
    let continued = continued(&mut draft, &turns, offered)?;
    prompts(&mut draft, &turns, continued, offered.then_some(required));
    expected_inputs(&mut draft, &turns);
    sampling(&mut draft);
    if offered && draft.wants_own("responseConstraint") {
        constraint(&mut draft, required);
        if draft.wants_own("omitResponseConstraintInput") {
            draft.json.key("omitResponseConstraintInput").raw("true");
        }
    }
    limit(&mut draft);
    draft.cut_here("the API has no stop sequences; the answer is cut here", |_, _| true);
    if let Some(metadata) = draft.params.metadata() {
        draft.report_members(metadata, &[], &Path::Root.key("metadata"), "the API takes no metadata");
    }
    draft.state.own = offered.then(|| FOLDED.to_owned());
    draft.finish(String::new(), Vec::new())
}

/// Whether the model is told of the tools.
fn offered(draft: &mut Draft<'_>) -> bool {
    let (list, tools) = (Path::Root.key("tools"), draft.tools());
    if tools.is_empty() {
        return false;
    }
    if draft.choice() == ToolChoiceMode::None {
        draft.warn(&list, Fate::Emulated, "no tools are sent, so that none is used");
        return false;
    }
    draft.warn(
        &list,
        Fate::Emulated,
        "the API runs tools itself; here the model answers with JSON that is read as calls",
    );
    for (index, tool) in tools.into_iter().enumerate() {
        draft.report_tool(tool, &list.index(index));
    }
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
fn continued<'d>(draft: &mut Draft<'d>, turns: &[Turn<'_>], offered: bool) -> Result<Begin<'d>, Error> {
    match turns.last() {
        None => return Err(draft.nothing_left()),
        Some(turn) if turn.role == Role::User => return Ok(Begin::Anew),
        Some(_) => {}
    }
    if draft.rules.allow(Rules::PREFILL) && !offered {
        return Ok(Begin::Continued);
    }
    draft.continuation().map(Begin::Asked)
}

/// The history goes into the session, where nothing is dropped in silence; the last turn is the prompt.
fn prompts(draft: &mut Draft<'_>, turns: &[Turn<'_>], begin: Begin<'_>, tools: Option<bool>) {
    let last = match begin {
        Begin::Anew => 1,
        // The user's message before it too, if there is one.
        Begin::Continued => 1 + usize::from(turns.iter().rev().nth(1).is_some_and(|turn| turn.role == Role::User)),
        Begin::Asked(_) => 0,
    };
    let (before, prompt) = turns.split_at(turns.len().saturating_sub(last));
    let system = system(draft, tools);
    if system.is_some() || !before.is_empty() {
        draft.json.key("initialPrompts").open('[');
        if let Some(pieces) = system {
            let pieces: Vec<_> = pieces.iter().map(String::as_str).collect();
            draft.json.open('{');
            draft.json.key("role").text("system");
            draft.json.key("content").joined(&pieces);
            draft.json.close('}');
        }
        before.iter().for_each(|turn| turn.write(&mut draft.json, false));
        draft.json.close(']');
    }
    draft.json.key("prompt").open('[');
    prompt
        .iter()
        .for_each(|turn| turn.write(&mut draft.json, begin == Begin::Continued && turn.role == Role::Assistant));
    if let Begin::Asked(text) = begin {
        draft.json.open('{');
        draft.json.key("role").text("user");
        draft.json.key("content").text(text);
        draft.json.close('}');
    }
    draft.json.close(']');
}

/// The system prompt, and what the model must know of the tools.
fn system(draft: &mut Draft<'_>, tools: Option<bool>) -> Option<Vec<String>> {
    let prompt = draft.system().map(|system| system.raw().to_owned());
    let tools = tools.map(|required| instructions(draft, required));
    let blank = (prompt.is_some() && tools.is_some()).then(|| "\\n\\n".to_owned());
    let pieces: Vec<_> = prompt.into_iter().chain(blank).chain(tools).collect();
    (!pieces.is_empty()).then_some(pieces)
}

/// What a session must know to be created for it.
fn expected_inputs(draft: &mut Draft<'_>, turns: &[Turn<'_>]) {
    let kinds = ["image", "audio"].into_iter().filter(|kind| turns.iter().any(|turn| turn.has(kind)));
    let kinds: Vec<_> = kinds.collect();
    if kinds.is_empty() || !draft.wants_own("expectedInputs") {
        return;
    }
    draft.json.key("expectedInputs").open('[');
    for kind in kinds {
        draft.json.open('{');
        draft.json.key("type").text(kind);
        draft.json.close('}');
    }
    draft.json.close(']');
}

/// The nearest mode; in extensions, the number. Both at once are an error, as is a mode beside the host's own numbers.
/// The value 1 is what models use by themselves, so leaving it out loses nothing.
fn sampling(draft: &mut Draft<'_>) {
    let Some(temperature) = draft.params.temperature() else { return };
    let path = Path::Root.key("temperature");
    if draft.rules.allow(Rules::TEMPERATURE) {
        if draft.wants("temperature", "temperature") && draft.wants_own("samplingMode") {
            draft.json.key("temperature").raw(if temperature.is_negative() { "0" } else { temperature.raw() });
            if temperature.is_negative() {
                draft.warn(&path, Fate::Changed, "the API takes temperatures from 0");
            }
        }
        return;
    }
    let is_default = temperature.as_unit_thousandths() == Some(1000);
    if is_default || !draft.wants_own("temperature") || !draft.wants("samplingMode", "temperature") {
        return;
    }
    if draft.options.extra("topK").is_some() {
        return draft.warn(&path, Fate::Dropped, "the API takes no mode beside the host's topK");
    }
    let mode = MODES.iter().find(|(most, _)| !is_above(temperature, most)).map_or("most-creative", |(_, mode)| mode);
    draft.json.key("samplingMode").text(mode);
    draft.warn(&path, Fate::Changed, "the API knows no temperature but modes; the nearest is chosen");
}

fn limit(draft: &mut Draft<'_>) {
    let max_tokens = draft.params.max_tokens().and_then(Number::as_safe_integer);
    if let Some(max_tokens) = max_tokens.filter(|_| draft.wants("maxTokens", "maxTokens")) {
        draft.json.key("maxTokens").number(max_tokens);
        draft.warn(
            &Path::Root.key("maxTokens"),
            Fate::Emulated,
            "the API has no limit; the page counts and ends the answer",
        );
    }
    if draft.options.stream {
        draft.json.key("stream").raw("true");
    }
}
