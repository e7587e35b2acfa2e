//! Provider adapters: fixtures for each provider, and cases that all of them share.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod anthropic;
mod cases;
mod fates;
#[cfg(not(target_arch = "wasm32"))]
mod fuzzed;
mod openai;
mod shared;
