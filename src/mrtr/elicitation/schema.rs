//! The flat schemas that forms are made of. Specification: client/elicitation, "Requested Schema".

use std::borrow::Cow;

use crate::json::{JsonStr, Kind, Number, Path, Value, push_member};
use crate::sampling::{Findings, Level};

/// Checks that the schema is a flat object of primitive fields.
pub(super) fn check(schema: Option<Value<'_>>, findings: &mut Findings) {
    let root = Path::Root;
    let at = root.key("requestedSchema");
    let is_object =
        |schema: &Value<'_>| schema.get("type").and_then(Value::as_str).is_some_and(|name| name == "object");
    let properties = schema.filter(is_object).and_then(|schema| schema.get("properties"));
    let Some(properties) = properties.filter(|properties| properties.kind() == Kind::Object) else {
        findings.push(Level::Error, "elicitation-schema", &at, "expected an object schema with properties");
        return;
    };
    let properties_at = at.key("properties");
    for (name, field) in properties.members() {
        if !is_primitive(field) {
            let name = name.decode();
            let message = "expected type string, number, integer, boolean or array of choices";
            findings.push(Level::Error, "elicitation-schema-field", &properties_at.key(&name), message);
        }
    }
}

/// True for what a form can show: text, a number, a switch, or a choice of texts.
fn is_primitive(field: Value<'_>) -> bool {
    match field_type(field) {
        Some(FieldType::Choices) => field.get("items").is_some_and(|items| choices(items).is_some()),
        found => found.is_some(),
    }
}

/// Checks an accepted form against its schema.
pub(super) fn check_content(content: Option<Value<'_>>, schema: Option<Value<'_>>, findings: &mut Findings) {
    let root = Path::Root;
    let at = root.key("content");
    let Some(content) = content.filter(|content| content.kind() == Kind::Object) else {
        findings.push(Level::Error, "elicitation-content", &at, "expected an object: the form was accepted");
        return;
    };
    let fields = Members::of(schema.and_then(|schema| schema.get("properties")));
    let given = Members::of(Some(content));
    let required = schema.and_then(|schema| schema.get("required"));
    for name in required.into_iter().flat_map(Value::items).filter_map(Value::as_str) {
        if given.get(name).is_none() {
            findings.push(
                Level::Error,
                "elicitation-required",
                &at.key(&name.decode()),
                "expected a value: it is required",
            );
        }
    }
    for (name, value) in content.members() {
        let field = fields.get(name);
        if let Some(expected) = field.map_or_else(|| not_flat(value), |field| mismatch(field, value)) {
            findings.push(Level::Error, "elicitation-value", &at.key(&name.decode()), expected);
        }
    }
}

/// The content with defaults for what it leaves out, if any field has a default that is needed.
pub(super) fn content_with_defaults<'d>(content: Option<Value<'_>>, schema: Value<'d>) -> Option<String> {
    let given = content.filter(|content| content.kind() == Kind::Object);
    if content.is_some() && given.is_none() {
        return None;
    }
    let by_name = Members::of(given);
    let properties = schema.get("properties")?;
    let missing = properties.members().filter(|(name, _)| by_name.get(*name).is_none());
    let mut out = String::from("{");
    for (key, value) in given.into_iter().flat_map(Value::members) {
        push_member(&mut out, key.raw(), value.raw());
    }
    let before = out.len();
    // A default that does not fit its own field would make a good answer a bad one.
    let default = |field: Value<'d>| field.get("default").filter(|default| mismatch(field, *default).is_none());
    for (name, default) in missing.filter_map(|(name, field)| Some((name, default(field)?))) {
        push_member(&mut out, name.raw(), default.raw());
    }
    out.push('}');
    (out.len() > before + 1).then_some(out)
}

/// The members of an object by name. A server may send a form with so many fields that walking through all of them for
/// each would hold up the page.
struct Members<'d>(Vec<(Cow<'d, [u8]>, Value<'d>)>);

impl<'d> Members<'d> {
    fn of(object: Option<Value<'d>>) -> Self {
        let members = object.into_iter().flat_map(Value::members);
        let mut members: Vec<_> = members.map(|(name, value)| (name.meaning(), value)).collect();
        // Stable, so that the last of several members of one name stays the last.
        members.sort_by(|left, right| left.0.cmp(&right.0));
        Self(members)
    }

    fn get(&self, name: JsonStr<'_>) -> Option<Value<'d>> {
        let name = name.meaning();
        let end = self.0.partition_point(|(known, _)| *known <= name);
        let (known, value) = self.0.get(end.checked_sub(1)?)?;
        (*known == name).then_some(*value)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldType {
    String,
    Number,
    Integer,
    Boolean,
    Choices,
}

fn field_type(field: Value<'_>) -> Option<FieldType> {
    let name = field.get("type").and_then(Value::as_str)?;
    let types = [
        ("string", FieldType::String),
        ("number", FieldType::Number),
        ("integer", FieldType::Integer),
        ("boolean", FieldType::Boolean),
        ("array", FieldType::Choices),
    ];
    types.into_iter().find(|(known, _)| name == *known).map(|(_, field_type)| field_type)
}

/// What was expected, if the value does not fit the field.
fn mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    match field_type(field)? {
        FieldType::String => string_mismatch(field, value),
        FieldType::Number => number_mismatch(field, value.as_number()),
        FieldType::Integer => match value.as_number() {
            Some(number) if number.is_integer() => number_mismatch(field, Some(number)),
            _ => Some("expected an integer"),
        },
        FieldType::Boolean => (value.kind() != Kind::Bool).then_some("expected a boolean"),
        FieldType::Choices => choices_mismatch(field, value),
    }
}

fn string_mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    let Some(text) = value.as_str() else { return Some("expected a string") };
    if !is_choice(field, text) {
        return Some("expected one of the schema's choices");
    }
    // JSON Schema counts code points.
    let length = text.decode().chars().count() as i64;
    bounds(field, "minLength", "maxLength", length).then_some("expected a length within minLength and maxLength")
}

fn number_mismatch(field: Value<'_>, number: Option<Number<'_>>) -> Option<&'static str> {
    let Some(number) = number else { return Some("expected a number") };
    let limit = |name: &str| field.get(name).and_then(Value::as_number);
    let below = limit("minimum").is_some_and(|minimum| number.compare(minimum).is_lt());
    let above = limit("maximum").is_some_and(|maximum| number.compare(maximum).is_gt());
    (below || above).then_some("expected a number within minimum and maximum")
}

fn choices_mismatch(field: Value<'_>, value: Value<'_>) -> Option<&'static str> {
    if value.kind() != Kind::Array {
        return Some("expected an array of choices");
    }
    let fits = |item: Value<'_>| {
        item.as_str().is_some_and(|text| field.get("items").is_none_or(|items| is_choice(items, text)))
    };
    if !value.items().all(fits) {
        return Some("expected only the schema's choices");
    }
    let count = value.items().count() as i64;
    bounds(field, "minItems", "maxItems", count).then_some("expected a number of choices within minItems and maxItems")
}

/// True if `count` lies outside of the bounds that the field sets.
fn bounds(field: Value<'_>, least: &str, most: &str, count: i64) -> bool {
    let limit = |name: &str| field.get(name).and_then(Value::as_number).and_then(Number::as_safe_integer);
    limit(least).is_some_and(|least| count < least) || limit(most).is_some_and(|most| count > most)
}

/// What a field that the schema does not know may hold.
fn not_flat(value: Value<'_>) -> Option<&'static str> {
    let is_flat = match value.kind() {
        Kind::String | Kind::Number | Kind::Bool => true,
        Kind::Array => value.items().all(|item| item.kind() == Kind::String),
        Kind::Null | Kind::Object => false,
    };
    (!is_flat).then_some("expected a string, a number, a boolean or an array of strings")
}

/// True if the schema lists no choices, or lists this one.
fn is_choice(schema: Value<'_>, text: JsonStr<'_>) -> bool {
    let Some(choices) = choices(schema) else { return true };
    choices.items().filter_map(choice_value).any(|choice| choice == text)
}

/// A choice is a text, or has one beside its title.
fn choice_value(choice: Value<'_>) -> Option<JsonStr<'_>> {
    choice.as_str().or_else(|| choice.get("const")?.as_str())
}

/// The choices that a schema lists: as `enum`, or titled under `oneOf` or `anyOf`.
fn choices(schema: Value<'_>) -> Option<Value<'_>> {
    ["enum", "oneOf", "anyOf"].into_iter().find_map(|name| schema.get(name).filter(|list| list.kind() == Kind::Array))
}
