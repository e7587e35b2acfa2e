//! The arguments of a call, in the forms that providers give them.

use std::borrow::Cow;

use crate::json::{Document, Kind, Value};

use super::blank::is_blank;

/// The JSON text of the arguments. Nothing at all means no arguments: models without a parameter to fill send that.
pub(super) fn arguments(input: Value<'_>) -> Option<Cow<'_, str>> {
    match input.kind() {
        Kind::Null => return Some("{}".into()),
        Kind::Object => return Some(input.raw().into()),
        _ => {}
    }
    let text = input.as_str()?;
    if is_blank(text.raw()) {
        return Some("{}".into());
    }
    let document = Document::from_text(text.decode().into_owned()).ok()?;
    match document.root().kind() {
        Kind::Object => Some(document.into_text().into()),
        Kind::Null => Some("{}".into()),
        _ => None,
    }
}

/// True unless the arguments came as text: a text that is complete JSON was not cut off, of the rest one cannot know.
pub(super) fn may_be_cut(input: Value<'_>) -> bool {
    input.as_str().is_none_or(|text| is_blank(text.raw()))
}
