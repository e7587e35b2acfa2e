//! Tool results (`FunctionResponse`).

use crate::error::Error;
use crate::json::{Value, decimal};

use super::super::Rules;
use super::super::body::find;
use super::super::draft::Draft;
use super::super::results::{Kind, Part, Takes, part, says};
use super::super::warnings::Fate;
use super::contents::{Call, write_part};
use super::{AUDIO_TYPES, IMAGE_TYPES};

/// What may stand inside a result.
static INSIDE: Takes =
    Takes { images: &["image/png", "image/jpeg", "image/webp"], audio: &[], documents: &["application/pdf"] };

/// What may stand beside results, for models that take nothing but data in them.
static BESIDE: Takes = Takes { images: IMAGE_TYPES, audio: AUDIO_TYPES, documents: &["application/pdf"] };

/// Writes the result of a call, the `number`th of its turn.
pub(super) fn write<'d>(
    draft: &mut Draft<'d>,
    call: &Call<'d>,
    number: usize,
    result: Value<'d>,
) -> Result<(), Error> {
    draft.report_block(result, &["toolUseId", "content", "structuredContent", "isError"]);
    let inside = draft.rules.allow(Rules::RESULT_PARTS);
    let (takes, mark) = if inside { (&INSIDE, "(attached)") } else { (&BESIDE, "(shown after the results)") };
    let (mut said, mut media) = (Vec::new(), Vec::new());
    for answer in answers(draft, result, takes)? {
        if answer.kind == Kind::Text {
            said.push(answer);
        } else {
            said.push(Part::text(mark));
            media.push(answer);
        }
    }
    if !inside && !media.is_empty() {
        draft.warn("/content", Fate::Moved, "the model takes only data in results; the rest follows them");
        let label = ["From result ", &decimal(number as i64 + 1), " (", &call.name, "):"].concat();
        draft.hoisted.push(Part::titled(label, ""));
        draft.hoisted.append(&mut media);
    }
    draft.json.lit("{\"functionResponse\":{");
    if !call.wire.is_empty() {
        draft.json.put("\"id\":%q", &[&call.wire]);
    }
    let outcome = if result.at("isError").raw() == "true" { "error" } else { "output" };
    draft.json.put("\"name\":%q,\"response\":{%q:", &[&call.name, outcome]);
    write_said(draft, &said, result);
    draft.json.lit("}");
    if !media.is_empty() {
        draft.json.lit("\"parts\":[");
        for part in &media {
            write_part(&mut draft.json, part);
            draft.json.lit("}");
        }
        draft.json.lit("]");
    }
    draft.json.lit("}}");
    Ok(())
}

/// How a part begins that stands for the result as data. No text of anyone has a bare control character.
const DATA: &str = "\0";

/// The content, where data stands in the place of a text that says the same.
fn answers<'d>(draft: &mut Draft<'d>, result: Value<'d>, takes: &Takes) -> Result<Vec<Part<'d>>, Error> {
    let (mut out, mut data) = (Vec::new(), result.at("structuredContent"));
    for (index, block) in result.at("content").items().enumerate() {
        if says(block, data) {
            let place = draft.enter("content");
            draft.enter(&decimal(index as i64));
            draft.report_block(block, &["text"]);
            draft.place.truncate(place);
            out.push(Part::text(DATA));
            data = result.nothing();
        } else {
            part(draft, index, block, takes, &mut out)?;
        }
    }
    if !data.is_missing() {
        out.push(Part::text(DATA));
    }
    Ok(out)
}

/// One piece as such, several as a list.
fn write_said(draft: &mut Draft<'_>, said: &[Part<'_>], result: Value<'_>) {
    let is_list = said.len() > 1;
    if is_list {
        draft.json.lit("[");
    }
    let data = result.at("structuredContent").raw();
    for part in said {
        if part.body != DATA {
            draft.json.put("\"%v%v\"", &[&part.head, &part.body]);
            continue;
        }
        // The API takes a member `$ref` of data for the name of an attachment; such data goes as a text. One whose dollar
        // sign is escaped counts too.
        let has_reference = find(data, "$ref").is_some() || find(data, "\\u0024").is_some();
        draft.json.put(if has_reference { "%j" } else { "%v" }, &[data]);
    }
    match (is_list, said.is_empty()) {
        (true, _) => draft.json.lit("]"),
        (false, true) => draft.json.lit("\"\""),
        _ => {}
    }
}
