//! What a call begins with, and whom it is for.

use std::rc::Rc;

use crate::json::Document;
use crate::wire::mirror::Mirrors;
use crate::wire::pages::Pages;

/// Whom a call is for.
#[derive(Clone, Copy)]
pub(in crate::wasm::client) enum Purpose {
    /// The caller, who gets the result.
    Caller,
    /// The connection: it is `server/discover` or `initialize`.
    Connect,
    /// The calls that wait for a new session: it is `initialize`.
    Reconnect,
    /// The call with this number, which goes out again when the tools are known: it lists them.
    Relist(u32),
}

/// What a call begins with.
pub(in crate::wasm::client) struct Opening {
    pub(in crate::wasm::client) purpose: Purpose,
    pub(in crate::wasm::client) params: Option<Rc<Document>>,
    /// The beginning of the list that is wanted, if it is one.
    pub(in crate::wasm::client) pages: Option<Pages>,
    /// What the tool wants mirrored, if the host says what tool it is.
    pub(in crate::wasm::client) mirrors: Option<Mirrors>,
}

impl Opening {
    pub(in crate::wasm::client) fn of(purpose: Purpose, params: Option<Rc<Document>>) -> Self {
        Self { purpose, params, pages: None, mirrors: None }
    }
}
