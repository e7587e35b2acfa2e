//! What a call begins with, and whom it is for.

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
    /// The call that goes out again when the tools are known: it lists them.
    Relist,
}

/// What a call begins with.
pub(in crate::wasm::client) struct Opening<'a> {
    pub(in crate::wasm::client) purpose: Purpose,
    pub(in crate::wasm::client) params: Option<Document>,
    /// The name of the list whose pages are all wanted, or nothing.
    pub(in crate::wasm::client) list: &'a str,
    /// What the tool wants mirrored, if the host says what tool it is.
    pub(in crate::wasm::client) mirrors: Option<Mirrors>,
}

impl Opening<'_> {
    /// No text stands for no parameters.
    pub(in crate::wasm::client) fn of(purpose: Purpose, params: &str) -> Self {
        let params = if params.is_empty() { None } else { Some(Document::or_null(params)) };
        Self { purpose, params, list: "", mirrors: None }
    }

    /// The beginning of the list that is wanted, if it is one.
    pub(super) fn pages(&self, method: &str) -> Option<Pages> {
        if self.list.is_empty() { None } else { Some(Pages::new(method, self.list)) }
    }
}
