//! The wire: JSON-RPC messages, the `_meta` envelope, HTTP headers and replies. Bytes and data only.

mod capabilities;
pub mod era;
pub mod fault;
mod headers;
pub mod http;
mod message;
pub mod method;
pub mod mirror;
pub mod pages;
pub mod push;
mod request;

pub use capabilities::{Capabilities, Handlers};
pub use message::{Message, Response, read};
pub use request::{Envelope, Outgoing, cancelled, initialize_params, notification};
