//! The body of a request (`MessageCreateParams`).

use crate::error::Error;
use crate::json::Kind;
use crate::lines;
use crate::sampling::{Role, ToolChoiceMode};

use super::super::Rules;
use super::super::draft::Draft;
use super::super::failure::string;
use super::super::warnings::Fate;
use super::DEFAULT_API_VERSION;
use super::content::Messages;

/// The version from which on the API refuses `temperature`, whatever the model.
const WITHOUT_TEMPERATURE: &str = "2026-10-21";

const NO_STOPS: &str = "the host wants stop_sequences left out; the answer is cut here";
const NO_BLANK_STOPS: &str = "the API takes no blank stop sequence; the answer is cut here";

/// Writes the body. The order of the fields is the one of the vendor's examples, constant for the caches' sake.
pub(super) fn build(draft: &mut Draft<'_>) -> Result<(), Error> {
    let version = draft.options.api_version.as_deref().unwrap_or(DEFAULT_API_VERSION);
    draft.write_own("model", "%q", &draft.options.model);
    draft.max_tokens("max_tokens");
    draft.stream();
    draft.write_system("system", "\"system\":\"%v\"");
    draft.json.lit("\"messages\":[");
    let mut messages = Messages::NONE;
    messages.write(draft)?;
    draft.end_turns("content", "%q")?;
    let thinking = thinking(draft, &messages);
    tools(draft, thinking);
    let taken = version < WITHOUT_TEMPERATURE && draft.rules.allow(Rules::TEMPERATURE);
    let refused = "this model, or this version of the API, does not take a temperature";
    draft.write_temperature(taken, "1", refused, "the API takes temperatures from 0 to 1");
    // The API refuses blank ones, which are common (an empty line).
    let omitted = draft.options.omits("stop_sequences");
    let (most, message) = if omitted { (0, NO_STOPS) } else { (usize::MAX, NO_BLANK_STOPS) };
    draft.stops("stop_sequences", most, true, message);
    metadata(draft);
    draft.version = Some(version);
    draft.path.push_str("/v1/messages");
    Ok(())
}

/// True if the model will think. In a tool loop it must then get its thoughts back; where a server has lost them,
/// thinking is switched off, if the model allows that.
fn thinking(draft: &mut Draft<'_>, messages: &Messages<'_>) -> bool {
    let kind = draft.extra.at("thinking").at("type");
    if !(kind.is_text("enabled") && draft.last == Some(Role::User) && messages.calls_without_state) {
        return kind.is(Kind::String) && !kind.is_text("disabled");
    }
    let can_be_off = draft.rules.allow(Rules::THINKING_OFF);
    let (fate, message) = if can_be_off {
        draft.json.lit("\"thinking\":{\"type\":\"disabled\"}");
        draft.taken = "thinking";
        (Fate::Changed, "the server lost the model's thoughts on these calls; thinking is off for this request")
    } else {
        (Fate::Dropped, "the server lost the model's thoughts on these calls; the API may refuse that")
    };
    draft.warn_at("/messages", fate, message);
    !can_be_off
}

/// A history with calls needs tools even if the model may not use any; the ones its calls name will do.
fn tools(draft: &mut Draft<'_>, thinking: bool) {
    if draft.has_tools() {
        if draft.wants("tools", "/tools") {
            draft.tools("\"tools\":[\n{\"name\":%q\n\"input_schema\":\n}\n]", None);
        }
        choice(draft, thinking);
    } else if draft.names.known().next().is_some() && draft.wants("tools", "/tools") {
        draft.json.lit("\"tools\":[");
        for name in draft.names.known() {
            draft.json.one("{\"name\":%q,\"input_schema\":{\"type\":\"object\"}}", name);
        }
        draft.json.end_list();
        if draft.wants("tool_choice", "/toolChoice") {
            draft.json.lit("\"tool_choice\":{\"type\":\"none\"}");
        }
    }
}

fn choice(draft: &mut Draft<'_>, thinking: bool) {
    let Some(choice) = draft.said_choice("tool_choice") else { return };
    let forced = !thinking && draft.rules.allow(Rules::FORCED_TOOLS);
    let mut choices = "auto\nany\nnone";
    if choice == ToolChoiceMode::Required && !forced {
        choices = "auto\nauto";
        let message = "the model cannot be forced to use a tool; it decides";
        draft.warn_at("/toolChoice/mode", Fate::Changed, message);
    }
    let choice = lines::at(choices, choice as usize);
    draft.json.one("\"tool_choice\":{\"type\":%q}", choice);
}

/// The API takes `user_id` and answers 400 to anything else.
fn metadata(draft: &mut Draft<'_>) {
    let user = string(draft.params.at("metadata"), "user_id");
    let known = if user.is_some() { "user_id" } else { "" };
    draft.report_metadata(known, "the API takes no metadata but the text user_id");
    if let Some(user) = user.filter(|_| draft.wants("metadata", "/metadata")) {
        draft.json.value("\"metadata\":{\"user_id\":%v}", user.value());
    }
}
