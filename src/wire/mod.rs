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

pub use capabilities::{Capabilities, Handlers};
pub use message::{Message, Response, read};
pub use request::{Envelope, Outgoing, cancelled, initialize_params, notification};

use crate::error::before;
use crate::json::{Value, push_member};

/// Appends the members of an object, except those of these names, to an object that was begun with `{`.
#[inline(never)]
fn copy_members(out: &mut String, from: Option<Value<'_>>, without: &[&str]) {
    let Some(from) = from else { return };
    for (key, value) in from.members() {
        if !without.iter().any(|name| key == *name) {
            push_member(out, key.raw(), value.raw());
        }
    }
}
