//! The loss report: what of a request a provider does not get as it was written.

use super::body::Json;

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
    let mut json = Json::begin("[");
    for Warning { path, fate, message } in warnings {
        json.three("{\"path\":%q,\"code\":%q,\"message\":%q}", path, fate.as_str(), message);
    }
    json.end_list();
    json.finish()
}
