//! The flat schemas that forms are made of. Specification: client/elicitation, "Requested Schema".

use std::cmp::Ordering;

use crate::json::{Kind, Number, Path, Value, push_member};
use crate::lines;
use crate::mrtr::names::Names;
use crate::mrtr::{broken, broken_at};
use crate::sampling::Findings;

/// Checks that the schema is a flat object of primitive fields.
pub(super) fn check(schema: Value<'_>, findings: &mut Findings) {
    let properties = schema.at("properties");
    if !schema.at("type").is_text("object") || !properties.is(Kind::Object) {
        let what = "elicitation-schema\nrequestedSchema\nexpected an object schema with properties";
        return broken(findings, &Path::Root, what);
    }
    let schema_at = Path::Root.key("requestedSchema");
    for (name, field) in properties.members() {
        if !is_primitive(field) {
            let message = "expected type string, number, integer, boolean or array of choices";
            broken_at(findings, "elicitation-schema-field", &schema_at.key("properties"), name, message);
        }
    }
}

/// True for what a form can show: text, a number, a switch, or a choice of texts.
fn is_primitive(field: Value<'_>) -> bool {
    match field_type(field) {
        Some(CHOICES) => choices(field.at("items")).is(Kind::Array),
        found => found.is_some(),
    }
}

/// Checks an accepted form against its schema.
pub(super) fn check_content(content: Value<'_>, schema: Value<'_>, findings: &mut Findings) {
    if !content.is(Kind::Object) {
        let what = "elicitation-content\ncontent\nexpected an object: the form was accepted";
        return broken(findings, &Path::Root, what);
    }
    let at = Path::Root.key("content");
    let given = Names::of(content);
    for name in schema.at("required").items() {
        if let Some(name) = name.as_str()
            && given.get(name).is_none()
        {
            broken_at(findings, "elicitation-required", &at, name, "expected a value: it is required");
        }
    }
    let fields = Names::of(schema.at("properties"));
    for (name, value) in content.members() {
        let expected = match fields.get(name) {
            Some(field) => mismatch(field, value),
            None => not_flat(value),
        };
        if let Some(expected) = expected {
            broken_at(findings, "elicitation-value", &at, name, expected);
        }
    }
}

/// Appends the defaults of the fields that the content leaves out.
pub(super) fn push_defaults(out: &mut String, content: Value<'_>, schema: Value<'_>) {
    let given = Names::of(content);
    for (name, field) in schema.at("properties").members() {
        // A default that does not fit its own field would make a good answer a bad one.
        if given.get(name).is_none()
            && let Some(default) = field.get("default")
            && mismatch(field, default).is_none()
        {
            push_member(out, name.raw(), default.raw());
        }
    }
}

const TYPES: &str = "string\nnumber\ninteger\nboolean\narray\n";
const STRING: usize = 0;
const INTEGER: usize = 2;
const CHOICES: usize = 4;
/// What values of these types are.
const KINDS: [Kind; 5] = [Kind::String, Kind::Number, Kind::Number, Kind::Bool, Kind::Array];
/// What was expected where they are not.
const OTHERS: &str =
    "expected a string\nexpected a number\nexpected an integer\nexpected a boolean\nexpected an array of choices\n";

/// The place of the field's type in [`TYPES`].
fn field_type(field: Value<'_>) -> Option<usize> {
    lines::place_in(TYPES, field.at("type"))
}

/// What was expected, if the value does not fit the field.
fn mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    let of = field_type(field)?;
    let number = value.as_number();
    if !value.is(*KINDS.get(of)?) || of == INTEGER && !number.is_some_and(|number| number.is_integer()) {
        return Some(lines::at(OTHERS, of));
    }
    match of {
        STRING => string_mismatch(field, value),
        CHOICES => choices_mismatch(field, value),
        _ => number_mismatch(field, number?),
    }
}

fn string_mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    if !is_choice(field, value) {
        return Some("expected one of the schema's choices");
    }
    // JSON Schema counts code points.
    let length = value.as_str()?.meaning().iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    bounds(field, "minLength", "maxLength", length).then_some("expected a length within minLength and maxLength")
}

fn number_mismatch(field: Value<'_>, number: Number<'_>) -> Option<&'static str> {
    let lies = |side: Ordering, limit: &str| {
        let limit = field.at(limit).as_number();
        limit.is_some_and(|limit| number.compare(limit) == side)
    };
    let outside = lies(Ordering::Less, "minimum") || lies(Ordering::Greater, "maximum");
    outside.then_some("expected a number within minimum and maximum")
}

fn choices_mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    let (items, mut count) = (field.at("items"), 0);
    for item in value.items() {
        if !is_choice(items, item) {
            return Some("expected only the schema's choices");
        }
        count += 1;
    }
    bounds(field, "minItems", "maxItems", count).then_some("expected a number of choices within minItems and maxItems")
}

/// True if `count` lies outside of the bounds that the field sets.
fn bounds(field: Value<'_>, least: &str, most: &str, count: usize) -> bool {
    let count = count as i64;
    count < field.at(least).integer_or(count) || count > field.at(most).integer_or(count)
}

/// What a field that the schema does not know may hold.
fn not_flat(value: Value<'_>) -> Option<&'static str> {
    let is_flat = match value.kind() {
        Kind::Null | Kind::Object => false,
        _ => value.items().all(|item| item.is(Kind::String)),
    };
    (!is_flat).then_some("expected a string, a number, a boolean or an array of strings")
}

/// True for a string, if the schema lists no choices, or lists this one.
fn is_choice(schema: Value<'_>, text: Value<'_>) -> bool {
    let (choices, Some(text)) = (choices(schema), text.as_str()) else { return false };
    let text = text.key();
    // A choice is a text, or has one beside its title.
    let is_text = |value: Value<'_>| value.as_str().is_some_and(|value| value.key() == text);
    !choices.is(Kind::Array) || choices.items().any(|choice| is_text(choice) || is_text(choice.at("const")))
}

/// The array of choices that a schema lists, as `enum`, or titled under `oneOf` or `anyOf`; no array if it lists none.
fn choices(schema: Value<'_>) -> Value<'_> {
    let mut choices = schema.nothing();
    for name in &["anyOf", "oneOf", "enum"] {
        let list = schema.at(name);
        if list.is(Kind::Array) {
            choices = list;
        }
    }
    choices
}
