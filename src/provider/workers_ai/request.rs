//! The inputs (`ChatCompletionsInput`, `AiTextGenerationInput`).

use crate::error::{Code, Error};
use crate::json::Value;

use super::super::Rules;
use super::super::body::MEMBER;
use super::super::draft::Draft;
use super::super::openai::{Profile, choice, note_parallel, scalars, stop, tools, write_messages};

/// Writes the inputs.
pub(super) fn build(draft: &mut Draft<'_>) -> Result<(), Error> {
    let compatible = is_compatible(draft)?;
    let chat = compatible || draft.rules.allow(Rules::CHAT_INPUTS);
    let profile = Profile::workers_ai(chat, draft.rules.allow(Rules::IMAGES));
    // A model that cannot stream answers in one piece, which is read as well.
    let streams = draft.options.stream && (compatible || draft.rules.allow(Rules::STREAMS));
    // Without a limit, older models stop after 256.
    scalars(draft, &profile, compatible, streams);
    write_messages(draft, &profile)?;
    if draft.offered {
        // Older models are checked against a schema in which a tool has a description, and its parameters have properties.
        tools(draft, if chat { None } else { Some(with_properties) });
        choice(draft, &profile);
    }
    let most = if chat { "2" } else { "5" };
    draft.write_temperature(true, most, "", "the model takes temperatures from 0 to 2; older ones to 5");
    stop(draft, &profile);
    metadata(draft, chat);
    own_state(draft);
    let (start, end) =
        if compatible { ("/ai/v1/chat/completions", "") } else { ("/ai/run/", draft.options.model.as_str()) };
    draft.path.push_str(start);
    draft.path.push_str(end);
    Ok(())
}

/// True for the endpoint that is made like OpenAI's.
fn is_compatible(draft: &Draft<'_>) -> Result<bool, Error> {
    let Some(profile) = &draft.options.profile else { return Ok(false) };
    let is_openai = profile.root().is_text("openai");
    if is_openai || profile.root().is_text("run") {
        return Ok(is_openai);
    }
    let error = Error::told(Code::InvalidArgument, "the option profile is neither run nor openai", &[]);
    Err(error.with("option", "profile"))
}

fn with_properties<'d>(draft: &mut Draft<'d>, schema: Value<'d>) {
    draft.json.lit("{");
    draft.json.members(schema, MEMBER, "");
    if schema.at("properties").is_missing() {
        draft.json.lit("\"properties\":{}");
    }
    draft.json.end();
}

/// Any object.
fn metadata(draft: &mut Draft<'_>, chat: bool) {
    let metadata = draft.params.at("metadata");
    if !chat {
        draft.report_metadata("", "this model takes no metadata");
    } else if !metadata.is_missing() && draft.wants("metadata", "/metadata") {
        draft.json.value("\"metadata\":%v", metadata);
    }
}

/// What reading the reply has to know: the tools of which one must be called, as some models then write the call as if
/// it were text.
fn own_state(draft: &mut Draft<'_>) {
    note_parallel(draft);
    if draft.offered && draft.required {
        draft.own.lit("\"quiet\":true,\"forced\":[");
        for tool in draft.tool_list() {
            let name = draft.wire_name(tool);
            draft.own.one("%q", &name);
        }
        draft.own.end_list();
    }
}
