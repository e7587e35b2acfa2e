//! What stands behind `Client`, and the sampling rules by themselves.

mod call;
mod connection;
mod core;
mod enter;
mod host;
mod options;
mod port;
mod pushed;
mod receive;
mod rules;
mod session;
mod state;
mod table;

pub use enter::enter;

use crate::error::{Code, Error};
use crate::json::decimal;

/// Rejects the promise of a call.
fn reject(client: u32, call: u32, error: &Error, checkpoint: &str) {
    let cause = matches!(
        error.kind(),
        Code::HandlerFailed
            | Code::SamplingDeclined
            | Code::SendFailed
            | Code::ConnectionClosed
            | Code::ClientHttpAuthentication
            | Code::ClientHttpForbidden
            | Code::ClientHttpUnexpectedContent
            | Code::ClientHttpNotImplemented
            | Code::EraNegotiationFailed
    );
    host::reject(client, call, &code_of(error), error.message(), error.data(), cause, checkpoint);
}

/// The code as text: a name, or the number of an error that the peer sent.
fn code_of(error: &Error) -> String {
    match error.kind() {
        Code::Protocol(number) => decimal(number),
        code => code.as_str().to_owned(),
    }
}
