//! Provider adapters: fixtures for each provider, and cases that all of them share.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod anthropic;
mod cases;
mod fates;
#[cfg(not(target_arch = "wasm32"))]
mod fuzzed;
mod gemini;
mod openai;
mod openai_responses;
mod prompt_api;
mod shared;
mod workers_ai;
