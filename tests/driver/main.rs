//! One call and all its rounds: a scenario per rule, through the state machine and the wire, with a scripted server,
//! scripted handlers and a clock that moves only when told.
//!
//! The ids are those of the catalogue of client behaviours. The scripted server itself checks on every leg what holds for
//! every leg: R1, R2, R3, R5 to R8, H1, H2, H7, H8.
//!
//! | ids | in |
//! | --- | --- |
//! | D | `results` |
//! | R | `retry` |
//! | H | `metadata` |
//! | C | `rounds`; any order of events in `properties` |
//! | E | `dispatch`; the rules of forms in `tests/elicitation.rs`, of sampling in `tests/sampling` |
//! | K | `keys` |
//! | T | `clocks` |
//! | M, P5 | `manual` |
//! | P | `capabilities` |
//! | X | `errors` |
//! | N, T19 | `tests/wire.rs` |
//! | calls that outlive their machine | `checkpoint` |
//!
//! Shown elsewhere, because JavaScript does it (`tests/package`): H10 to H12 (what a call's options and headers may do, tokens),
//! the listeners of C10 and C11, E12 beyond passing the URL on, K3 and K4 (the way across), X12 to X14 beyond their code
//! (the caller's reason, the cause, the number of the leg), T13 to T17 (body readers, reasons, listeners). X15 is about
//! negotiation. Not about this code: C16 (hosts that do rounds by hand), P6 (advice to readers). The second try of
//! H14 and X16, and `Mcp-Param-*` (H9, N17 to N20), belong to `wire::mirror`.

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
mod resend;
mod results;
mod retry;
mod rounds;
mod scenario;
mod server;
mod texts;
