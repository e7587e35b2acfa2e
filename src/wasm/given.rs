//! What comes with what JavaScript tells or asks: `given.js`, in `src/js`. Each argument of an export costs the module far
//! more than to take it from here.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/js/given.js")]
extern "C" {
    /// One of the numbers.
    pub(super) fn number(at: i32) -> i32;

    /// One of them that is a time, in milliseconds.
    #[wasm_bindgen(js_name = number)]
    pub(super) fn time(at: i32) -> f64;

    pub(super) fn text() -> String;

    /// Once, and only before JavaScript is called for anything else.
    pub(super) fn bytes() -> Vec<u8>;
}
