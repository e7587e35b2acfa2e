//! The sampling model: rules, views, builders, conversion, model choice, and what hostile peers send.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs, unreachable_pub)]

mod cases;
mod choice;
mod convert;
mod examples;
mod hostile;
mod model;
#[cfg(not(target_arch = "wasm32"))]
mod properties;
mod rules;
mod support;
