//! Schemas of tools, in the part of JSON Schema that the API reads.
//!
//! What it does not read is left out and reported, rather than sent and lost at the other end, where some versions
//! refuse it. A constant is a choice of one; `definitions` have been `$defs` since 2019-09.

use crate::json::{Kind, Path, Value};

use super::super::Rules;
use super::super::draft::Draft;
use super::super::warnings::Fate;

/// Keywords that hold no schemas.
const PLAIN: &[&str] = &[
    "$id",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "required",
    "propertyOrdering",
];

/// The dialect of MCP, and what the API takes a schema for that names none.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// How deep schemas are looked into; what lies deeper goes as it is. Keeps the stack small whatever comes.
const DEPTH: usize = 64;

/// Writes a schema.
pub(super) fn write(draft: &mut Draft<'_>, schema: Value<'_>, path: &Path<'_>) {
    if draft.rules.allow(Rules::WHOLE_SCHEMAS) {
        return draft.json.value(schema);
    }
    write_schema(draft, schema, path, DEPTH);
}

/// `true` and `false` are schemas too.
fn write_schema(draft: &mut Draft<'_>, schema: Value<'_>, path: &Path<'_>, depth: usize) {
    if schema.kind() != Kind::Object || depth == 0 {
        return draft.json.value(schema);
    }
    draft.json.open('{');
    let is_reference = schema.get("$ref").is_some();
    for (key, value) in schema.members() {
        let name = key.decode();
        let path = path.key(&name);
        if is_reference && !name.starts_with('$') && name != "definitions" {
            draft.warn(&path, Fate::Dropped, "the API takes nothing beside $ref");
        } else {
            keyword(draft, schema, &name, value, &path, depth - 1);
        }
    }
    draft.json.close('}');
}

fn keyword(draft: &mut Draft<'_>, schema: Value<'_>, name: &str, value: Value<'_>, path: &Path<'_>, depth: usize) {
    match name {
        "$ref" => reference(draft, value, path),
        "$defs" | "properties" => map(draft, name, value, path, depth),
        "definitions" if schema.get("$defs").is_none() => {
            draft.warn(path, Fate::Changed, "the API knows definitions as $defs");
            map(draft, "$defs", value, path, depth);
        }
        "items" | "additionalProperties" | "prefixItems" | "anyOf" | "oneOf" => {
            draft.json.key(name);
            list(draft, value, path, depth);
        }
        "const" => constant(draft, schema, value, path),
        "$schema" if value.as_str().is_some_and(|dialect| dialect == DIALECT) => {
            draft.warn(path, Fate::Emulated, "the API takes no $schema, and reads schemas as this one says");
        }
        _ if PLAIN.contains(&name) => draft.json.key(name).value(value),
        _ => draft.warn(path, Fate::Dropped, "the API does not know this keyword of schemas"),
    }
}

/// Schemas under names of the schema's author.
fn map(draft: &mut Draft<'_>, name: &str, value: Value<'_>, path: &Path<'_>, depth: usize) {
    draft.json.key(name);
    if value.kind() != Kind::Object {
        return draft.json.value(value);
    }
    draft.json.open('{');
    for (key, schema) in value.members() {
        draft.json.raw_key(key.raw());
        write_schema(draft, schema, &path.key(&key.decode()), depth);
    }
    draft.json.close('}');
}

/// One schema, or several.
fn list(draft: &mut Draft<'_>, value: Value<'_>, path: &Path<'_>, depth: usize) {
    if value.kind() != Kind::Array {
        return write_schema(draft, value, path, depth);
    }
    draft.json.open('[');
    for (index, schema) in value.items().enumerate() {
        write_schema(draft, schema, &path.index(index), depth);
    }
    draft.json.close(']');
}

fn reference(draft: &mut Draft<'_>, value: Value<'_>, path: &Path<'_>) {
    let old = value.as_str().and_then(|text| text.raw().strip_prefix("#/definitions/"));
    draft.json.key("$ref");
    match old {
        Some(rest) => {
            draft.warn(path, Fate::Changed, "the API knows definitions as $defs");
            draft.json.joined(&["#/$defs/", rest]);
        }
        None => draft.json.value(value),
    }
}

/// The API reads choices among texts and numbers only.
fn constant(draft: &mut Draft<'_>, schema: Value<'_>, value: Value<'_>, path: &Path<'_>) {
    let is_plain = matches!(value.kind(), Kind::String | Kind::Number);
    if !is_plain || schema.get("enum").is_some() {
        return draft.warn(path, Fate::Dropped, "the API does not know this keyword of schemas");
    }
    draft.warn(path, Fate::Changed, "the API knows no constants; a choice of one is sent");
    draft.json.key("enum").open('[');
    draft.json.value(value);
    draft.json.close(']');
}
