//! The body of a request (`GenerateContentRequest`), and where it goes.

use crate::error::Error;
use crate::json::{JsonStr, Number, Path, Value};
use crate::sampling::{Role, Tool, ToolChoiceMode};

use super::super::draft::Draft;
use super::super::failure::unsupported;
use super::super::openai::clamp;
use super::super::warnings::Fate;
use super::super::{BuildOptions, Built, Rules};
use super::contents::Contents;
use super::schema;

/// The most stop sequences.
const STOP_MAX: usize = 5;

/// Writes the body, in the order of the vendor's examples, constant for the caches' sake.
pub(super) fn build(mut draft: Draft<'_>) -> Result<Built, Error> {
    let system = system(&mut draft);
    draft.json.key("contents").open('[');
    match Contents::write(&mut draft, system)? {
        None => return Err(draft.nothing_left()),
        Some(Role::Assistant) if !draft.rules.allow(Rules::PREFILL) => continue_turn(&mut draft)?,
        Some(_) => {}
    }
    draft.json.close(']');
    tools(&mut draft)?;
    config(&mut draft);
    if let Some(metadata) = draft.params.metadata() {
        draft.report_members(metadata, &[], &Path::Root.key("metadata"), "the API takes no metadata");
    }
    let path = path(draft.options);
    draft.finish(path, vec![("content-type", "application/json".to_owned())])
}

/// A model by its short name, or by one with its owner.
fn path(options: &BuildOptions) -> String {
    let start = if options.model.contains('/') { "/" } else { "/models/" };
    let method = if options.stream { ":streamGenerateContent?alt=sse" } else { ":generateContent" };
    [start, &escaped(&options.model), method].concat()
}

/// The characters of a path stay, and what could end it does not.
fn escaped(model: &str) -> String {
    let mut out = String::with_capacity(model.len());
    for byte in model.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~/@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.extend([byte >> 4, byte & 15].iter().filter_map(|half| char::from_digit((*half).into(), 16)));
        }
    }
    out
}

/// Writes the system prompt. Returned is one that the model takes only from the user.
fn system<'d>(draft: &mut Draft<'d>) -> Option<JsonStr<'d>> {
    let system = draft.system()?;
    if !draft.rules.allow(Rules::SYSTEM) {
        let path = Path::Root.key("systemPrompt");
        draft.warn(&path, Fate::Moved, "the model takes no system prompt; the user says it first");
        return Some(system);
    }
    if draft.wants("systemInstruction", "systemPrompt") {
        draft.json.key("systemInstruction").open('{');
        draft.json.key("parts").open('[');
        draft.json.open('{');
        draft.json.key("text").token(system);
        draft.json.close('}');
        draft.json.close(']');
        draft.json.close('}');
    }
    None
}

fn continue_turn(draft: &mut Draft<'_>) -> Result<(), Error> {
    let text = draft.continuation()?;
    draft.json.open('{');
    draft.json.key("role").text("user");
    draft.json.key("parts").open('[');
    draft.json.open('{');
    draft.json.key("text").text(text);
    draft.json.close('}');
    draft.json.close(']');
    draft.json.close('}');
    Ok(())
}

fn tools(draft: &mut Draft<'_>) -> Result<(), Error> {
    let tools = draft.tools();
    if tools.is_empty() {
        return Ok(());
    }
    let path = Path::Root.key("tools");
    if !draft.rules.allow(Rules::TOOLS) {
        return Err(unsupported(draft.provider, &path, "this model takes no tools"));
    }
    if draft.wants("tools", "tools") {
        draft.json.key("tools").open('[');
        draft.json.open('{');
        draft.json.key("functionDeclarations").open('[');
        for (index, tool) in tools.into_iter().enumerate() {
            declare(draft, tool, &path.index(index));
        }
        draft.json.close(']');
        draft.json.close('}');
        draft.json.close(']');
        choice(draft);
    }
    Ok(())
}

/// In practice a description is required.
fn declare(draft: &mut Draft<'_>, tool: Tool<'_>, path: &Path<'_>) {
    draft.report_tool(tool, path);
    let name = tool.name().map(|name| draft.tool_name(name)).unwrap_or_default();
    draft.json.open('{');
    draft.json.key("name").text(&name);
    match tool.description() {
        Some(description) => draft.json.key("description").token(description),
        None => draft.json.key("description").text(""),
    }
    if let Some(schema) = tool.input_schema() {
        draft.json.key("parametersJsonSchema");
        schema::write(draft, schema, &path.key("inputSchema"));
    }
    draft.json.close('}');
}

fn choice(draft: &mut Draft<'_>) {
    if draft.params.tool_choice().is_none() || !draft.wants("toolConfig", "toolChoice") {
        return;
    }
    let mode = match draft.choice() {
        ToolChoiceMode::Auto => "AUTO",
        ToolChoiceMode::Required => "ANY",
        ToolChoiceMode::None => "NONE",
    };
    draft.json.key("toolConfig").open('{');
    draft.json.key("functionCallingConfig").open('{');
    draft.json.key("mode").text(mode);
    draft.json.close('}');
    draft.json.close('}');
}

/// The host's `generationConfig` is added to ours, or stands in its place if ours is to be left out.
fn config(draft: &mut Draft<'_>) {
    if draft.options.omits("generationConfig") {
        return no_config(draft);
    }
    let host = draft.options.extra("generationConfig");
    draft.json.key("generationConfig").open('{');
    let max_tokens = draft.params.max_tokens().and_then(Number::as_safe_integer);
    if let Some(max_tokens) = max_tokens.filter(|_| wants(draft, host, "maxOutputTokens", "maxTokens")) {
        draft.json.key("maxOutputTokens").number(max_tokens);
    }
    temperature(draft, host);
    stop_sequences(draft, host);
    for (key, value) in host.into_iter().flat_map(Value::members) {
        draft.json.raw_key(key.raw()).value(value);
    }
    draft.json.close('}');
    draft.taken.push("generationConfig");
}

fn no_config(draft: &mut Draft<'_>) {
    for name in ["maxTokens", "temperature"] {
        if draft.params.value().get(name).is_some() {
            draft.warn(&Path::Root.key(name), Fate::Dropped, "the host wants the field left out");
        }
    }
    draft.cut_here("the host wants stop sequences left out; the answer is cut here", |_, _| true);
}

/// As [`Draft::wants`], for a member of `generationConfig`.
fn wants(draft: &mut Draft<'_>, host: Option<Value<'_>>, field: &str, of: &str) -> bool {
    draft.wants(field, of) && host.is_none_or(|host| host.get(field).is_none())
}

/// From 0 to 2. The value 1 is what models use by themselves, so leaving it out loses nothing.
fn temperature(draft: &mut Draft<'_>, host: Option<Value<'_>>) {
    let Some(temperature) = draft.params.temperature() else { return };
    let path = Path::Root.key("temperature");
    if !draft.rules.allow(Rules::TEMPERATURE) {
        if temperature.as_unit_thousandths() != Some(1000) {
            draft.warn(&path, Fate::Dropped, "this model does not take a temperature");
        }
    } else if wants(draft, host, "temperature", "temperature") {
        let clamped = clamp(temperature);
        draft.json.key("temperature").raw(clamped);
        if clamped != temperature.raw() {
            draft.warn(&path, Fate::Changed, "the API takes temperatures from 0 to 2");
        }
    }
}

/// As many as the API takes; the rest is looked for in the answer.
fn stop_sequences(draft: &mut Draft<'_>, host: Option<Value<'_>>) {
    let most = if draft.options.omits("stopSequences") { 0 } else { STOP_MAX };
    draft.cut_here("the API takes five stop sequences at most; the answer is cut here", |index, stop| {
        index >= most || stop.is_empty()
    });
    let stops = draft.params.stop_sequences().into_iter().flatten().take(most);
    let stops: Vec<_> = stops.filter(|stop| !stop.is_empty()).collect();
    if !stops.is_empty() && host.is_none_or(|host| host.get("stopSequences").is_none()) {
        draft.json.key("stopSequences").open('[');
        stops.into_iter().for_each(|stop| draft.json.token(stop));
        draft.json.close(']');
    }
}
