//! Which methods exist in which revision.

use crate::error::{Code, Error};
use crate::lines;
use crate::revision::Revision;

/// Methods of the handshake and of sessions, gone in 2026-07-28.
const LEGACY: &str = "initialize\nping\nlogging/setLevel\nresources/subscribe\nresources/unsubscribe\ntasks/list\n\
                      tasks/result\n";

/// Methods that came with 2026-07-28.
const MODERN: &str = "server/discover\nsubscriptions/listen\n";

/// Refuses a method that the agreed revision does not have, before anything is sent. What is in no revision is an
/// extension's, and passes.
///
/// # Errors
///
/// `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION`, with `method`, `era` and `protocolVersion`.
pub fn check(method: &str, revision: Revision) -> Result<(), Error> {
    let (era, missing) = if revision.is_modern() { ("modern", LEGACY) } else { ("legacy", MODERN) };
    if lines::place_of(missing, method) == lines::NOWHERE {
        return Ok(());
    }
    let version = revision.as_str();
    let sentence = "The method % does not exist in protocol revision %, which was agreed on with this server";
    let error = Error::told(Code::MethodNotSupportedByProtocolVersion, sentence, &[method, version]);
    Err(error.with("method", method).with("era", era).with("protocolVersion", version))
}
