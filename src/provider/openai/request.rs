//! The body of a request (`ChatCompletionCreateParams`).

use crate::error::Error;
use crate::json::{JsonStr, Kind, Value};
use crate::sampling::ToolChoiceMode;

use super::super::body::{Json, RAW_MEMBER, decoded};
use super::super::draft::Draft;
use super::super::failure::string;
use super::super::media::{AUDIO, IMAGES};
use super::super::warnings::Fate;
use super::super::{Provider, Rules};
use super::messages::Messages;
use super::profile::{COMPLETION_TOKENS, HERMES, METADATA, Profile, STREAM_USAGE, TOOL_CHOICE};

/// Writes the body, in the order of the vendor's examples, constant for the caches' sake.
pub(super) fn build(draft: &mut Draft<'_>) -> Result<(), Error> {
    let mut profile = Profile::of(draft.options)?;
    for (rule, kind) in &[(Rules::IMAGES, IMAGES), (Rules::AUDIO, AUDIO)] {
        if profile.is(HERMES) && !draft.rules.allow(*rule) {
            profile.takes &= !kind;
        }
    }
    if !draft.rules.allow(Rules::CHAT) {
        let message = "this model is served only by the Responses API; expect an error";
        draft.warn(Fate::Changed, message);
    }
    let streams = draft.options.stream;
    scalars(draft, &profile, true, streams);
    messages(draft, &profile)?;
    if draft.offered {
        tools(draft, None);
        choice(draft, &profile);
    }
    let no_effort = effort(draft);
    temperature(draft, no_effort);
    stop(draft, &profile);
    match profile.is(METADATA) {
        true => metadata_map(draft),
        false => draft.report_metadata("", "the server takes no metadata"),
    }
    own_state(draft, &profile);
    draft.path.push_str("/chat/completions");
    Ok(())
}

/// The model, if it is not told in another way, the limit and the stream.
pub(in super::super) fn scalars(draft: &mut Draft<'_>, profile: &Profile, model: bool, streams: bool) {
    if model {
        draft.write_own("model", "%q", &draft.options.model);
    }
    let (old, new) = ("max_tokens", "max_completion_tokens");
    let (field, other) = if profile.is(COMPLETION_TOKENS) { (new, old) } else { (old, new) };
    // Both names at once are an error.
    if !draft.adds(other) {
        draft.max_tokens(field);
    }
    if streams {
        draft.stream();
        if profile.is(STREAM_USAGE) {
            draft.write_own("stream_options", "%r", "{\"include_usage\":true}");
        }
    }
}

/// Writes the messages. Where the choice is not read, sending no tools is how to say none.
pub(in super::super) fn messages(draft: &mut Draft<'_>, profile: &Profile) -> Result<(), Error> {
    if draft.has_tools() && draft.choice() == ToolChoiceMode::None && !profile.is(TOOL_CHOICE) {
        let message = "the server does not read tool_choice; no tools are sent, so that none is used";
        draft.warn_at("/tools", Fate::Emulated, message);
    } else {
        draft.offer()?;
    }
    draft.json.lit("\"messages\":[");
    Messages::write(draft, profile)?;
    draft.json.end_list();
    Ok(())
}

/// `strict` is left out: schemas of MCP rarely keep the rules that it brings.
pub(in super::super) fn tools<'d>(draft: &mut Draft<'d>, write: Option<fn(&mut Draft<'d>, Value<'d>)>) {
    draft.tools("\"tools\":[\n{\"type\":\"function\",\"function\":{\"name\":%q\n\"parameters\":\n}}\n]", write);
}

pub(in super::super) fn choice(draft: &mut Draft<'_>, profile: &Profile) {
    if profile.is(TOOL_CHOICE) {
        write_choice(draft);
    } else if draft.choice() == ToolChoiceMode::Required {
        let message = "the server does not read tool_choice; the model decides";
        draft.warn_at("/toolChoice/mode", Fate::Changed, message);
    }
}

/// For Cloudflare's models, `required` is advice; the name of a tool is an order.
pub(in super::super) fn write_choice(draft: &mut Draft<'_>) {
    let Some(mode) = draft.said_choice("tool_choice") else { return };
    let mut tools = draft.tool_list();
    let only = tools.next().filter(|_| tools.next().is_none() && draft.provider == Provider::WorkersAi);
    match only.filter(|_| mode == ToolChoiceMode::Required) {
        Some(tool) => {
            let name = draft.wire_name(tool);
            let form = "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":%q}}";
            draft.json.one(form, &name);
        }
        None => draft.json.one("\"tool_choice\":%q", mode.as_str()),
    }
}

/// True if the model will not reason. Some models take tools on this API only then.
fn effort(draft: &mut Draft<'_>) -> bool {
    let effort = draft.extra.at("reasoning_effort");
    if !effort.is_missing() {
        return effort.is_text("none");
    }
    let switch_off = draft.offered
        && draft.rules.allow(Rules::TOOLS_WITHOUT_EFFORT)
        && draft.write_own("reasoning_effort", "%q", "none");
    if switch_off {
        let message = "on this API the model takes tools only without reasoning";
        draft.warn_at("/tools", Fate::Changed, message);
    }
    switch_off
}

/// From 0 to 2.
pub(in super::super) fn temperature(draft: &mut Draft<'_>, no_effort: bool) {
    let rules = draft.rules;
    let taken = rules.allow(Rules::TEMPERATURE) || no_effort && rules.allow(Rules::TEMPERATURE_WITHOUT_EFFORT);
    let refused = "this model does not take a temperature";
    draft.write_temperature(taken, "2", refused, "the API takes temperatures from 0 to 2");
}

/// As many as the server takes.
pub(in super::super) fn stop(draft: &mut Draft<'_>, profile: &Profile) {
    let most = if draft.rules.allow(Rules::STOP) && !draft.options.omits("stop") { profile.stop_max } else { 0 };
    draft.stops("stop", most, false, "the server takes no such stop sequence, or no more; the answer is cut here");
}

/// A map of at most 16 short texts.
pub(in super::super) fn metadata_map(draft: &mut Draft<'_>) {
    let mut json = Json::default();
    let mut count = 0;
    draft.place.push_str("/metadata");
    for (key, value) in draft.params.at("metadata").members() {
        let name = decoded(key);
        let place = draft.enter(&name);
        let text = value.as_str().map_or_else(|| value.raw().into(), JsonStr::decode);
        let fits = |text: &str, most: usize| crate::error::start(text, most).len() == text.len();
        if fits(&name, 64) && fits(&text, 512) && count < 16 {
            count += 1;
            let mut form = RAW_MEMBER;
            if !value.is(Kind::String) {
                draft.warn(Fate::Changed, "metadata takes only texts; its JSON is sent");
                form = "\"%r\":%q";
            }
            json.two(form, key.raw(), value.raw());
        } else {
            let message = "metadata takes 16 texts of 512 characters, under keys of 64";
            draft.warn(Fate::Dropped, message);
        }
        draft.place.truncate(place);
    }
    draft.place.clear();
    if count > 0 && draft.wants("metadata", "/metadata") {
        draft.json.one("\"metadata\":{%r}", json.text());
    }
}

/// What reading the reply has to know: the format of sound that the host asked for, whether a tool has the name of a
/// wrapper that models invent, whether text is nothing but calls.
fn own_state(draft: &mut Draft<'_>, profile: &Profile) {
    if let Some(format) = string(draft.extra.at("audio"), "format") {
        draft.own.value("\"audio\":%v", format.value());
    }
    note_parallel(draft);
    if profile.is(HERMES) && draft.offered {
        draft.own.lit("\"textIsCalls\":true");
    }
}

/// Notes whether a tool has the name of a wrapper that models invent.
pub(in super::super) fn note_parallel(draft: &mut Draft<'_>) {
    if draft.tool_list().any(|tool| tool.at("name").is_text("parallel")) {
        draft.own.lit("\"parallel\":true");
    }
}
