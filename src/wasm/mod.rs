//! The shell: performs what the core says, with the host's fetch, timers and callbacks. Decides nothing about the
//! protocol, and is the only place that knows of JavaScript.
//!
//! Nothing of the host is held here: clients and calls have numbers, and JavaScript keeps what belongs to a number. So a
//! module that stopped by a bug can be replaced by a fresh one (`src/js/instance.js`). No cell stays borrowed while
//! JavaScript runs: a handler may call the same client again, from within itself.
//!
//! There are three modules, made from the same crate by its features: `client`; `providers`, which pages that call no
//! provider do not load; and both in one, for those that always do.

#[cfg(feature = "client")]
mod client;
#[cfg(any(feature = "client", feature = "providers"))]
mod given;
#[cfg(feature = "providers")]
mod provider;

/// Much smaller than the standard library's, and as fast. Memory that grew in steps is one piece: what is larger than a step
/// can come from it again.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

#[cfg(feature = "client")]
pub use client::enter;
#[cfg(feature = "providers")]
pub use provider::consult;
