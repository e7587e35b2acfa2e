//! The inputs (`ChatCompletionsInput`, `AiTextGenerationInput`).

use crate::error::{Code, Error};
use crate::json::{Number, Path};
use crate::sampling::{Tool, ToolChoiceMode};

use super::super::body::Json;
use super::super::draft::Draft;
use super::super::openai::{Messages, Profile, clamp_at, has_parallel, offered, stop, tools};
use super::super::warnings::Fate;
use super::super::{Built, Rules};

/// Writes the inputs.
pub(super) fn build(mut draft: Draft<'_>) -> Result<Built, Error> {
    let compatible = is_compatible(&draft)?;
    let chat = compatible || draft.rules.allow(Rules::CHAT_INPUTS);
    let profile = Profile::workers_ai(chat, draft.rules.allow(Rules::IMAGES));
    scalars(&mut draft, compatible, chat);
    let offered = offered(&mut draft, &profile)?;
    draft.json.key("messages").open('[');
    if !Messages::write(&mut draft, &profile, offered)? {
        return Err(draft.nothing_left());
    }
    draft.json.close(']');
    match (offered, chat) {
        (true, true) => {
            tools(&mut draft);
            choice(&mut draft);
        }
        (true, false) => native_tools(&mut draft),
        (false, _) => {}
    }
    temperature(&mut draft, if chat { "2" } else { "5" });
    stop(&mut draft, &profile);
    metadata(&mut draft, chat);
    own_state(&mut draft, offered);
    let path =
        if compatible { "/ai/v1/chat/completions".to_owned() } else { ["/ai/run/", &draft.options.model].concat() };
    draft.finish(path, vec![("content-type", "application/json".to_owned())])
}

/// True for the endpoint that is made like OpenAI's.
fn is_compatible(draft: &Draft<'_>) -> Result<bool, Error> {
    let Some(profile) = draft.options.profile.as_ref() else { return Ok(false) };
    match profile.root().as_str() {
        Some(name) if name == "run" => Ok(false),
        Some(name) if name == "openai" => Ok(true),
        _ => {
            Err(Error::new(Code::InvalidArgument, "the option profile is neither run nor openai")
                .with("option", "profile"))
        }
    }
}

fn scalars(draft: &mut Draft<'_>, compatible: bool, chat: bool) {
    let model = draft.options.model.as_str();
    if compatible && draft.wants_own("model") {
        draft.json.key("model").text(model);
    }
    let max_tokens = draft.params.max_tokens().and_then(Number::as_safe_integer);
    let is_ours = draft.options.extra("max_completion_tokens").is_none() && draft.wants("max_tokens", "maxTokens");
    // Without it, older models stop after 256.
    if let Some(max_tokens) = max_tokens.filter(|_| is_ours) {
        draft.json.key("max_tokens").number(max_tokens);
    }
    // A model that cannot stream answers in one piece, which is read as well.
    if draft.options.stream && (compatible || draft.rules.allow(Rules::STREAMS)) {
        draft.json.key("stream").raw("true");
        if chat && draft.wants_own("stream_options") {
            draft.json.key("stream_options").raw("{\"include_usage\":true}");
        }
    }
}

/// Older models are checked against a schema in which a tool has a description, and its parameters have properties.
fn native_tools(draft: &mut Draft<'_>) {
    draft.json.key("tools").open('[');
    for (index, tool) in draft.tools().into_iter().enumerate() {
        let list = Path::Root.key("tools");
        draft.report_tool(tool, &list.index(index));
        native_tool(draft, tool);
    }
    draft.json.close(']');
    if draft.choice() == ToolChoiceMode::Required {
        let path = Path::Root.key("toolChoice");
        draft.warn(&path.key("mode"), Fate::Changed, "the server does not read tool_choice; the model decides");
    }
}

fn native_tool(draft: &mut Draft<'_>, tool: Tool<'_>) {
    let name = tool.name().map(|name| draft.tool_name(name)).unwrap_or_default();
    let json = &mut draft.json;
    json.open('{');
    json.key("type").text("function");
    json.key("function").open('{');
    json.key("name").text(&name);
    match tool.description() {
        Some(description) => json.key("description").token(description),
        None => json.key("description").text(""),
    }
    json.key("parameters").open('{');
    let schema = tool.input_schema();
    schema
        .into_iter()
        .flat_map(|schema| schema.members())
        .for_each(|(key, value)| json.raw_key(key.raw()).value(value));
    if schema.is_none_or(|schema| schema.get("properties").is_none()) {
        json.key("properties").raw("{}");
    }
    json.close('}');
    json.close('}');
    json.close('}');
}

/// `required` is advice here; the name of a tool is an order.
fn choice(draft: &mut Draft<'_>) {
    if draft.params.tool_choice().is_none() || !draft.wants("tool_choice", "toolChoice") {
        return;
    }
    let (mode, tools) = (draft.choice(), draft.tools());
    let only = tools.first().and_then(|tool| tool.name()).filter(|_| tools.len() == 1);
    match only.filter(|_| mode == ToolChoiceMode::Required) {
        Some(name) => {
            let name = draft.tool_name(name);
            draft.json.key("tool_choice").open('{');
            draft.json.key("type").text("function");
            draft.json.key("function").open('{');
            draft.json.key("name").text(&name);
            draft.json.close('}');
            draft.json.close('}');
        }
        None => draft.json.key("tool_choice").text(mode.as_str()),
    }
}

fn temperature(draft: &mut Draft<'_>, most: &str) {
    let Some(temperature) = draft.params.temperature().filter(|_| draft.wants("temperature", "temperature")) else {
        return;
    };
    let clamped = clamp_at(temperature, most).to_owned();
    draft.json.key("temperature").raw(&clamped);
    if clamped != temperature.raw() {
        let message = "the model takes temperatures from 0 to 2; older ones to 5";
        draft.warn(&Path::Root.key("temperature"), Fate::Changed, message);
    }
}

/// Any object.
fn metadata(draft: &mut Draft<'_>, chat: bool) {
    let Some(metadata) = draft.params.metadata() else { return };
    if !chat {
        draft.report_members(metadata, &[], &Path::Root.key("metadata"), "this model takes no metadata");
    } else if draft.wants("metadata", "metadata") {
        draft.json.key("metadata").value(metadata);
    }
}

/// What reading the reply has to know: the tools of which one must be called, as some models then write the call as if
/// it were text.
fn own_state(draft: &mut Draft<'_>, offered: bool) {
    let mut json = Json::with_capacity(64);
    json.open('{');
    if has_parallel(draft) {
        json.key("parallel").raw("true");
    }
    if offered && draft.state.required {
        let names: Vec<_> = draft.tools().into_iter().filter_map(Tool::name).collect();
        json.key("quiet").raw("true");
        json.key("forced").open('[');
        names.into_iter().for_each(|name| json.text(&draft.tool_name(name)));
        json.close(']');
    }
    json.close('}');
    draft.state.own = Some(json.finish()).filter(|text| text.len() > 2);
}
