//! Tools, which the API would run itself: the model is told of them, and made to answer with JSON.

use crate::json::{Value, quote};

use super::super::body::{Json, MEMBER};
use super::super::draft::Draft;
use super::super::failure::{place_among, string};
use super::super::results::inside;

const HOW: &str = "Answer with one JSON object: {\"text\": \"...\"} to say something, or {\"tool_calls\": [{\"name\": \"...\", \
                   \"arguments\": {...}}]} to call tools, whose results come with the next message. \"text\" may stand before \
                   \"tool_calls\".";
const MUST: &str = " This time call at least one tool.";
const WHICH: &str = "The tools, with the JSON Schemas of their arguments:";

/// What the model is told, as it stands between quotes.
pub(super) fn instructions(draft: &mut Draft<'_>, required: bool) -> String {
    let mut json = Json::default();
    json.put("%r%r\n%r", &[HOW, if required { MUST } else { "" }, WHICH]);
    for tool in draft.tool_list() {
        json.more("\n{\"name\":%q", &[&draft.wire_name(tool)]);
        if let Some(description) = string(tool, "description") {
            json.value("\"description\":%v", description.value());
        }
        json.value("\"inputSchema\":%v}", tool.at("inputSchema"));
    }
    draft.json.replaced |= json.replaced;
    inside(&quote(json.text())).to_owned()
}

const TEXT: &str = "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"],\
                    \"additionalProperties\":false}";
const CALLS: &str = "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"},\"tool_calls\":\
                     {\"type\":\"array\",\"minItems\":1,\"items\":{\"anyOf\":[";
const CALLS_END: &str = "]}}},\"required\":[\"tool_calls\"],\"additionalProperties\":false}";
const CALL: &str = "{\"type\":\"object\",\"properties\":{\"name\":{\"const\":%q},\"arguments\":{";
const CALL_END: &str = "}},\"required\":[\"name\",\"arguments\"],\"additionalProperties\":false}";

/// Writes the schema of answers: a text, or calls and perhaps a text before them.
pub(super) fn constraint(draft: &mut Draft<'_>, required: bool) {
    draft.json.lit("\"responseConstraint\":");
    if !required {
        draft.json.lit("{\"anyOf\":[");
        draft.json.lit(TEXT);
    }
    draft.json.lit(CALLS);
    for tool in draft.tool_list() {
        let name = draft.wire_name(tool);
        draft.json.one(CALL, &name);
        let schema = tool.at("inputSchema");
        if is_plain(schema) {
            draft.json.members(schema, MEMBER, "$schema");
        } else {
            draft.json.lit("\"type\":\"object\"");
        }
        draft.json.lit(CALL_END);
    }
    draft.json.lit(CALLS_END);
    if !required {
        draft.json.lit("]}");
    }
}

/// What every engine for constraints knows: keywords that hold schemas, then notes, then the rest.
const KNOWN: &str = "properties anyOf items additionalProperties $schema title description default examples deprecated \
                     readOnly type enum const required minimum maximum minItems maxItems minLength maxLength";

/// True if a schema can stand inside another one, and has only what every engine for constraints knows: the API refuses
/// a schema with other keywords as a whole. Without this the arguments are any object, and the model has the schema in
/// its instructions.
fn is_plain(schema: Value<'_>) -> bool {
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        for (key, value) in schema.members() {
            match place_among(key.value(), KNOWN) {
                Some(0) => {
                    for (_, property) in value.members() {
                        open.push(property);
                    }
                }
                Some(1) => {
                    for choice in value.items() {
                        open.push(choice);
                    }
                }
                Some(2 | 3) => open.push(value),
                Some(_) => {}
                None => return false,
            }
        }
    }
    true
}
