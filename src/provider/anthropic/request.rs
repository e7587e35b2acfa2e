//! The body of a request (`MessageCreateParams`).

use crate::error::Error;
use crate::json::{Path, Value};
use crate::sampling::{Role, Tool, ToolChoiceMode};

use super::super::body::is_blank;
use super::super::draft::Draft;
use super::super::warnings::Fate;
use super::super::{Built, Rules};
use super::DEFAULT_API_VERSION;
use super::content::{Messages, Turns};

/// The version from which on the API refuses `temperature`, whatever the model.
const WITHOUT_TEMPERATURE: &str = "2026-10-21";

/// Writes the body. The order of the fields is the one of the vendor's examples, constant for the caches' sake.
pub(super) fn build(mut draft: Draft<'_>) -> Result<Built, Error> {
    let version = draft.options.api_version.clone().unwrap_or_else(|| DEFAULT_API_VERSION.to_owned());
    scalars(&mut draft);
    let turns = messages(&mut draft)?;
    let thinking = thinking(&mut draft, &turns);
    tools(&mut draft, thinking);
    temperature(&mut draft, &version);
    stop_sequences(&mut draft);
    metadata(&mut draft);
    let headers = vec![("content-type", "application/json".to_owned()), ("anthropic-version", version)];
    draft.finish("/v1/messages".to_owned(), headers)
}

fn scalars(draft: &mut Draft<'_>) {
    let model = draft.options.model.as_str();
    if draft.wants_own("model") {
        draft.json.key("model").text(model);
    }
    let max_tokens = draft.params.max_tokens().and_then(|number| number.as_safe_integer());
    if let Some(max_tokens) = max_tokens.filter(|_| draft.wants("max_tokens", "maxTokens")) {
        draft.json.key("max_tokens").number(max_tokens);
    }
    if draft.options.stream {
        draft.json.key("stream").raw("true");
    }
    if let Some(system) = draft.system().filter(|_| draft.wants("system", "systemPrompt")) {
        draft.json.key("system").token(system);
    }
}

fn messages(draft: &mut Draft<'_>) -> Result<Turns, Error> {
    draft.json.key("messages").open('[');
    let turns = Messages::write(draft)?;
    match turns.last {
        None => return Err(draft.nothing_left()),
        Some(Role::Assistant) if !draft.rules.allow(Rules::PREFILL) => continue_turn(draft)?,
        Some(_) => {}
    }
    draft.json.close(']');
    Ok(turns)
}

/// The model does not go on with a message of the assistant: a user has to speak last.
fn continue_turn(draft: &mut Draft<'_>) -> Result<(), Error> {
    let text = draft.continuation()?;
    draft.json.open('{');
    draft.json.key("role").text("user");
    draft.json.key("content").text(text);
    draft.json.close('}');
    Ok(())
}

/// True if the model will think. In a tool loop it must then get its thoughts back; where a server has lost them,
/// thinking is switched off, if the model allows that.
fn thinking(draft: &mut Draft<'_>, turns: &Turns) -> bool {
    let kind = draft.options.extra("thinking").and_then(|thinking| thinking.get("type"));
    let Some(kind) = kind.and_then(Value::as_str) else { return false };
    let lost = kind == "enabled" && turns.last == Some(Role::User) && turns.calls_without_state;
    if !lost {
        return kind != "disabled";
    }
    let path = Path::Root.key("messages");
    if !draft.rules.allow(Rules::THINKING_OFF) {
        draft.warn(
            &path,
            Fate::Dropped,
            "the server lost the model's thoughts on these calls; the API may refuse that",
        );
        return true;
    }
    draft.json.key("thinking").raw("{\"type\":\"disabled\"}");
    draft.taken.push("thinking");
    draft.warn(
        &path,
        Fate::Changed,
        "the server lost the model's thoughts on these calls; thinking is off for this request",
    );
    false
}

/// A history with calls needs tools even if the model may not use any; the ones its calls name will do.
fn tools(draft: &mut Draft<'_>, thinking: bool) {
    let tools = draft.tools();
    if !tools.is_empty() {
        declared(draft, &tools);
        choice(draft, thinking);
    } else if draft.names.known().next().is_some() && draft.wants("tools", "tools") {
        stubs(draft);
        if draft.wants("tool_choice", "toolChoice") {
            draft.json.key("tool_choice").raw("{\"type\":\"none\"}");
        }
    }
}

fn declared(draft: &mut Draft<'_>, tools: &[Tool<'_>]) {
    if !draft.wants("tools", "tools") {
        return;
    }
    draft.json.key("tools").open('[');
    for (index, tool) in tools.iter().enumerate() {
        let list = Path::Root.key("tools");
        draft.report_tool(*tool, &list.index(index));
        let name = tool.name().map(|name| draft.tool_name(name)).unwrap_or_default();
        draft.json.open('{');
        draft.json.key("name").text(&name);
        if let Some(description) = tool.description() {
            draft.json.key("description").token(description);
        }
        if let Some(schema) = tool.input_schema() {
            draft.json.key("input_schema").value(schema);
        }
        draft.json.close('}');
    }
    draft.json.close(']');
}

fn stubs(draft: &mut Draft<'_>) {
    draft.json.key("tools").open('[');
    for name in draft.names.known() {
        draft.json.open('{');
        draft.json.key("name").text(name);
        draft.json.key("input_schema").raw("{\"type\":\"object\"}");
        draft.json.close('}');
    }
    draft.json.close(']');
}

fn choice(draft: &mut Draft<'_>, thinking: bool) {
    if draft.params.tool_choice().is_none() || !draft.wants("tool_choice", "toolChoice") {
        return;
    }
    let forced = !thinking && draft.rules.allow(Rules::FORCED_TOOLS);
    let choice = match draft.choice() {
        ToolChoiceMode::None => "{\"type\":\"none\"}",
        ToolChoiceMode::Required if forced => "{\"type\":\"any\"}",
        ToolChoiceMode::Required => {
            let path = Path::Root.key("toolChoice");
            draft.warn(&path.key("mode"), Fate::Changed, "the model cannot be forced to use a tool; it decides");
            "{\"type\":\"auto\"}"
        }
        ToolChoiceMode::Auto => "{\"type\":\"auto\"}",
    };
    draft.json.key("tool_choice").raw(choice);
}

/// From 0 to 1. The value 1 is what models use by themselves, so leaving it out loses nothing.
fn temperature(draft: &mut Draft<'_>, version: &str) {
    let Some(temperature) = draft.params.temperature() else { return };
    let path = Path::Root.key("temperature");
    let unit = temperature.as_unit_thousandths();
    if version >= WITHOUT_TEMPERATURE || !draft.rules.allow(Rules::TEMPERATURE) {
        if unit != Some(1000) {
            draft.warn(&path, Fate::Dropped, "this model, or this version of the API, does not take a temperature");
        }
        return;
    }
    if !draft.wants("temperature", "temperature") {
        return;
    }
    let clamped = match unit {
        Some(_) => temperature.raw(),
        None if temperature.is_negative() => "0",
        None => "1",
    };
    draft.json.key("temperature").raw(clamped);
    if unit.is_none() {
        draft.warn(&path, Fate::Changed, "the API takes temperatures from 0 to 1");
    }
}

/// The API refuses blank ones, which are common (an empty line): those are looked for in the answer.
fn stop_sequences(draft: &mut Draft<'_>) {
    if draft.params.stop_sequences().is_none_or(|mut stops| stops.next().is_none()) {
        return;
    }
    if draft.options.omits("stop_sequences") {
        return draft.cut_here("the host wants stop_sequences left out; the answer is cut here", |_, _| true);
    }
    draft.cut_here("the API takes no blank stop sequence; the answer is cut here", |_, stop| is_blank(stop.raw()));
    let stops: Vec<_> =
        draft.params.stop_sequences().into_iter().flatten().filter(|stop| !is_blank(stop.raw())).collect();
    if stops.is_empty() || !draft.wants("stop_sequences", "stopSequences") {
        return;
    }
    draft.json.key("stop_sequences").open('[');
    stops.into_iter().for_each(|stop| draft.json.token(stop));
    draft.json.close(']');
}

/// The API takes `user_id` and answers 400 to anything else.
fn metadata(draft: &mut Draft<'_>) {
    let Some(metadata) = draft.params.metadata() else { return };
    let user = metadata.get("user_id").and_then(Value::as_str);
    let known: &[&str] = if user.is_some() { &["user_id"] } else { &[] };
    draft.report_members(
        metadata,
        known,
        &Path::Root.key("metadata"),
        "the API takes no metadata but the text user_id",
    );
    if let Some(user) = user.filter(|_| draft.wants("metadata", "metadata")) {
        draft.json.key("metadata").open('{');
        draft.json.key("user_id").token(user);
        draft.json.close('}');
    }
}
