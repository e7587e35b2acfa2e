//! The bytes of a reply: an event stream, or one JSON text where a server or a proxy does not stream.

use crate::error::Error;

use super::Provider;
use super::failure::invalid_reply;
use crate::sse::EventStream;

/// The most bytes of one event: a finished image or a long chain of reasoning, and no more.
const MAX_EVENT_BYTES: usize = 64 << 20;

/// Cuts a reply into the data of its events, whatever its chunks.
#[derive(Debug)]
pub(super) enum Feed {
    /// Nothing but blanks came so far.
    Empty(Vec<u8>),
    /// It is not a stream.
    Json(Vec<u8>),
    Stream(EventStream),
}

impl Feed {
    pub(super) fn new() -> Self {
        Self::Empty(Vec::new())
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, chunk: &[u8], provider: Provider) -> Result<(), Error> {
        match self {
            Self::Json(bytes) => bytes.extend_from_slice(chunk),
            Self::Stream(stream) => stream.push(chunk).map_err(|_| too_large(provider))?,
            Self::Empty(bytes) => {
                bytes.extend_from_slice(chunk);
                let bytes = std::mem::take(bytes);
                return self.begin(bytes, provider);
            }
        }
        Ok(())
    }

    /// An event stream cannot begin with a bracket: no field has such a name.
    fn begin(&mut self, bytes: Vec<u8>, provider: Provider) -> Result<(), Error> {
        let start = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        match start.trim_ascii_start().first() {
            // Less than a byte order mark is no beginning yet.
            None | Some(0xef | 0xbb) => *self = Self::Empty(bytes),
            Some(b'{' | b'[') => *self = Self::Json(bytes),
            Some(_) => {
                *self = Self::Stream(EventStream::new(MAX_EVENT_BYTES));
                return self.push(&bytes, provider);
            }
        }
        Ok(())
    }

    /// The data of the next event that is complete.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        match self {
            Self::Stream(stream) => stream.by_ref().map(|event| event.data).find(|data| !data.is_empty()),
            _ => None,
        }
    }

    /// The data of the last event, once the reply has ended: it may lack its blank line.
    pub(super) fn last(&mut self) -> Option<Vec<u8>> {
        match self {
            Self::Stream(stream) => stream.finish().map(|event| event.data).filter(|data| !data.is_empty()),
            _ => None,
        }
    }
}

fn too_large(provider: Provider) -> Error {
    invalid_reply(provider, "invalid_reply", "an event of the stream is larger than 64 MiB", false)
}
