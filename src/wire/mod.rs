//! The wire: JSON-RPC messages, the `_meta` envelope, HTTP headers and replies. Bytes and data only.

mod capabilities;
pub mod http;
mod message;
pub mod pages;
mod request;
pub mod sse;

pub use capabilities::{Capabilities, Handlers};
pub use message::{Message, Response, read};
pub use request::{Envelope, Outgoing};
