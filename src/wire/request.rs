//! Requests as they go out. Specification: basic, "Requests" and "_meta".

use super::copy_members;
use crate::error::fill;
use crate::json::{Value, decimal, push_key, push_member, push_text, quote, write_quoted};
use crate::revision::Revision;

/// Where `_meta` names the protocol revision.
pub(super) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

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
        let mut out = String::with_capacity(512);
        out.push_str("{\"jsonrpc\":\"2.0\",\"id\":");
        out.push_str(&decimal(i64::from(self.id)));
        out.push_str(",\"method\":");
        write_quoted(&mut out, self.method);
        out.push_str(",\"params\":{");
        write_members(&mut out);
        let at = out.len();
        push_key(&mut out, "_meta");
        out.push_str("{");
        let begun = out.len();
        self.write_meta(envelope, &mut out);
        if out.len() == begun {
            out.truncate(at);
        } else {
            out.push_str("}");
        }
        out.push_str("}}");
        out
    }

    fn write_meta(&self, envelope: Envelope<'_>, out: &mut String) {
        copy_members(out, self.meta, if self.wants_progress { &["progressToken"] } else { &[] });
        if envelope.revision.is_modern() {
            let version = quote(envelope.revision.as_str());
            for (key, value) in &[
                (VERSION_KEY, version.as_str()),
                ("io.modelcontextprotocol/clientInfo", envelope.client_info),
                ("io.modelcontextprotocol/clientCapabilities", envelope.client_capabilities),
            ] {
                if self.meta.and_then(|meta| meta.get(key)).is_none() {
                    push_member(out, key, value);
                }
            }
        }
        if self.wants_progress {
            push_member(out, "progressToken", &decimal(i64::from(self.id)));
        }
    }
}

/// The parameters of `initialize` (JSON text). Specification of 2025-11-25: basic/lifecycle.
pub fn initialize_params(envelope: Envelope<'_>) -> String {
    let text = "{\"protocolVersion\":\"%\",\"capabilities\":%,\"clientInfo\":%}";
    fill(text, &[envelope.revision.as_str(), envelope.client_capabilities, envelope.client_info])
}

/// A notification. `params` is JSON text, or empty for none.
pub fn notification(method: &str, params: &str) -> String {
    let mut out = String::from("{\"jsonrpc\":\"2.0\"");
    push_text(&mut out, "method", method);
    if !params.is_empty() {
        push_member(&mut out, "params", params);
    }
    out.push_str("}");
    out
}

/// Tells the server that the answer to a request is no longer wanted. The reason stays neutral: why is the host's affair.
pub fn cancelled(id: u32) -> String {
    let params = "{\"requestId\":%,\"reason\":\"The request was cancelled\"}";
    notification("notifications/cancelled", &fill(params, &[&decimal(i64::from(id))]))
}
