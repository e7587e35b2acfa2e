//! Multi round-trip requests: results that ask for input, and the parameters that bring the answers back.
//!
//! Specification: basic/patterns/mrtr.

mod ask;
mod capability;
pub mod elicitation;
mod names;
mod outcome;
mod request;
pub mod roots;

pub use ask::{Ask, Manner};
pub use capability::{Accepts, Declared};
pub use outcome::{Outcome, ResultRules, outcome};
pub use request::{InputMethod, InputRequest, InputRequiredResult};

/// The beginning of a text of the server, for an error: it may send one of a megabyte.
fn shown(text: &str) -> &str {
    text.char_indices().nth(60).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}
