//! The shell: performs what the core says, with the host's fetch, timers and callbacks. Decides nothing about the
//! protocol, and is the only place that knows JavaScript.
//!
//! Exported methods take `&self`, and no borrow of a cell is held while JavaScript runs: a handler may call the same
//! client again, from within itself.
//!
//! There are two modules, made from the same crate by its features: `client`, and `providers`, which pages that call no
//! provider do not load.

#[cfg(feature = "client")]
mod client;
mod errors;
#[cfg(feature = "providers")]
mod provider;

#[cfg(feature = "client")]
pub use client::{Core, Port, select_model, validate_request, validate_result};
#[cfg(feature = "providers")]
pub use provider::{ProviderStream, build_request, parse_reply};
