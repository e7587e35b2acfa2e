//! Tool results (`FunctionResponse`).

use crate::error::Error;
use crate::json::{Value, decimal};

use super::super::Rules;
use super::super::body::{Json, find};
use super::super::draft::Draft;
use super::super::media::{JPEG_PNG_WEBP, PDF, Takes};
use super::super::results::{Kind, Part, add, add_text, failed, part, says};
use super::super::warnings::Fate;
use super::SHOWN;
use super::contents::{Call, write_part};

/// What may stand inside a result.
const INSIDE: Takes = JPEG_PNG_WEBP | PDF;

/// What may stand beside results, for models that take nothing but data in them.
const BESIDE: Takes = SHOWN | PDF;

/// Writes the result of a call, the `number`th of its turn.
pub(super) fn write<'d>(draft: &mut Draft<'d>, call: &Call<'d>, number: usize, result: Value<'d>) -> Result<(), Error> {
    draft.report_block(result, "type toolUseId content structuredContent isError _meta");
    let inside = draft.rules.allow(Rules::RESULT_PARTS);
    let (takes, mark) = if inside { (INSIDE, "(attached)") } else { (BESIDE, "(shown after the results)") };
    let parts = answers(draft, result, takes)?;
    let only_text = parts.iter().all(Part::is_text);
    if !inside && !only_text {
        draft.warn("/content", Fate::Moved, "the model takes only data in results; the rest follows them");
        let label = ["From result ", &decimal(number as i64 + 1), " (", &call.name, "):"].concat();
        add_text(&mut draft.hoisted, label, "");
    }
    draft.json.lit("{\"functionResponse\":{");
    if !call.wire.is_empty() {
        draft.json.one("\"id\":%q", &call.wire);
    }
    let outcome = if failed(result) { "error" } else { "output" };
    draft.json.two("\"name\":%q,\"response\":{%q:", &call.name, outcome);
    write_said(&mut draft.json, &parts, mark, result.at("structuredContent").raw());
    draft.json.lit("}");
    if inside && !only_text {
        draft.json.lit("\"parts\":[");
    }
    for part in parts {
        match part.kind {
            Kind::Text => {}
            _ if inside => {
                write_part(&mut draft.json, &part);
                draft.json.lit("}");
            }
            _ => draft.hoisted.push(part),
        }
    }
    draft.json.lit(if inside && !only_text { "]}}" } else { "}}" });
    Ok(())
}

/// How a part begins that stands for the result as data. No text of anyone has a bare control character.
const DATA: &str = "\0";

/// The content, where data stands in the place of a text that says the same.
fn answers<'d>(draft: &mut Draft<'d>, result: Value<'d>, takes: Takes) -> Result<Vec<Part<'d>>, Error> {
    let (mut out, mut data) = (Vec::new(), result.at("structuredContent"));
    for (index, block) in result.at("content").items().enumerate() {
        if says(block, data) {
            let place = draft.enter("content");
            draft.enter(&decimal(index as i64));
            draft.report_block(block, "type text _meta");
            draft.place.truncate(place);
            add(&mut out, DATA);
            data = result.nothing();
        } else {
            part(draft, index, block, takes, &mut out)?;
        }
    }
    if !data.is_missing() {
        add(&mut out, DATA);
    }
    Ok(out)
}

/// One piece as such, several as a list; `mark` stands for bytes.
fn write_said(json: &mut Json, parts: &[Part<'_>], mark: &str, data: &str) {
    let is_list = parts.len() > 1;
    if is_list {
        json.lit("[");
    }
    for part in parts {
        let (form, head, body) = match (part.kind, part.body) {
            // The API takes a member `$ref` of data for the name of an attachment; such data goes as a text. One whose
            // dollar sign is escaped counts too.
            (Kind::Text, DATA) if find(data, "$ref").or_else(|| find(data, "\\u0024")).is_some() => ("%j", data, ""),
            (Kind::Text, DATA) => ("%v", data, ""),
            (Kind::Text, body) => ("\"%v%v\"", part.head.as_str(), body),
            _ => ("%q", mark, ""),
        };
        json.two(form, head, body);
    }
    if is_list || parts.is_empty() {
        json.lit(if is_list { "]" } else { "\"\"" });
    }
}
