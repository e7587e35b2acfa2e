//! The loss report: what of a request a provider does not get as it was written.

use crate::json::{Path, write_quoted};

/// What became of a field. The texts stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The provider does not get it.
    Dropped,
    /// The provider gets it in another form or with another value.
    Changed,
    /// The provider gets it unchanged, at a place where it means less.
    Moved,
    /// The provider cannot do it; this library makes up for it, most often with the answer. Nothing is lost.
    Emulated,
}

impl Fate {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Dropped, Self::Changed, Self::Moved, Self::Emulated];

    /// The word for it, the `code` of a warning.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Emulated => "emulated",
        }
    }
}

/// One field that does not reach the provider as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which field, as a JSON Pointer (RFC 6901) into the params.
    pub path: String,
    /// What became of it.
    pub fate: Fate,
    /// Why, in a sentence for people.
    pub message: &'static str,
}

/// The warnings as the JSON text `[{"path":…,"code":…,"message":…},…]`.
pub fn warnings_to_json(warnings: &[Warning]) -> String {
    let mut out = String::from("[");
    for warning in warnings {
        out.push_str(if out.len() > 1 { ",{\"path\":" } else { "{\"path\":" });
        write_quoted(&mut out, &warning.path);
        out.push_str(",\"code\":\"");
        out.push_str(warning.fate.as_str());
        out.push_str("\",\"message\":");
        write_quoted(&mut out, warning.message);
        out.push('}');
    }
    out.push(']');
    out
}

/// The warnings of one request while it is written.
#[derive(Debug, Default)]
pub(super) struct Warnings(pub(super) Vec<Warning>);

impl Warnings {
    /// Reports a field.
    pub(super) fn push(&mut self, path: &Path<'_>, fate: Fate, message: &'static str) {
        self.0.push(Warning { path: path.to_string(), fate, message });
    }

    /// The first warning that stands for a loss, which `strict` does not allow.
    pub(super) fn first_loss(&self) -> Option<&Warning> {
        self.0.iter().find(|warning| warning.fate != Fate::Emulated)
    }
}
