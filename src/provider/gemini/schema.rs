//! Schemas of tools, in the part of JSON Schema that the API reads.
//!
//! What it does not read is left out and reported, rather than sent and lost at the other end, where some versions
//! refuse it. A constant is a choice of one; `definitions` have been `$defs` since 2019-09.

use crate::json::{JsonStr, Kind, Value};

use super::super::Rules;
use super::super::draft::Draft;
use super::super::failure::{is_among, place_among};
use super::super::warnings::Fate;

/// Keywords that hold no schemas.
const PLAIN: &str = "$id $anchor type format title description enum minItems maxItems minimum maximum required \
                     propertyOrdering";

/// The dialect of MCP, and what the API takes a schema for that names none.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// How deep schemas are looked into; what lies deeper goes as it is. Keeps the stack small whatever comes.
const DEPTH: usize = 64;

/// Writes a schema.
pub(super) fn write<'d>(draft: &mut Draft<'d>, schema: Value<'d>) {
    if draft.rules.allow(Rules::WHOLE_SCHEMAS) {
        return draft.json.value("%v", schema);
    }
    let place = draft.enter("inputSchema");
    write_schema(draft, schema, DEPTH);
    draft.place.truncate(place);
}

/// `true` and `false` are schemas too.
fn write_schema(draft: &mut Draft<'_>, schema: Value<'_>, depth: usize) {
    if !schema.is(Kind::Object) || depth == 0 {
        return draft.json.value("%v", schema);
    }
    draft.json.lit("{");
    let is_reference = !schema.at("$ref").is_missing();
    for (key, value) in schema.members() {
        let name = key.decode();
        let place = draft.enter(&name);
        if is_reference && !name.starts_with("$") && name != "definitions" {
            draft.warn(Fate::Dropped, "the API takes nothing beside $ref");
        } else {
            keyword(draft, schema, key, value, depth - 1);
        }
        draft.place.truncate(place);
    }
    draft.json.end();
}

/// Keywords that need a look, in the order of [`keyword`].
const OTHERS: &str =
    "$ref const definitions $schema $defs properties items additionalProperties prefixItems anyOf oneOf";

fn keyword(draft: &mut Draft<'_>, schema: Value<'_>, key: JsonStr<'_>, value: Value<'_>, depth: usize) {
    match place_among(key.value(), OTHERS) {
        Some(0) => reference(draft, value),
        Some(1) => constant(draft, schema, value),
        Some(2) if schema.at("$defs").is_missing() => {
            draft.warn(Fate::Changed, "the API knows definitions as $defs");
            map(draft, "$defs", value, depth);
        }
        Some(3) if value.is_text(DIALECT) => {
            draft.warn(Fate::Emulated, "the API takes no $schema, and reads schemas as this one says");
        }
        Some(4 | 5) => map(draft, &key.decode(), value, depth),
        Some(6..) => list(draft, &key.decode(), value, depth),
        None if is_among(key.value(), PLAIN) => draft.json.two("\"%r\":%v", &key.decode(), value.raw()),
        _ => draft.warn(Fate::Dropped, "the API does not know this keyword of schemas"),
    }
}

/// Schemas under names of the schema's author.
fn map(draft: &mut Draft<'_>, name: &str, value: Value<'_>, depth: usize) {
    draft.json.one("\"%r\":", name);
    if !value.is(Kind::Object) {
        return draft.json.value("%v", value);
    }
    draft.json.lit("{");
    for (key, schema) in value.members() {
        draft.json.value("%r:", key.value());
        let place = draft.enter(&key.decode());
        write_schema(draft, schema, depth);
        draft.place.truncate(place);
    }
    draft.json.end();
}

/// One schema, or several.
fn list(draft: &mut Draft<'_>, name: &str, value: Value<'_>, depth: usize) {
    draft.json.one("\"%r\":", name);
    if !value.is(Kind::Array) {
        return write_schema(draft, value, depth);
    }
    draft.json.lit("[");
    for (index, schema) in value.items().enumerate() {
        let place = draft.enter_item(index);
        write_schema(draft, schema, depth);
        draft.place.truncate(place);
    }
    draft.json.end_list();
}

fn reference(draft: &mut Draft<'_>, value: Value<'_>) {
    match value.as_str().and_then(|text| text.raw().strip_prefix("#/definitions/")) {
        Some(rest) => {
            draft.warn(Fate::Changed, "the API knows definitions as $defs");
            draft.json.one("\"$ref\":\"#/$defs/%v\"", rest);
        }
        None => draft.json.value("\"$ref\":%v", value),
    }
}

/// The API reads choices among texts and numbers only.
fn constant(draft: &mut Draft<'_>, schema: Value<'_>, value: Value<'_>) {
    let is_plain = matches!(value.kind(), Kind::String | Kind::Number);
    if !is_plain || !schema.at("enum").is_missing() {
        return draft.warn(Fate::Dropped, "the API does not know this keyword of schemas");
    }
    draft.warn(Fate::Changed, "the API knows no constants; a choice of one is sent");
    draft.json.value("\"enum\":[%v]", value);
}
