//! Requests as they go out. Specification: basic, "Requests" and "_meta".

use crate::error::fill;
use crate::json::{Value, decimal, push_member, quote};
use crate::lines;
use crate::mrtr::push_members;
use crate::revision::Revision;

/// Where `_meta` names the protocol revision.
pub(super) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// What else it says of the client.
const KEYS: &str = "io.modelcontextprotocol/protocolVersion\nio.modelcontextprotocol/clientInfo\n\
                    io.modelcontextprotocol/clientCapabilities\n";

/// What the client says of itself: in `_meta` of every request from 2026-07-28 on, in `initialize` before.
#[derive(Clone, Copy, Debug)]
pub struct Envelope<'a> {
    /// The protocol revision.
    pub revision: Revision,
    /// `Implementation`, the client's name and version.
    pub client_info: &'a str,
    /// `ClientCapabilities`, read anew for each request.
    pub client_capabilities: &'a str,
}

/// One request to write.
#[derive(Debug)]
pub struct Outgoing<'a> {
    /// Its id: a fresh one for every leg.
    pub id: u32,
    /// Its method.
    pub method: &'a str,
    /// The `_meta` object of the caller's parameters. What it has wins over the envelope.
    pub meta: Option<Value<'a>>,
    /// Ask for progress, under the id as token.
    pub wants_progress: bool,
}

impl Outgoing<'_> {
    /// The body. `write_members` writes the members of `params` without `_meta` and without the braces.
    pub fn write(&self, envelope: Envelope<'_>, write_members: impl FnOnce(&mut String)) -> String {
        let id = &decimal(i64::from(self.id));
        let mut out = fill("{\"jsonrpc\":\"2.0\",\"id\":%,\"method\":%,\"params\":{", &[id, &quote(self.method)]);
        write_members(&mut out);
        let meta = self.meta(envelope, id);
        if meta.len() > 2 {
            push_member(&mut out, "_meta", &meta);
        }
        out.push_str("}}");
        out
    }

    fn meta(&self, envelope: Envelope<'_>, id: &str) -> String {
        let mut out = String::with_capacity(256);
        out.push_str("{");
        if let Some(meta) = self.meta {
            push_members(&mut out, meta, if self.wants_progress { &["progressToken"] } else { &[] });
        }
        if envelope.revision.is_modern() {
            let version = quote(envelope.revision.as_str());
            let mut keys = KEYS;
            for value in &[version.as_str(), envelope.client_info, envelope.client_capabilities] {
                let key = lines::next(&mut keys);
                if self.meta.and_then(|meta| meta.get(key)).is_none() {
                    push_member(&mut out, key, value);
                }
            }
        }
        if self.wants_progress {
            push_member(&mut out, "progressToken", id);
        }
        out.push_str("}");
        out
    }
}

/// The parameters of `initialize` (JSON text). Specification of 2025-11-25: basic/lifecycle.
pub fn initialize_params(envelope: Envelope<'_>) -> String {
    let text = "{\"protocolVersion\":\"%\",\"capabilities\":%,\"clientInfo\":%}";
    fill(text, &[envelope.revision.as_str(), envelope.client_capabilities, envelope.client_info])
}

/// A notification. `params` is JSON text, or empty for none.
pub fn notification(method: &str, params: &str) -> String {
    let begin = if params.is_empty() { "" } else { ",\"params\":" };
    fill("{\"jsonrpc\":\"2.0\",\"method\":%%%}", &[&quote(method), begin, params])
}

/// Tells the server that the answer to a request is no longer wanted. The reason stays neutral: why is the host's affair.
pub fn cancelled(id: u32) -> String {
    let params = "{\"requestId\":%,\"reason\":\"The request was cancelled\"}";
    notification("notifications/cancelled", &fill(params, &[&decimal(i64::from(id))]))
}
