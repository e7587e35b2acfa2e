//! The body of a request (`ChatCompletionCreateParams`).

use crate::error::Error;
use crate::json::{Document, JsonStr, Kind, Number, Path, Value, quote};
use crate::sampling::{Tool, ToolChoiceMode};

use super::super::body::Json;
use super::super::draft::Draft;
use super::super::failure::unsupported;
use super::super::warnings::Fate;
use super::super::{Built, Rules};
use super::messages::Messages;
use super::profile::Profile;

/// Writes the body, in the order of the vendor's examples, constant for the caches' sake.
pub(super) fn build(mut draft: Draft<'_>) -> Result<Built, Error> {
    let mut profile = Profile::of(draft.options)?;
    if profile.hermes {
        profile = profile.only(draft.rules.allow(Rules::IMAGES), draft.rules.allow(Rules::AUDIO));
    }
    scalars(&mut draft, &profile);
    let offered = offered(&mut draft, &profile)?;
    draft.json.key("messages").open('[');
    if !Messages::write(&mut draft, &profile, offered)? {
        return Err(draft.nothing_left());
    }
    draft.json.close(']');
    if offered {
        tools(&mut draft);
        choice(&mut draft, &profile);
    }
    let no_effort = effort(&mut draft, offered);
    temperature(&mut draft, no_effort);
    stop(&mut draft, &profile);
    metadata(&mut draft, &profile);
    own_state(&mut draft, &profile, offered);
    draft.finish("/chat/completions".to_owned(), vec![("content-type", "application/json".to_owned())])
}

fn scalars(draft: &mut Draft<'_>, profile: &Profile) {
    let model = draft.options.model.as_str();
    if draft.wants_own("model") {
        draft.json.key("model").text(model);
    }
    if !draft.rules.allow(Rules::CHAT) {
        draft.warn(&Path::Root, Fate::Changed, "this model is served only by the Responses API; expect an error");
    }
    let field = if profile.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    let max_tokens = draft.params.max_tokens().and_then(Number::as_safe_integer);
    // Both names at once are an error.
    let other = if profile.completion_tokens { "max_tokens" } else { "max_completion_tokens" };
    let is_ours = draft.options.extra(other).is_none() && draft.wants(field, "maxTokens");
    if let Some(max_tokens) = max_tokens.filter(|_| is_ours) {
        draft.json.key(field).number(max_tokens);
    }
    if draft.options.stream {
        draft.json.key("stream").raw("true");
        if profile.stream_usage && draft.wants_own("stream_options") {
            draft.json.key("stream_options").raw("{\"include_usage\":true}");
        }
    }
}

/// Whether tools are sent. Where the choice is not read, sending none is how to say none.
pub(in super::super) fn offered(draft: &mut Draft<'_>, profile: &Profile) -> Result<bool, Error> {
    if draft.tools().is_empty() {
        return Ok(false);
    }
    let path = Path::Root.key("tools");
    if draft.choice() == ToolChoiceMode::None && !profile.tool_choice {
        draft.warn(
            &path,
            Fate::Emulated,
            "the server does not read tool_choice; no tools are sent, so that none is used",
        );
        return Ok(false);
    }
    if !draft.rules.allow(Rules::TOOLS) {
        return Err(unsupported(draft.provider, &path, "this model takes no tools"));
    }
    Ok(draft.wants("tools", "tools"))
}

pub(in super::super) fn tools(draft: &mut Draft<'_>) {
    draft.json.key("tools").open('[');
    for (index, tool) in draft.tools().into_iter().enumerate() {
        let list = Path::Root.key("tools");
        draft.report_tool(tool, &list.index(index));
        write_tool(draft, tool);
    }
    draft.json.close(']');
}

/// `strict` is left out: schemas of MCP rarely keep the rules that it brings.
fn write_tool(draft: &mut Draft<'_>, tool: Tool<'_>) {
    let name = tool.name().map(|name| draft.tool_name(name)).unwrap_or_default();
    draft.json.open('{');
    draft.json.key("type").text("function");
    draft.json.key("function").open('{');
    draft.json.key("name").text(&name);
    if let Some(description) = tool.description() {
        draft.json.key("description").token(description);
    }
    if let Some(schema) = tool.input_schema() {
        draft.json.key("parameters").value(schema);
    }
    draft.json.close('}');
    draft.json.close('}');
}

fn choice(draft: &mut Draft<'_>, profile: &Profile) {
    if draft.params.tool_choice().is_none() {
        return;
    }
    let mode = draft.choice();
    if profile.tool_choice {
        if draft.wants("tool_choice", "toolChoice") {
            draft.json.key("tool_choice").text(mode.as_str());
        }
    } else if mode == ToolChoiceMode::Required {
        let path = Path::Root.key("toolChoice");
        draft.warn(&path.key("mode"), Fate::Changed, "the server does not read tool_choice; the model decides");
    }
}

/// True if the model will not reason. Some models take tools on this API only then.
fn effort(draft: &mut Draft<'_>, offered: bool) -> bool {
    if let Some(effort) = draft.options.extra("reasoning_effort") {
        return effort.as_str().is_some_and(|effort| effort == "none");
    }
    let switch_off = offered && draft.rules.allow(Rules::TOOLS_WITHOUT_EFFORT) && draft.wants_own("reasoning_effort");
    if switch_off {
        draft.json.key("reasoning_effort").text("none");
        draft.warn(&Path::Root.key("tools"), Fate::Changed, "on this API the model takes tools only without reasoning");
    }
    switch_off
}

/// From 0 to 2. The value 1 is what models use by themselves, so leaving it out loses nothing.
pub(in super::super) fn temperature(draft: &mut Draft<'_>, no_effort: bool) {
    let Some(temperature) = draft.params.temperature() else { return };
    let path = Path::Root.key("temperature");
    let taken =
        draft.rules.allow(Rules::TEMPERATURE) || no_effort && draft.rules.allow(Rules::TEMPERATURE_WITHOUT_EFFORT);
    if !taken {
        if temperature.as_unit_thousandths() != Some(1000) {
            draft.warn(&path, Fate::Dropped, "this model does not take a temperature");
        }
    } else if draft.wants("temperature", "temperature") {
        let clamped = clamp(temperature);
        draft.json.key("temperature").raw(clamped);
        if clamped != temperature.raw() {
            draft.warn(&path, Fate::Changed, "the API takes temperatures from 0 to 2");
        }
    }
}

pub(in super::super) fn clamp(temperature: Number<'_>) -> &str {
    clamp_at(temperature, "2")
}

/// The temperature, if it is from 0 to `most`, else the nearer of the two.
pub(in super::super) fn clamp_at<'t>(temperature: Number<'t>, most: &'t str) -> &'t str {
    match (temperature.is_negative(), is_above(temperature, most)) {
        (true, _) => "0",
        (false, true) => most,
        (false, false) => temperature.raw(),
    }
}

/// True if the number is larger than the one that `limit` is.
pub(in super::super) fn is_above(number: Number<'_>, limit: &str) -> bool {
    let limit = Document::from_text(limit.to_owned()).ok();
    limit.and_then(|limit| Some(number.compare(limit.root().as_number()?).is_gt())).unwrap_or(false)
}

/// As many as the server takes; the rest is looked for in the answer.
pub(in super::super) fn stop(draft: &mut Draft<'_>, profile: &Profile) {
    let most = if draft.rules.allow(Rules::STOP) && !draft.options.omits("stop") { profile.stop_max } else { 0 };
    draft.cut_here("the server takes no such stop sequence, or no more; the answer is cut here", |index, stop| {
        index >= most || stop.is_empty()
    });
    let sent = |stops: JsonStr<'_>| !stops.is_empty();
    let stops: Vec<_> =
        draft.params.stop_sequences().into_iter().flatten().take(most).filter(|stop| sent(*stop)).collect();
    if !stops.is_empty() && draft.wants_own("stop") {
        draft.json.key("stop").open('[');
        stops.into_iter().for_each(|stop| draft.json.token(stop));
        draft.json.close(']');
    }
}

fn metadata(draft: &mut Draft<'_>, profile: &Profile) {
    if profile.metadata {
        return metadata_map(draft);
    }
    if let Some(metadata) = draft.params.metadata() {
        draft.report_members(metadata, &[], &Path::Root.key("metadata"), "the server takes no metadata");
    }
}

/// A map of at most 16 short texts.
pub(in super::super) fn metadata_map(draft: &mut Draft<'_>) {
    let Some(metadata) = draft.params.metadata() else { return };
    let path = Path::Root.key("metadata");
    let mut json = Json::with_capacity(64);
    json.open('{');
    let mut count = 0;
    for (key, value) in metadata.members() {
        let (name, text) = (key.decode(), text_of(value));
        let fits = name.chars().count() <= 64 && text.chars().count() <= 512 && count < 16;
        if !fits {
            draft.warn(&path.key(&name), Fate::Dropped, "metadata takes 16 texts of 512 characters, under keys of 64");
            continue;
        }
        if value.kind() != Kind::String {
            draft.warn(&path.key(&name), Fate::Changed, "metadata takes only texts; its JSON is sent");
        }
        count += 1;
        json.raw_key(key.raw()).raw(&if value.kind() == Kind::String { value.raw().to_owned() } else { quote(&text) });
    }
    json.close('}');
    if count > 0 && draft.wants("metadata", "metadata") {
        draft.json.key("metadata").raw(&json.finish());
    }
}

fn text_of(value: Value<'_>) -> String {
    value.as_str().map_or_else(|| value.raw().to_owned(), |text| text.decode().into_owned())
}

/// What reading the reply has to know: the format of sound that the host asked for, whether a tool has the name of a
/// wrapper that models invent, whether text is nothing but calls.
fn own_state(draft: &mut Draft<'_>, profile: &Profile, offered: bool) {
    let mut json = Json::with_capacity(64);
    json.open('{');
    if let Some(format) = draft.options.extra("audio").and_then(|audio| audio.get("format")?.as_str()) {
        json.key("audio").token(format);
    }
    if has_parallel(draft) {
        json.key("parallel").raw("true");
    }
    if profile.hermes && offered {
        json.key("textIsCalls").raw("true");
    }
    json.close('}');
    draft.state.own = Some(json.finish()).filter(|text| text.len() > 2);
}

/// True if a tool has the name of a wrapper that models invent.
pub(in super::super) fn has_parallel(draft: &Draft<'_>) -> bool {
    draft.tools().iter().any(|tool| tool.name().is_some_and(|name| name == "parallel"))
}
