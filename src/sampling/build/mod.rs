//! Writing requests and results that cannot break the rules.
//!
//! What a type can forbid, it forbids: a [`History`] begins with a user message, and a tool use leads to a [`Pending`]
//! history that only becomes a [`History`] again when each use has its result. What depends on data (ids, base64, JSON
//! from elsewhere) is checked at once, by the same rules as a peer's. JSON values and
//! [`JsonStr`](crate::json::JsonStr) strings are spliced in as they were written.
//!
//! ```
//! use mcp_sampling::json::Document;
//! use mcp_sampling::sampling::build::{History, Parts, RequestBuilder, ToolOutput, ToolUses, Tools};
//! use mcp_sampling::sampling::ToolChoiceMode;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let schema = Document::from_text(r#"{"type":"object"}"#.into())?;
//! let input = Document::from_text(r#"{"city":"Paris"}"#.into())?;
//! let history = History::new(Parts::text("How is the weather in Paris?"))
//!     .uses(ToolUses::new("call_1", "weather", input.root())?)
//!     .answer("call_1", ToolOutput::new(Parts::text("18 °C")))?
//!     .finish()?;
//! let tools = Tools::new("weather", "Tells the weather", schema.root())?;
//! let params = RequestBuilder::new(history, 100.try_into()?).tools(tools, ToolChoiceMode::Auto).build();
//! assert!(params.ends_with(r#""maxTokens":100}"#));
//! # Ok(())
//! # }
//! ```

mod history;
mod parts;
mod request;
mod result;
mod text;

use std::fmt;

pub use history::{History, Pending};
pub use parts::{Media, Parts, ToolOutput, ToolUses};
pub use request::{Preferences, RequestBuilder, Tools};
pub use result::ResultBuilder;
pub use text::Text;

/// Why something cannot be part of a valid request or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The JSON value breaks a rule; these are the findings, with paths into the value.
    Invalid(super::Findings),
    /// The data of an image or sound is not base64.
    NotBase64,
    /// Two tool uses have this id, or two tools this name.
    Taken(String),
    /// There is no tool use with this id, or it has its result already.
    NotWaiting(String),
    /// The tool use with this id has no result yet.
    Unanswered(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sentence, about) = match self {
            Self::Invalid(findings) => ("the value breaks a rule: ", first_message(findings)),
            Self::NotBase64 => ("the data is not base64", ""),
            Self::Taken(name) => ("the name or id is taken: ", name.as_str()),
            Self::NotWaiting(id) => ("no tool use waits for this result: ", id.as_str()),
            Self::Unanswered(id) => ("this tool use has no result yet: ", id.as_str()),
        };
        formatter.write_str(sentence)?;
        formatter.write_str(about)
    }
}

impl std::error::Error for BuildError {}

fn first_message(findings: &super::Findings) -> &str {
    findings.errors.first().map_or("", |finding| finding.message.as_str())
}
