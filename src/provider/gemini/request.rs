//! The body of a request (`GenerateContentRequest`), and where it goes.

use crate::error::{Error, before};
use crate::lines;

use super::super::Rules;
use super::super::body::{MEMBER, next_word};
use super::super::draft::Draft;
use super::super::warnings::Fate;
use super::contents::Contents;
use super::schema;

/// The most stop sequences.
const STOP_MAX: usize = 5;

const SYSTEM: &str = "\"systemInstruction\":{\"parts\":[{\"text\":\"%v\"}]}";

/// Writes the body, in the order of the vendor's examples, constant for the caches' sake.
pub(super) fn build(draft: &mut Draft<'_>) -> Result<(), Error> {
    let mut contents = Contents::NONE;
    if draft.rules.allow(Rules::SYSTEM) {
        draft.write_system("systemInstruction", SYSTEM);
    } else {
        contents.system = draft.system();
        if contents.system.is_some() {
            let message = "the model takes no system prompt; the user says it first";
            draft.warn_at("/systemPrompt", Fate::Moved, message);
        }
    }
    draft.json.lit("\"contents\":[");
    contents.write(draft)?;
    draft.end_turns("parts", "[{\"text\":%q}]")?;
    tools(draft)?;
    config(draft);
    draft.report_metadata("", "the API takes no metadata");
    path(draft);
    Ok(())
}

/// A model by its short name, or by one with its owner.
fn path(draft: &mut Draft<'_>) {
    let model = &draft.options.model;
    draft.path.push_str(if before(model, "/").len() < model.len() { "/" } else { "/models/" });
    // The characters of a path stay, and what could end it does not.
    for byte in model.as_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/' | b'@') {
            draft.path.push(char::from(*byte));
        } else {
            draft.path.push('%');
            for shift in 0..2_u8 {
                let digit = u32::from(*byte) >> (4 - 4 * shift) & 15;
                draft.path.push(char::from_digit(digit, 16).unwrap_or_default());
            }
        }
    }
    draft.path.push_str(if draft.options.stream { ":streamGenerateContent?alt=sse" } else { ":generateContent" });
}

/// In practice a description is required.
fn tools(draft: &mut Draft<'_>) -> Result<(), Error> {
    draft.offer()?;
    if !draft.offered {
        return Ok(());
    }
    let form = "\"tools\":[{\"functionDeclarations\":[\n{\"name\":%q\n\"parametersJsonSchema\":\n}\n]}]";
    draft.tools(form, Some(schema::write));
    if let Some(mode) = draft.said_choice("toolConfig") {
        let mode = lines::at("AUTO\nANY\nNONE", mode as usize);
        draft.json.one("\"toolConfig\":{\"functionCallingConfig\":{\"mode\":%q}}", mode);
    }
    Ok(())
}

/// The host's `generationConfig` is added to ours, or stands in its place if ours is to be left out.
fn config(draft: &mut Draft<'_>) {
    if draft.options.omits("generationConfig") {
        let mut names = "maxTokens temperature";
        while let Some(name) = next_word(&mut names) {
            if !draft.params.at(name).is_missing() {
                draft.enter(name);
                draft.warn(Fate::Dropped, "the host wants the field left out");
                draft.place.clear();
            }
        }
        return draft.stops("", 0, false, "the host wants stop sequences left out; the answer is cut here");
    }
    let host = draft.extra.at("generationConfig");
    draft.inside = Some(host);
    draft.json.lit("\"generationConfig\":{");
    draft.max_tokens("maxOutputTokens");
    let taken = draft.rules.allow(Rules::TEMPERATURE);
    let refused = "this model does not take a temperature";
    draft.write_temperature(taken, "2", refused, "the API takes temperatures from 0 to 2");
    let most = if draft.options.omits("stopSequences") { 0 } else { STOP_MAX };
    let message = "the API takes five stop sequences at most; the answer is cut here";
    draft.stops("stopSequences", most, false, message);
    draft.json.members(host, MEMBER, "");
    draft.json.end();
    draft.inside = None;
    draft.taken = "generationConfig";
}
