//! One call and all its rounds: a scenario per rule, through the state machine and the wire, with a scripted server,
//! scripted handlers and a clock that moves only when told.
//!
//! The rule ids are those of the catalogue of client behaviours: D results, R retries, H metadata and headers, C rounds,
//! E embedded requests, K keys and odd values, T clocks, M manual mode, P capabilities, X errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    missing_debug_implementations
)]

mod capabilities;
mod checkpoint;
mod clocks;
mod dispatch;
mod errors;
mod keys;
mod manual;
mod metadata;
#[cfg(not(target_arch = "wasm32"))]
mod properties;
mod results;
mod retry;
mod rounds;
mod scenario;
mod server;
mod texts;
