//! The arguments of a call, in the forms that providers give them.

use std::borrow::Cow;

use crate::json::{Document, Kind, Value};

use super::body::is_blank;

/// The JSON text of the arguments. Nothing at all means no arguments: models without a parameter to fill send that.
pub(super) fn arguments(input: Option<Value<'_>>) -> Option<Cow<'_, str>> {
    let Some(input) = input.filter(|input| !input.is_null()) else { return Some("{}".into()) };
    let Some(text) = input.as_str() else {
        return (input.kind() == Kind::Object).then(|| input.raw().into());
    };
    if is_blank(text.raw()) {
        return Some("{}".into());
    }
    let document = Document::from_text(text.decode().into_owned()).ok()?;
    match document.root().kind() {
        Kind::Object => Some(document.root().raw().to_owned().into()),
        Kind::Null => Some("{}".into()),
        _ => None,
    }
}

/// True unless the arguments came as text: a text that is complete JSON was not cut off, of the rest one cannot know.
pub(super) fn may_be_cut(input: Option<Value<'_>>) -> bool {
    input.and_then(Value::as_str).is_none_or(|text| is_blank(text.raw()))
}
