//! Checkpoints: a call between two legs as plain JSON, to go on elsewhere.

use super::Call;
use super::round::{Asked, Round};
use crate::json::write_quoted;

/// The version this library writes.
pub(super) const VERSION: &str = "1";

/// Texts that must come back byte for byte (the state token, the server's parameters) stand in it as strings of JSON
/// text, so that whatever stores the checkpoint may parse and write it again.
pub(super) fn write(call: &Call, round: &Round) -> String {
    let mut out = String::from("{\"version\":");
    out.push_str(VERSION);
    write_text(&mut out, "method", &call.method);
    if let Some(params) = call.params() {
        write_text(&mut out, "params", params.raw());
    }
    out.push_str(",\"round\":");
    out.push_str(&round.number.to_string());
    out.push_str(",\"requests\":[");
    for (index, asked) in round.asked.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        write_asked(&mut out, asked);
    }
    out.push(']');
    if let Some(state) = &round.request_state {
        write_text(&mut out, "requestState", state);
    }
    out.push('}');
    out
}

fn write_asked(out: &mut String, asked: &Asked) {
    out.push_str("{\"method\":\"");
    out.push_str(asked.method.as_str());
    out.push('"');
    write_text(out, "key", &asked.raw_key);
    if let Some(params) = asked.params {
        write_text(out, "params", asked.document.value(params).raw());
    }
    if let Some(answer) = &asked.answer {
        write_text(out, "result", answer);
    }
    out.push('}');
}

fn write_text(out: &mut String, name: &str, text: &str) {
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":");
    write_quoted(out, text);
}
