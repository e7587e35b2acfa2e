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

use crate::error::before;
