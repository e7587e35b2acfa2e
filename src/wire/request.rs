//! Requests as they go out. Specification: basic, "Requests" and "_meta".

use crate::json::{Kind, Value, push_member, write_quoted};
use crate::revision::Revision;

/// What stands in `_meta` of every request: JSON texts that rarely change.
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
        out.push_str(&self.id.to_string());
        out.push_str(",\"method\":");
        write_quoted(&mut out, self.method);
        out.push_str(",\"params\":{");
        write_members(&mut out);
        out.push_str(if out.ends_with('{') { "\"_meta\":{" } else { ",\"_meta\":{" });
        self.write_meta(envelope, &mut out);
        out.push_str("}}}");
        out
    }

    fn write_meta(&self, envelope: Envelope<'_>, out: &mut String) {
        let meta = self.meta.filter(|meta| meta.kind() == Kind::Object);
        for (key, value) in meta.into_iter().flat_map(Value::members) {
            if !(self.wants_progress && key == "progressToken") {
                push_member(out, key.raw(), value.raw());
            }
        }
        let mut version = String::new();
        write_quoted(&mut version, envelope.revision.as_str());
        let ours = [
            ("io.modelcontextprotocol/protocolVersion", version.as_str()),
            ("io.modelcontextprotocol/clientInfo", envelope.client_info),
            ("io.modelcontextprotocol/clientCapabilities", envelope.client_capabilities),
        ];
        for (key, value) in ours.into_iter().filter(|(key, _)| meta.is_none_or(|meta| meta.get(key).is_none())) {
            push_member(out, key, value);
        }
        if self.wants_progress {
            push_member(out, "progressToken", &self.id.to_string());
        }
    }
}
