//! The flat schemas that forms are made of. Specification: client/elicitation, "Requested Schema".

use super::{broken, one_of};
use crate::json::{JsonStr, Kind, Path, Value, push_member};
use crate::mrtr::names::Names;
use crate::sampling::Findings;

/// Checks that the schema is a flat object of primitive fields.
pub(super) fn check(schema: Option<Value<'_>>, findings: &mut Findings) {
    let is_object = schema.and_then(|schema| one_of(schema.get("type")?, &["object"])).is_some();
    let properties = properties(schema).filter(|properties| is_object && properties.kind() == Kind::Object);
    let Some(properties) = properties else {
        let message = "expected an object schema with properties";
        return broken(findings, "elicitation-schema", &Path::Root, "requestedSchema", message);
    };
    let schema_at = Path::Root.key("requestedSchema");
    for (name, field) in properties.members() {
        if !is_primitive(field) {
            let message = "expected type string, number, integer, boolean or array of choices";
            broken(findings, "elicitation-schema-field", &schema_at.key("properties"), &name.decode(), message);
        }
    }
}

fn properties(schema: Option<Value<'_>>) -> Option<Value<'_>> {
    schema?.get("properties")
}

/// True for what a form can show: text, a number, a switch, or a choice of texts.
fn is_primitive(field: Value<'_>) -> bool {
    match field_type(field) {
        Some(CHOICES) => field.get("items").and_then(choices).is_some(),
        found => found.is_some(),
    }
}

/// Checks an accepted form against its schema.
pub(super) fn check_content(content: Option<Value<'_>>, schema: Option<Value<'_>>, findings: &mut Findings) {
    let Some(content) = content.filter(|content| content.kind() == Kind::Object) else {
        let message = "expected an object: the form was accepted";
        return broken(findings, "elicitation-content", &Path::Root, "content", message);
    };
    let at = Path::Root.key("content");
    let given = Names::of(Some(content));
    let required = schema.and_then(|schema| schema.get("required"));
    for name in required.into_iter().flat_map(Value::items) {
        if let Some(name) = name.as_str().filter(|name| given.get(*name).is_none()) {
            broken(findings, "elicitation-required", &at, &name.decode(), "expected a value: it is required");
        }
    }
    let fields = Names::of(properties(schema));
    for (name, value) in content.members() {
        let expected = match fields.get(name) {
            Some(field) => mismatch(field, value),
            None => not_flat(value),
        };
        if let Some(expected) = expected {
            broken(findings, "elicitation-value", &at, &name.decode(), expected);
        }
    }
}

/// The content with defaults for what it leaves out, if any field has a default that is needed.
pub(super) fn content_with_defaults(content: Option<Value<'_>>, schema: Value<'_>) -> Option<String> {
    if content.is_some_and(|content| content.kind() != Kind::Object) {
        return None;
    }
    let given = Names::of(content);
    let mut out = String::from("{");
    for (key, value) in content.into_iter().flat_map(Value::members) {
        push_member(&mut out, key.raw(), value.raw());
    }
    let before = out.len();
    for (name, field) in schema.get("properties")?.members() {
        // A default that does not fit its own field would make a good answer a bad one.
        if given.get(name).is_none()
            && let Some(default) = field.get("default")
            && mismatch(field, default).is_none()
        {
            push_member(&mut out, name.raw(), default.raw());
        }
    }
    let filled = out.len() > before;
    out.push('}');
    filled.then_some(out)
}

const TYPES: &[&str] = &["string", "number", "integer", "boolean", "array"];
const STRING: usize = 0;
const INTEGER: usize = 2;
const BOOLEAN: usize = 3;
const CHOICES: usize = 4;

/// The place of the field's type in [`TYPES`].
fn field_type(field: Value<'_>) -> Option<usize> {
    one_of(field.get("type")?, TYPES)
}

/// What was expected, if the value does not fit the field.
fn mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    match field_type(field)? {
        STRING => string_mismatch(field, value),
        BOOLEAN => (value.kind() != Kind::Bool).then_some("expected a boolean"),
        CHOICES => choices_mismatch(field, value),
        number => number_mismatch(field, value, number == INTEGER),
    }
}

fn string_mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    let Some(text) = value.as_str() else { return Some("expected a string") };
    if !is_choice(Some(field), text) {
        return Some("expected one of the schema's choices");
    }
    // JSON Schema counts code points.
    let length = text.meaning().iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    bounds(field, ["minLength", "maxLength"], length).then_some("expected a length within minLength and maxLength")
}

fn number_mismatch(field: Value<'_>, value: Value<'_>, whole: bool) -> Option<&'static str> {
    let number = value.as_number();
    if whole && !number.is_some_and(|number| number.is_integer()) {
        return Some("expected an integer");
    }
    let Some(number) = number else { return Some("expected a number") };
    let compare = |name: &str| Some(number.compare(field.get(name)?.as_number()?));
    let within = !compare("minimum").is_some_and(|order| order.is_lt())
        && !compare("maximum").is_some_and(|order| order.is_gt());
    (!within).then_some("expected a number within minimum and maximum")
}

fn choices_mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    if value.kind() != Kind::Array {
        return Some("expected an array of choices");
    }
    let (items, mut count) = (field.get("items"), 0);
    for item in value.items() {
        if !item.as_str().is_some_and(|text| is_choice(items, text)) {
            return Some("expected only the schema's choices");
        }
        count += 1;
    }
    bounds(field, ["minItems", "maxItems"], count)
        .then_some("expected a number of choices within minItems and maxItems")
}

/// True if `count` lies outside of the bounds that the field sets.
fn bounds(field: Value<'_>, [least, most]: [&str; 2], count: usize) -> bool {
    let count = count as i64;
    let limit = |name: &str, default: i64| {
        let limit = field.get(name).and_then(|limit| limit.as_number()?.as_safe_integer());
        limit.unwrap_or(default)
    };
    count < limit(least, 0) || count > limit(most, count)
}

/// What a field that the schema does not know may hold.
fn not_flat(value: Value<'_>) -> Option<&'static str> {
    let is_flat = match value.kind() {
        Kind::Null | Kind::Object => false,
        _ => value.items().all(|item| item.kind() == Kind::String),
    };
    (!is_flat).then_some("expected a string, a number, a boolean or an array of strings")
}

/// True if the schema lists no choices, or lists this one.
fn is_choice(schema: Option<Value<'_>>, text: JsonStr<'_>) -> bool {
    let Some(choices) = schema.and_then(choices) else { return true };
    // A choice is a text, or has one beside its title.
    choices.items().any(|choice| choice.get("const").unwrap_or(choice).as_str() == Some(text))
}

/// The choices that a schema lists: as `enum`, or titled under `oneOf` or `anyOf`.
fn choices(schema: Value<'_>) -> Option<Value<'_>> {
    ["enum", "oneOf", "anyOf"].into_iter().find_map(|name| schema.get(name).filter(|list| list.kind() == Kind::Array))
}
