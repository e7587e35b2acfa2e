//! The bytes of a reply: an event stream, or one JSON text where a server or a proxy does not stream.

use crate::error::Error;

use super::Provider;
use super::failure::invalid_reply;
use crate::sse::EventReader;

/// The most bytes of one event: a finished image or a long chain of reasoning, and no more.
const MAX_EVENT_BYTES: usize = 64 << 20;

/// Cuts a reply into the data of its events, whatever its chunks.
#[derive(Debug)]
pub(super) enum Feed {
    /// Nothing but blanks came so far.
    Empty(Vec<u8>),
    /// It is not a stream.
    Json(Vec<u8>),
    Stream(Box<EventReader>),
}

impl Feed {
    /// Takes bytes off the chunk, up to the end of the next event; its data, if that is there and not empty. Nothing is
    /// left of the chunk otherwise.
    pub(super) fn next(&mut self, chunk: &mut &[u8], provider: Provider) -> Result<Option<Vec<u8>>, Error> {
        let stream = match self {
            Self::Json(bytes) => {
                bytes.extend_from_slice(std::mem::take(chunk));
                return Ok(None);
            }
            Self::Stream(stream) => stream,
            Self::Empty(bytes) => {
                bytes.extend_from_slice(std::mem::take(chunk));
                return Ok(None);
            }
        };
        loop {
            match stream.read(chunk) {
                Ok(false) => return Ok(None),
                Ok(true) => {
                    let data = stream.take().data;
                    if !data.is_empty() {
                        return Ok(Some(data));
                    }
                }
                Err(_) => {
                    let message = "an event of the stream is larger than 64 MiB";
                    return Err(invalid_reply(provider, "invalid_reply", message, false));
                }
            }
        }
    }

    /// Finds out what the reply is, once more of it has come; the bytes of a stream, which has not been read yet.
    pub(super) fn begin(&mut self) -> Option<Vec<u8>> {
        let Self::Empty(bytes) = self else { return None };
        let start = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        // An event stream cannot begin with a bracket: no field has such a name. Less than a byte order mark is no
        // beginning yet.
        match start.trim_ascii_start().first() {
            None | Some(0xef | 0xbb) => None,
            Some(b'{' | b'[') => {
                *self = Self::Json(std::mem::take(bytes));
                None
            }
            Some(_) => {
                let bytes = std::mem::take(bytes);
                *self = Self::Stream(Box::new(EventReader::new(MAX_EVENT_BYTES)));
                Some(bytes)
            }
        }
    }

    /// The data of the last event, once the reply has ended: it may lack its blank line.
    pub(super) fn last(&mut self) -> Option<Vec<u8>> {
        let Self::Stream(stream) = self else { return None };
        let data = if stream.finish() { stream.take().data } else { Vec::new() };
        (!data.is_empty()).then_some(data)
    }
}
