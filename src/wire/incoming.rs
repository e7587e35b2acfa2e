//! What a reply brings, and how its body is to be read.

use crate::error::Error;
use crate::json::{Document, ValueId};

/// How the body of a reply is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// All of it at once.
    Whole,
    /// As it comes.
    Stream,
    /// Not at all.
    None,
}

/// What a reply brought.
#[derive(Debug)]
pub enum Incoming {
    /// The result of the request. The reply is settled; what follows it does not matter.
    Result {
        /// The message.
        document: Document,
        /// The `result` in it.
        result: ValueId,
    },
    /// There will be no result.
    Failed(Error),
    /// The message was one that has no answer, and the server took it.
    Accepted,
    /// A notification that belongs to the request; or a request that the server pushes. Specification of 2025-11-25:
    /// basic/transports.
    Message {
        /// The message.
        document: Document,
        /// The id of a request; none of a notification.
        id: ValueId,
        /// Its method.
        method: ValueId,
        /// Its parameters, or none.
        params: ValueId,
    },
    /// Progress of the request: `params` of one notification or of some in a row, the inside of a JSON list.
    Progress(String),
    /// The stream ended early, and goes on in another one that is asked for with this id as `Last-Event-ID`.
    Interrupted {
        /// The id of the last event.
        last_event_id: String,
        /// How long to wait before asking, in milliseconds.
        retry_ms: u32,
    },
    /// Something the server must not send here; it was dropped. A sentence for the host.
    Violation(&'static str),
}
