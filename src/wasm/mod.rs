//! The shell: performs what the core says, with the host's fetch, timers and callbacks. Decides nothing about the
//! protocol, and is the only place that knows JavaScript.
//!
//! Exported methods take `&self`, and no borrow of a cell is held while JavaScript runs: a handler may call the same
//! client again, from within itself.

mod call;
mod client;
mod connection;
mod convert;
mod host;
mod options;
mod port;
mod pushed;
mod sampling;
mod state;

pub use client::Core;
pub use port::Port;
pub use sampling::{select_model, validate_request, validate_result};

use js_sys::Promise;
use wasm_bindgen::JsValue;

use crate::error::Error;

/// The error as a real `Error` object, without a cause.
fn plain(error: &Error) -> JsValue {
    convert::error(error, &JsValue::UNDEFINED)
}

fn rejected(error: &Error) -> Promise {
    Promise::reject(&plain(error))
}
