//! The flat schemas that forms are made of. Specification: client/elicitation, "Requested Schema".

use std::cmp::Ordering;

use crate::json::{Kind, Number, Path, Value, ValueId};
use crate::lines;
use crate::mrtr::names::Names;
use crate::mrtr::{broken, broken_at, push_copy};
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
        CHOICES => field.other(choices(field.at("items"))).is(Kind::Array),
        found => found != lines::NOWHERE,
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
            && given.get(name).is_missing()
        {
            broken_at(findings, "elicitation-required", &at, name, "expected a value: it is required");
        }
    }
    let fields = Names::of(schema.at("properties"));
    for (name, value) in content.members() {
        let expected = mismatch(fields.get(name), value);
        if expected != FITS {
            broken_at(findings, "elicitation-value", &at, name, lines::at(EXPECTED, expected));
        }
    }
}

/// Appends the defaults of the fields that the content leaves out.
pub(super) fn push_defaults(out: &mut String, content: Value<'_>, schema: Value<'_>) {
    let given = Names::of(content);
    for (name, field) in schema.at("properties").members() {
        let default = field.at("default");
        // A default that does not fit its own field would make a good answer a bad one.
        if given.get(name).is_missing() && !default.is_missing() && mismatch(field, default) == FITS {
            push_copy(out, name, default);
        }
    }
}

const TYPES: &str = "string\nnumber\ninteger\nboolean\narray\n";
const INTEGER: usize = 2;
const CHOICES: usize = 4;
/// What values of these types are.
const KINDS: [Kind; 5] = [Kind::String, Kind::Number, Kind::Number, Kind::Bool, Kind::Array];

/// What was expected of a value: nothing else; a value of its type, in the order of [`TYPES`]; or what follows here.
const EXPECTED: &str = "\nexpected a string\nexpected a number\nexpected an integer\nexpected a boolean\n\
                        expected an array of choices\n\
                        expected a string, a number, a boolean or an array of strings\n\
                        expected one of the schema's choices\n\
                        expected only the schema's choices\n\
                        expected a length within minLength and maxLength\n\
                        expected a number within minimum and maximum\n\
                        expected a number of choices within minItems and maxItems\n";
const FITS: usize = 0;
const TYPE: usize = 1;
const FLAT: usize = 6;
const CHOICE: usize = 7;
const ONLY_CHOICES: usize = 8;
const LENGTH: usize = 9;
const RANGE: usize = 10;
const COUNT: usize = 11;

/// The place of the field's type in [`TYPES`], if it is one of them.
fn field_type(field: Value<'_>) -> usize {
    lines::place_in(TYPES, field.at("type"))
}

/// What was expected, as its place in [`EXPECTED`].
fn mismatch(field: Value<'_>, value: Value<'_>) -> usize {
    if field.is_missing() {
        return if is_flat(value) { FITS } else { FLAT };
    }
    let of = field_type(field);
    let Some(kind) = KINDS.get(of) else { return FITS };
    let number = value.as_number();
    if !value.is(*kind) || of == INTEGER && !value.is_integer() {
        return TYPE + of;
    }
    let (text, items) = (value.as_str(), field.at("items"));
    let mut count = 0;
    let (fits, what) = if let Some(number) = number {
        (is_within(field, number), RANGE)
    } else if let Some(text) = text {
        if !is_choice(field, value) {
            return CHOICE;
        }
        // JSON Schema counts code points.
        for byte in text.meaning().iter() {
            count += i64::from(byte & 0xc0 != 0x80);
        }
        (bounds(field, "minLength", "maxLength", count), LENGTH)
    } else {
        for item in value.items() {
            if !is_choice(items, item) {
                return ONLY_CHOICES;
            }
            count += 1;
        }
        (bounds(field, "minItems", "maxItems", count), COUNT)
    };
    if fits { FITS } else { what }
}

fn is_within(field: Value<'_>, number: Number<'_>) -> bool {
    for (limit, beyond) in &[("minimum", Ordering::Less), ("maximum", Ordering::Greater)] {
        if let Some(limit) = field.at(limit).as_number()
            && number.compare(limit) == *beyond
        {
            return false;
        }
    }
    true
}

/// True if `count` lies within the bounds that the field sets.
fn bounds(field: Value<'_>, least: &str, most: &str, count: i64) -> bool {
    count >= field.at(least).integer_or(count) && count <= field.at(most).integer_or(count)
}

/// Whether it is what a field that the schema does not know may hold.
fn is_flat(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Null | Kind::Object => false,
        _ => value.items().all(|item| item.is(Kind::String)),
    }
}

/// True for a string, if the schema lists no choices, or lists this one.
fn is_choice(schema: Value<'_>, text: Value<'_>) -> bool {
    let (choices, Some(text)) = (schema.other(choices(schema)), text.as_str()) else { return false };
    let text = text.meaning();
    // A choice is a text, or has one beside its title.
    !choices.is(Kind::Array)
        || choices.items().any(|choice| choice.is_bytes(&text) || choice.at("const").is_bytes(&text))
}

/// The array of choices that a schema lists, as `enum`, or titled under `oneOf` or `anyOf`; nothing if it lists none.
fn choices(schema: Value<'_>) -> ValueId {
    let mut choices = ValueId::NONE;
    for place in 0..3 {
        let list = schema.at(lines::at("anyOf\noneOf\nenum\n", place));
        if list.is(Kind::Array) {
            choices = list.id();
        }
    }
    choices
}
