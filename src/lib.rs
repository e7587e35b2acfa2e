//! The client half of Model Context Protocol *sampling*, without I/O.
//!
//! A server that needs a language model in the middle of a tool call asks its client for one. This crate is the part of
//! the client that decides: what to send, what to ask whom, when to send again, and when to stop.
//!
//! **In scope:** the sampling model and its rules, `input_required` results, the driver that fulfils them, the JSON-RPC
//! messages and HTTP headers around them, and mappings to model providers.
//! **Out of scope:** sockets, clocks, threads, OAuth flows, servers, stdio, user interfaces.
//!
//! The rule of use is one: tell [`driver::Call`] what happened with [`handle`](driver::Call::handle), then do what
//! [`poll`](driver::Call::poll) says until it says nothing more, and come back at
//! [`deadline`](driver::Call::deadline) at the latest. Nothing here panics on any input; where it does, that is a bug.
//!
//! ```
//! use mcp_sampling::driver::{Call, Effect, Event, Limits};
//!
//! let mut call = Call::new("tools/list", None, Limits::default());
//! call.handle(Event::Start, 0.0);
//! assert!(matches!(call.poll(), Some(Effect::Send { leg: 1 })));
//! ```

pub mod driver;
pub mod error;
pub mod json;
mod lines;
pub mod mrtr;
pub mod provider;
pub mod revision;
pub mod sampling;
pub mod sse;
#[cfg(all(target_arch = "wasm32", any(feature = "client", feature = "providers")))]
pub mod wasm;
pub mod wire;
