//! Multi round-trip requests: results that ask for input, and the parameters that bring the answers back.
//!
//! Specification: basic/patterns/mrtr.

mod ask;
mod capability;
pub mod elicitation;
mod outcome;
mod request;
mod retry;
pub mod roots;

pub use ask::{Ask, Manner};
pub use capability::{Accepts, Declared};
pub use outcome::{Outcome, ResultRules, outcome};
pub use request::{InputMethod, InputRequest, InputRequiredResult};
pub use retry::{Answer, Retry};
