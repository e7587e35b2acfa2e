//! Writing members of objects.

use crate::json::{JsonStr, write_quoted};

/// Text to be written as a JSON string.
#[derive(Clone, Copy, Debug)]
pub enum Text<'t> {
    /// Rust text.
    Plain(&'t str),
    /// A JSON string from elsewhere, kept as it was written.
    Json(JsonStr<'t>),
}

impl<'t> From<&'t str> for Text<'t> {
    fn from(text: &'t str) -> Self {
        Self::Plain(text)
    }
}

impl<'t> From<&'t String> for Text<'t> {
    fn from(text: &'t String) -> Self {
        Self::Plain(text)
    }
}

impl<'t> From<JsonStr<'t>> for Text<'t> {
    fn from(text: JsonStr<'t>) -> Self {
        Self::Json(text)
    }
}

impl Text<'_> {
    /// The string token, quotes included.
    pub(super) fn token(self) -> String {
        let mut out = String::new();
        match self {
            Self::Plain(text) => write_quoted(&mut out, text),
            Self::Json(text) => out.extend(["\"", text.raw(), "\""]),
        }
        out
    }

    /// What it means, for comparing.
    pub(super) fn meaning(self) -> Vec<u8> {
        match self {
            Self::Plain(text) => text.as_bytes().to_vec(),
            Self::Json(text) => text.meaning().into_owned(),
        }
    }

    pub(super) fn shown(self) -> String {
        match self {
            Self::Plain(text) => text.chars().take(60).collect(),
            Self::Json(text) => text.decode().chars().take(60).collect(),
        }
    }
}

/// The text of a JSON object or array, open at its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Open(String);

impl Open {
    pub(super) fn object() -> Self {
        Self(String::from("{"))
    }

    /// Adds a member whose value is JSON text.
    pub(super) fn raw(mut self, name: &str, json: &str) -> Self {
        self.comma();
        self.0.extend(["\"", name, "\":", json]);
        self
    }

    pub(super) fn text(self, name: &str, text: Text<'_>) -> Self {
        self.raw(name, &text.token())
    }

    pub(super) fn close(mut self) -> String {
        self.0.push('}');
        self.0
    }

    fn comma(&mut self) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
    }
}

/// `0.75` for 750; more than 1000 counts as 1000 where the caller says so.
pub(super) fn thousandths(value: u32) -> String {
    let fraction = (1000 + value % 1000).to_string();
    let digits = fraction.get(1..).unwrap_or_default().trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    [(value / 1000).to_string().as_str(), point, digits].concat()
}

/// JSON texts as the text of an array.
pub(super) fn array(items: &[String]) -> String {
    ["[", &items.join(","), "]"].concat()
}
