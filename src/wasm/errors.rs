//! Errors on their way to JavaScript, where they are real `Error` objects.

use wasm_bindgen::prelude::*;

use crate::error::{Code, Error};

#[wasm_bindgen(module = "/src/js/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeError)]
    fn make_error(code: JsValue, message: &str, data: &str, cause: &JsValue) -> JsValue;
}

/// The error as an object.
pub(super) fn object(error: &Error, cause: &JsValue) -> JsValue {
    let code = match error.kind() {
        // A JSON-RPC code is an integer, which a double holds exactly.
        Code::Protocol(number) => JsValue::from_f64(number as f64),
        _ => JsValue::from_str(error.code()),
    };
    make_error(code, error.message(), error.data(), cause)
}
