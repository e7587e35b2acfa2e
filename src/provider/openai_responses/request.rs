//! The body of a request (`ResponseCreateParams`).

use crate::error::Error;
use crate::json::{Number, Path};
use crate::sampling::Tool;

use super::super::draft::Draft;
use super::super::failure::unsupported;
use super::super::openai::{metadata_map, temperature};
use super::super::warnings::Fate;
use super::super::{Built, Rules};
use super::input::Input;

/// Writes the body, in the order of the vendor's examples, constant for the caches' sake.
pub(super) fn build(mut draft: Draft<'_>) -> Result<Built, Error> {
    let offered = offered(&mut draft)?;
    scalars(&mut draft);
    storage(&mut draft);
    draft.json.key("input").open('[');
    if !Input::write(&mut draft)? {
        return Err(draft.nothing_left());
    }
    draft.json.close(']');
    if offered {
        tools(&mut draft);
    }
    let effort = draft.options.extra("reasoning").and_then(|reasoning| reasoning.get("effort")?.as_str());
    temperature(&mut draft, effort.is_some_and(|effort| effort == "none"));
    draft.cut_here("the API has no stop sequences; the answer is cut here", |_, _| true);
    metadata_map(&mut draft);
    own_state(&mut draft);
    draft.finish("/responses".to_owned(), vec![("content-type", "application/json".to_owned())])
}

fn scalars(draft: &mut Draft<'_>) {
    let model = draft.options.model.as_str();
    if draft.wants_own("model") {
        draft.json.key("model").text(model);
    }
    if !draft.rules.allow(Rules::RESPONSES) {
        draft.warn(&Path::Root, Fate::Changed, "this model is served only by Chat Completions; expect an error");
    }
    if let Some(system) = draft.system().filter(|_| draft.wants("instructions", "systemPrompt")) {
        draft.json.key("instructions").token(system);
    }
    let max_tokens = draft.params.max_tokens().and_then(Number::as_safe_integer);
    if let Some(max_tokens) = max_tokens.filter(|_| draft.wants("max_output_tokens", "maxTokens")) {
        draft.json.key("max_output_tokens").number(max_tokens);
    }
    if draft.options.stream {
        draft.json.key("stream").raw("true");
    }
}

/// Nothing is stored, since the history comes with each request; reasoning then has to return encrypted. Models that do
/// not reason refuse to be asked for it.
fn storage(draft: &mut Draft<'_>) {
    if draft.wants_own("store") {
        draft.json.key("store").raw("false");
    }
    if draft.rules.allow(Rules::REASONING) && draft.wants_own("include") {
        draft.json.key("include").raw("[\"reasoning.encrypted_content\"]");
    }
}

/// Whether tools are sent.
fn offered(draft: &mut Draft<'_>) -> Result<bool, Error> {
    if draft.tools().is_empty() {
        return Ok(false);
    }
    let path = Path::Root.key("tools");
    if !draft.rules.allow(Rules::TOOLS) {
        return Err(unsupported(draft.provider, &path, "this model takes no tools"));
    }
    Ok(draft.wants("tools", "tools"))
}

fn tools(draft: &mut Draft<'_>) {
    draft.json.key("tools").open('[');
    for (index, tool) in draft.tools().into_iter().enumerate() {
        let list = Path::Root.key("tools");
        draft.report_tool(tool, &list.index(index));
        write_tool(draft, tool);
    }
    draft.json.close(']');
    if draft.params.tool_choice().is_some() && draft.wants("tool_choice", "toolChoice") {
        let mode = draft.choice();
        draft.json.key("tool_choice").text(mode.as_str());
    }
}

/// `strict` is false in so many words: left out, the server tries to make the schema a strict one.
fn write_tool(draft: &mut Draft<'_>, tool: Tool<'_>) {
    let name = tool.name().map(|name| draft.tool_name(name)).unwrap_or_default();
    draft.json.open('{');
    draft.json.key("type").text("function");
    draft.json.key("name").text(&name);
    if let Some(description) = tool.description() {
        draft.json.key("description").token(description);
    }
    match tool.input_schema() {
        Some(schema) => draft.json.key("parameters").value(schema),
        None => draft.json.key("parameters").raw("{\"type\":\"object\"}"),
    }
    draft.json.key("strict").raw("false");
    draft.json.close('}');
}

/// What reading the reply has to know: whether a tool has the name of a wrapper that models invent.
fn own_state(draft: &mut Draft<'_>) {
    let parallel = draft.tools().iter().any(|tool| tool.name().is_some_and(|name| name == "parallel"));
    draft.state.own = parallel.then(|| "{\"parallel\":true}".to_owned());
}
