//! Tool results (`FunctionResponse`).

use crate::error::Error;
use crate::json::{Value, concat, decimal};

use super::super::Rules;
use super::super::body::{Json, find};
use super::super::draft::Draft;
use super::super::media::{DATA, JPEG_PNG_WEBP, PDF, Takes};
use super::super::results::{self, Part, add_text, failed};
use super::super::tools::Call;
use super::super::warnings::Fate;
use super::SHOWN;
use super::contents::write_part;

/// What may stand inside a result.
const INSIDE: Takes = JPEG_PNG_WEBP | PDF | DATA;

/// What may stand beside results, for models that take nothing but data in them.
const BESIDE: Takes = SHOWN | PDF | DATA;

/// Writes the result of a call, the `number`th of its turn.
pub(super) fn write<'d>(draft: &mut Draft<'d>, call: &Call<'d>, number: usize, result: Value<'d>) -> Result<(), Error> {
    draft.report_block(result, "type toolUseId content structuredContent isError _meta");
    let inside = draft.rules.allow(Rules::RESULT_PARTS);
    let (takes, mark) = if inside { (INSIDE, "(attached)") } else { (BESIDE, "(shown after the results)") };
    let mut parts = const { Vec::new() };
    results::parts(draft, result, takes, &mut parts)?;
    let only_text = parts.iter().all(Part::is_text);
    if !inside && !only_text {
        draft.warn_at("/content", Fate::Moved, "the model takes only data in results; the rest follows them");
        let label = concat(&["From result ", &decimal(number as i64 + 1), " (", &call.name, "):"]);
        add_text(&mut draft.hoisted, label, "");
    }
    draft.json.lit("{\"functionResponse\":{");
    if !call.id.is_empty() {
        draft.json.one("\"id\":%q", &call.id);
    }
    let outcome = if failed(result) { "error" } else { "output" };
    draft.json.two("\"name\":%q,\"response\":{%q:", &call.name, outcome);
    write_said(&mut draft.json, &parts, mark);
    draft.json.end();
    if inside && !only_text {
        draft.json.lit("\"parts\":[");
    }
    for part in &mut parts {
        if part.is_text() {
            continue;
        }
        if inside {
            write_part(&mut draft.json, part);
            draft.json.end();
        } else {
            draft.hoisted.push(part.take());
        }
    }
    draft.json.lit(if inside && !only_text { "]}}" } else { "}}" });
    Ok(())
}

/// One piece as such, several as a list; `mark` stands for bytes.
fn write_said(json: &mut Json, parts: &[Part<'_>], mark: &str) {
    let is_list = parts.len() > 1;
    if is_list {
        json.lit("[");
    }
    for part in parts {
        if !part.is_text() {
            json.one("%q", mark);
            continue;
        }
        // The API takes a member `$ref` of data for the name of an attachment; such data goes as a text. One whose
        // dollar sign is escaped counts too.
        let names = |name| find(part.body, name).is_some();
        let form = match part.mime_type {
            "" => "\"%v%v\"",
            _ if names("$ref") || names("\\u0024") => "%r%j",
            _ => "%r%v",
        };
        json.two(form, &part.head, part.body);
    }
    if is_list || parts.is_empty() {
        json.lit(if is_list { "]" } else { "\"\"" });
    }
}
