//! JSON as it came: one scan over the bytes, then borrowed views that keep every byte.
//!
//! A [`Document`] owns the text and an index of its values. Nothing is decoded or copied by reading: [`Value::raw`] is
//! the text the peer wrote, with its key order, number spelling and escapes, and that is what gets spliced into the
//! next message. The scan follows RFC 8259 to the letter, does not recurse (depth costs memory, never stack), and a
//! repeated key means the last one, as `JSON.parse` reads it, so a check here and the host's object agree.
//!
//! ```
//! use mcp_sampling::json::Document;
//! let doc = Document::parse(br#"{ "big": 12345678901234567890123, "n": 1.0 }"#.to_vec()).unwrap();
//! assert_eq!(doc.root().get("big").unwrap().raw(), "12345678901234567890123");
//! assert_eq!(doc.root().get("n").unwrap().raw(), "1.0");
//! ```

mod items;
mod number;
mod path;
mod scan;
mod string;
mod value;
mod write;

use std::fmt;
use std::mem;
use std::sync::Arc;

use crate::error::part;
use crate::lines;

pub use items::{Items, Members};
pub use number::{Number, integer, whole};
pub use path::Path;
use scan::Node;
pub(crate) use scan::plain_run;
pub use string::JsonStr;
pub(crate) use string::Key;
pub use value::{Value, ValueId};
pub(crate) use write::{concat, push_letter};
pub use write::{decimal, digits, push_item, push_key, push_member, push_text, quote, write_quoted};

/// A parsed JSON text: the text itself and where each value in it begins and ends.
///
/// Cloning it gives one more owner of the same text.
// One pointer wide, since it is kept and passed on in many places.
pub struct Document(Arc<Scanned>);

#[derive(Debug)]
struct Scanned {
    text: String,
    nodes: Vec<Node>,
}

impl Document {
    /// Reads one JSON text, shorter than 256 MiB. One leading byte order mark is dropped.
    ///
    /// # Errors
    ///
    /// [`SyntaxError`] says at which byte the text stops being JSON, and what was expected there.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, SyntaxError> {
        let text = String::from_utf8(bytes)
            .map_err(|error| SyntaxError { offset: error.utf8_error().valid_up_to(), expected: "UTF-8 text" })?;
        Self::from_text(text)
    }

    /// As [`Document::parse`], for text that is already known to be UTF-8.
    ///
    /// # Errors
    ///
    /// As [`Document::parse`].
    pub fn from_text(mut text: String) -> Result<Self, SyntaxError> {
        if text.starts_with("\u{feff}") {
            text = text.split_off("\u{feff}".len());
        }
        let mut nodes = scan::scan(text.as_bytes())?;
        // Documents of many calls may wait at once, and the guess is generous. Few places are not worth the effort.
        if nodes.capacity() > 64 {
            nodes.shrink_to_fit();
        }
        Ok(Self(Arc::new(Scanned { text, nodes })))
    }

    /// As [`Document::from_text`], for text that is taken for `null` if it is none.
    #[inline(never)]
    pub(crate) fn or_null(text: &str) -> Self {
        Self::from_text(text.to_owned()).unwrap_or_default()
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value::new(&self.0, 0)
    }

    /// The whole text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The text of the outermost value.
    pub fn into_text(mut self) -> String {
        let is_all = self.root().raw().len() == self.text().len();
        match Arc::get_mut(&mut self.0) {
            Some(scanned) if is_all => mem::take(&mut scanned.text),
            _ => self.root().raw().to_owned(),
        }
    }

    /// The value that [`Value::id`] named.
    pub fn value(&self, id: ValueId) -> Value<'_> {
        Value::new(&self.0, id.0)
    }
}

impl Scanned {
    #[inline(always)]
    fn node(&self, index: u32) -> &Node {
        self.nodes.get(index as usize).unwrap_or(&Node::NOTHING)
    }

    /// True for the node of a string that means `text`. The lengths differ nearly always, and then nothing but the node
    /// is looked at.
    #[inline(always)]
    fn means(&self, node: &Node, text: &[u8]) -> bool {
        if node.has_escapes() {
            return self.decodes_to(node, text);
        }
        (node.end - node.start) as usize == text.len() + 2
            && self.text.as_bytes().get(node.start as usize + 1..).is_some_and(|rest| rest.starts_with(text))
    }

    #[inline(never)]
    fn decodes_to(&self, node: &Node, text: &[u8]) -> bool {
        *string::unescape(self.slice(node.start + 1, node.end - 1), false) == *text
    }

    #[inline(never)]
    fn slice(&self, from: u32, to: u32) -> &str {
        part(&self.text, from as usize, to as usize)
    }
}

impl Clone for Document {
    // Not inlined, as each would check that there are not too many.
    #[inline(never)]
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl Default for Document {
    /// `null`.
    fn default() -> Self {
        Self(Arc::new(Scanned { text: String::from("null"), nodes: vec![Node::new(0, 4, 1, Kind::Null as u32)] }))
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Document({} bytes)", self.0.text.len())
    }
}

/// What kind of JSON value this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, spelled as the peer spelled it
    Number,
    /// A string
    String,
    /// An array
    Array,
    /// An object
    Object,
}

impl Kind {
    /// The kind as a word for people, with its article: "an array".
    pub fn phrase(self) -> &'static str {
        lines::at("null\na boolean\na number\na string\nan array\nan object\n", self as usize)
    }
}

/// The text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where, in bytes from the start of the text.
    pub offset: usize,
    /// What could have stood there.
    pub expected: &'static str,
}

impl SyntaxError {
    /// The error as a sentence; [`Display`](fmt::Display) without the machinery of formatting.
    pub fn message(&self) -> String {
        concat(&["expected ", self.expected, " at byte ", &decimal(self.offset as i64)])
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message())
    }
}

impl std::error::Error for SyntaxError {}
