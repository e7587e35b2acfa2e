//! The body of a request (`ResponseCreateParams`).

use crate::error::Error;

use super::super::Rules;
use super::super::draft::Draft;
use super::super::openai::{metadata_map, note_parallel, temperature, write_choice};
use super::super::warnings::Fate;
use super::input::Input;

/// Writes the body, in the order of the vendor's examples, constant for the caches' sake.
pub(super) fn build(draft: &mut Draft<'_>) -> Result<(), Error> {
    draft.offer()?;
    scalars(draft);
    draft.json.lit("\"input\":[");
    Input::write(draft)?;
    draft.json.end_list();
    if draft.offered {
        tools(draft);
    }
    temperature(draft, draft.extra.at("reasoning").at("effort").is_text("none"));
    draft.stops("", 0, false, "the API has no stop sequences; the answer is cut here");
    metadata_map(draft);
    note_parallel(draft);
    draft.path.push_str("/responses");
    Ok(())
}

fn scalars(draft: &mut Draft<'_>) {
    draft.write_own("model", "%q", &draft.options.model);
    if !draft.rules.allow(Rules::RESPONSES) {
        draft.warn(Fate::Changed, "this model is served only by Chat Completions; expect an error");
    }
    draft.write_system("instructions", "\"instructions\":\"%v\"");
    draft.max_tokens("max_output_tokens");
    draft.stream();
    // Nothing is stored, since the history comes with each request; reasoning then has to return encrypted. Models that
    // do not reason refuse to be asked for it.
    draft.write_own("store", "%r", "false");
    if draft.rules.allow(Rules::REASONING) {
        draft.write_own("include", "%r", "[\"reasoning.encrypted_content\"]");
    }
}

/// `strict` is false in so many words: left out, the server tries to make the schema a strict one.
fn tools(draft: &mut Draft<'_>) {
    let form = "\"tools\":[\n{\"type\":\"function\",\"name\":%q\n\"parameters\":\n\"strict\":false}\n]";
    draft.tools(form, None);
    write_choice(draft);
}
