//! The wire: JSON-RPC messages, the `_meta` envelope, HTTP headers and replies. Bytes and data only.

mod capabilities;
pub mod era;
pub mod fault;
mod headers;
pub mod http;
mod incoming;
mod message;
pub mod method;
pub mod mirror;
pub mod pages;
pub mod push;
mod request;

pub use capabilities::Capabilities;
pub use message::{Message, read};
pub use request::{Envelope, Outgoing, cancelled, initialize_params, notification};

use crate::error::split_at_any;

/// The text up to the first of these ASCII characters, or all of it.
#[inline(never)]
fn before<'t>(text: &'t str, stops: &str) -> &'t str {
    split_at_any(text, stops).map_or(text, |(before, _)| before)
}
