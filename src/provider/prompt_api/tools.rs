//! Tools, which the API would run itself: the model is told of them, and made to answer with JSON.

use crate::json::{Value, quote};
use crate::sampling::Tool;

use super::super::body::Json;
use super::super::draft::Draft;
use super::super::openai::inside;

const HOW: &str = "Answer with one JSON object: {\"text\": \"...\"} to say something, or {\"tool_calls\": [{\"name\": \"...\", \
                   \"arguments\": {...}}]} to call tools, whose results come with the next message. \"text\" may stand before \
                   \"tool_calls\".";
const MUST: &str = " This time call at least one tool.";
const WHICH: &str = "The tools, with the JSON Schemas of their arguments:";

/// What the model is told, as it stands between quotes.
pub(super) fn instructions(draft: &mut Draft<'_>, required: bool) -> String {
    let mut text = [HOW, if required { MUST } else { "" }, "\n", WHICH].concat();
    for tool in draft.tools() {
        let mut json = Json::with_capacity(256);
        describe(draft, tool, &mut json);
        draft.json.note_replaced(&json);
        text.push('\n');
        text.push_str(&json.finish());
    }
    inside(&quote(&text)).to_owned()
}

fn describe(draft: &mut Draft<'_>, tool: Tool<'_>, json: &mut Json) {
    json.open('{');
    json.key("name").text(&wire_name(draft, tool));
    if let Some(description) = tool.description() {
        json.key("description").token(description);
    }
    if let Some(schema) = tool.input_schema() {
        json.key("inputSchema").value(schema);
    }
    json.close('}');
}

fn wire_name(draft: &mut Draft<'_>, tool: Tool<'_>) -> String {
    tool.name().map(|name| draft.tool_name(name)).unwrap_or_default()
}

/// Writes the schema of answers: a text, or calls and perhaps a text before them.
pub(super) fn constraint(draft: &mut Draft<'_>, required: bool) {
    let names: Vec<_> = draft.tools().into_iter().map(|tool| (wire_name(draft, tool), tool.input_schema())).collect();
    let json = &mut draft.json;
    json.key("responseConstraint");
    if required {
        return answer(json, Some(&names));
    }
    json.open('{');
    json.key("anyOf").open('[');
    answer(json, None);
    answer(json, Some(&names));
    json.close(']');
    json.close('}');
}

fn answer(json: &mut Json, tools: Option<&[(String, Option<Value<'_>>)]>) {
    json.open('{');
    json.key("type").text("object");
    json.key("properties").open('{');
    json.key("text").raw("{\"type\":\"string\"}");
    if let Some(tools) = tools {
        json.key("tool_calls").open('{');
        json.key("type").text("array");
        json.key("minItems").number(1);
        json.key("items").open('{');
        json.key("anyOf").open('[');
        tools.iter().for_each(|(name, schema)| call(json, name, *schema));
        json.close(']');
        json.close('}');
        json.close('}');
    }
    json.close('}');
    json.key("required").raw(if tools.is_some() { "[\"tool_calls\"]" } else { "[\"text\"]" });
    json.key("additionalProperties").raw("false");
    json.close('}');
}

fn call(json: &mut Json, name: &str, schema: Option<Value<'_>>) {
    json.open('{');
    json.key("type").text("object");
    json.key("properties").open('{');
    json.key("name").open('{');
    json.key("const").text(name);
    json.close('}');
    json.key("arguments").open('{');
    match schema.filter(|schema| is_plain(*schema)) {
        Some(schema) => {
            let members = schema.members().filter(|(key, _)| *key != "$schema");
            members.for_each(|(key, value)| json.raw_key(key.raw()).value(value));
        }
        None => json.key("type").text("object"),
    }
    json.close('}');
    json.close('}');
    json.key("required").raw("[\"name\",\"arguments\"]");
    json.key("additionalProperties").raw("false");
    json.close('}');
}

/// True if a schema can stand inside another one, and has only what every engine for constraints knows: the API refuses
/// a schema with other keywords as a whole. Without this the arguments are any object, and the model has the schema in
/// its instructions.
fn is_plain(schema: Value<'_>) -> bool {
    const NOTES: &[&str] = &["$schema", "title", "description", "default", "examples", "deprecated", "readOnly"];
    const LIMITS: &[&str] = &["type", "enum", "const", "required", "minimum", "maximum", "minItems", "maxItems"];
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        for (key, value) in schema.members() {
            match &*key.decode() {
                "properties" => open.extend(value.members().map(|(_, property)| property)),
                "items" | "additionalProperties" => open.push(value),
                "anyOf" => open.extend(value.items()),
                "minLength" | "maxLength" => {}
                key if NOTES.contains(&key) || LIMITS.contains(&key) => {}
                _ => return false,
            }
        }
    }
    true
}
