//! Requests that a server of 2025 pushes over a session, and what they are answered with.
//! Specification: client/sampling, client/elicitation, client/roots of 2025-11-25 and earlier.

use crate::error::{Code, Error, fill};
use crate::json::{Document, Value, ValueId, decimal, quote};
use crate::mrtr::{Accepts, Ask, InputMethod, Manner};

/// What a pushed request comes to.
#[derive(Debug)]
pub enum Pushed {
    /// Send this message back at once.
    Reply(String),
    /// Hand it to its handler.
    Ask(Ask),
}

/// Reads a pushed request. `number` is ours, to find it again.
pub fn receive(
    document: &Document,
    id: Value<'_>,
    method: &str,
    params: ValueId,
    number: usize,
    accepts: Accepts,
    manner: Manner,
) -> Pushed {
    let id = id.raw();
    Pushed::Reply(if *method == *"ping" {
        result_message(id, "{}")
    } else if let Some(method) = InputMethod::from_name(method) {
        let ask = Ask { round: 0, index: number, key: id.to_owned(), method, document: document.clone(), params };
        match ask.check(accepts, manner) {
            Ok(_) => return Pushed::Ask(ask),
            Err(error) => refusal(id, &error),
        }
    } else {
        error_message(id, -32601, "Method not found")
    })
}

/// The message that carries a handler's result, or the error that tells that it cannot be sent.
pub fn answer(ask: &Ask, result: String, manner: Manner) -> Result<String, Error> {
    ask.check_answer(result, manner).map(|result| result_message(&ask.key, &result))
}

/// The message that tells why there is no result. What a handler threw stays here: it may hold what the server must not
/// see.
pub fn refusal(id: &str, error: &Error) -> String {
    let (code, message) = match error.kind() {
        Code::CapabilityNotSupported => (-32601, "The client does not support this request"),
        Code::SamplingDeclined => (-1, "User rejected sampling request"),
        Code::InvalidSamplingRequest | Code::InvalidInputRequest => (-32602, error.message()),
        Code::Protocol(code) => (code, error.message()),
        _ => (-32603, "The client could not answer this request"),
    };
    error_message(id, code, message)
}

fn result_message(id: &str, result: &str) -> String {
    message(id, "result", result)
}

fn error_message(id: &str, code: i64, sentence: &str) -> String {
    let error = fill("{\"code\":%,\"message\":%}", &[&decimal(code), &quote(sentence)]);
    message(id, "error", &error)
}

#[inline(never)]
fn message(id: &str, member: &str, value: &str) -> String {
    fill("{\"jsonrpc\":\"2.0\",\"id\":%,\"%\":%}", &[id, member, value])
}
