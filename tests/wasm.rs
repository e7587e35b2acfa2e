//! The tests of the core once more, as wasm, in one binary: in Node, and by a variable of the runner in a browser.

#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, clippy::duplicate_mod)]

#[path = "driver/main.rs"]
mod driver;
mod elicitation;
mod json;
#[path = "provider/main.rs"]
mod provider;
#[path = "sampling/main.rs"]
mod sampling;
mod sse;
mod wire;
#[path = "wire-eras.rs"]
mod wire_eras;
#[path = "wire-mirror.rs"]
mod wire_mirror;
#[path = "wire-progress.rs"]
mod wire_progress;
#[path = "wire-requests.rs"]
mod wire_requests;
#[path = "wire-sessions.rs"]
mod wire_sessions;
