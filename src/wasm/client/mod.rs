//! What stands behind `Client`, and the sampling rules by themselves.

mod call;
mod connection;
mod convert;
mod core;
mod host;
mod options;
mod port;
mod pushed;
mod receive;
mod sampling;
mod session;
mod state;

pub use self::core::Core;
pub use port::Port;
pub use sampling::{select_model, validate_request, validate_result};

use js_sys::Promise;
use wasm_bindgen::JsValue;

use super::errors;
use crate::error::Error;

/// The error as a real `Error` object, without a cause.
fn plain(error: &Error) -> JsValue {
    errors::object(error, &JsValue::UNDEFINED)
}

fn rejected(error: &Error) -> Promise {
    Promise::reject(&plain(error))
}
