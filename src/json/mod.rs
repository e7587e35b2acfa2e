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

mod number;
mod path;
mod scan;
mod string;
mod write;

use std::fmt;

pub use number::Number;
pub use path::Path;
use scan::Node;
pub use string::JsonStr;
pub use write::{push_key, push_member, quote, write_quoted};

/// A parsed JSON text: the text itself and where each value in it begins and ends.
pub struct Document {
    text: String,
    nodes: Vec<Node>,
}

impl Document {
    /// Reads one JSON text. One leading byte order mark is dropped.
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
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let nodes = scan::scan(text.as_bytes())?;
        Ok(Self { text, nodes })
    }

    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value { document: self, index: 0 }
    }

    /// The whole text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the outermost value.
    pub fn into_text(self) -> String {
        let root = self.root().raw();
        if root.len() == self.text.len() { self.text } else { root.to_owned() }
    }

    /// The value that [`Value::id`] named.
    pub fn value(&self, id: ValueId) -> Value<'_> {
        Value { document: self, index: id.0 }
    }

    fn node(&self, index: u32) -> Node {
        self.nodes.get(index as usize).copied().unwrap_or(Node::NOTHING)
    }
}

impl Default for Document {
    /// `null`.
    fn default() -> Self {
        Self { text: String::from("null"), nodes: scan::scan(b"null").unwrap_or_default() }
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Document({} bytes)", self.text.len())
    }
}

/// Names a value of one [`Document`]; for keeping a place in a document that is owned elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueId(u32);

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
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// One value inside a [`Document`]. Copying it copies two words.
#[derive(Clone, Copy)]
pub struct Value<'d> {
    document: &'d Document,
    index: u32,
}

impl<'d> Value<'d> {
    /// What kind of value this is.
    pub fn kind(self) -> Kind {
        self.node().kind()
    }

    /// The text of this value, byte for byte as it was received.
    pub fn raw(self) -> &'d str {
        let node = self.node();
        self.document.text.get(node.start as usize..node.end as usize).unwrap_or_default()
    }

    /// Where this value stands, for [`Document::value`].
    pub fn id(self) -> ValueId {
        ValueId(self.index)
    }

    /// The string, if this is one.
    pub fn as_str(self) -> Option<JsonStr<'d>> {
        let node = self.node();
        let inner = self.document.text.get(node.start as usize + 1..(node.end as usize).checked_sub(1)?)?;
        (node.kind() == Kind::String).then(|| JsonStr::new(inner, node.has_escapes()))
    }

    /// The number, if this is one.
    pub fn as_number(self) -> Option<Number<'d>> {
        (self.kind() == Kind::Number).then(|| Number::new(self.raw()))
    }

    /// The boolean, if this is one.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// True for `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The members in document order, repeated keys included; nothing if this is not an object.
    pub fn members(self) -> Members<'d> {
        Members(self.children(Kind::Object))
    }

    /// The items of an array; nothing if this is not an array.
    pub fn items(self) -> Items<'d> {
        self.children(Kind::Array)
    }

    /// The member called `name`; the last one, if there are several.
    pub fn get(self, name: &str) -> Option<Self> {
        let node = self.node();
        let end = if node.kind() == Kind::Object { node.next } else { 0 };
        let (mut at, mut found) = (self.index + 1, None);
        while at < end {
            // A key is one node, so its value is the next one.
            let (key, value) = (Self { index: at, ..self }, Self { index: at + 1, ..self });
            if key.is_string(name) {
                found = Some(value);
            }
            at = value.node().next;
        }
        found
    }

    /// The text of this value with that of `part`, a value inside it, replaced.
    pub fn with(self, part: Self, text: &str) -> String {
        let (whole, part) = (self.node(), part.node());
        let slice = |from: u32, to: u32| self.document.text.get(from as usize..to as usize).unwrap_or_default();
        [slice(whole.start, part.start), text, slice(part.end, whole.end)].concat()
    }

    /// Compares a key. The lengths differ nearly always, and then nothing but the node is looked at.
    fn is_string(self, text: &str) -> bool {
        let node = self.node();
        let same_length = (node.end - node.start) as usize == text.len() + 2;
        (same_length || node.has_escapes()) && self.as_str().is_some_and(|key| key == text)
    }

    fn node(self) -> Node {
        self.document.node(self.index)
    }

    fn children(self, kind: Kind) -> Items<'d> {
        let node = self.node();
        let end = if node.kind() == kind { node.next } else { 0 };
        Items { document: self.document, at: self.index + 1, end }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.raw())
    }
}

/// The items of an array, in order.
#[derive(Clone, Debug)]
pub struct Items<'d> {
    document: &'d Document,
    at: u32,
    end: u32,
}

impl<'d> Iterator for Items<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        let index = self.at;
        (index < self.end).then(|| {
            self.at = self.document.node(index).next;
            Value { document: self.document, index }
        })
    }
}

/// The members of an object, in the order of the document.
#[derive(Clone, Debug)]
pub struct Members<'d>(Items<'d>);

impl<'d> Iterator for Members<'d> {
    type Item = (JsonStr<'d>, Value<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        Some((self.0.next()?.as_str()?, self.0.next()?))
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

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("expected ")?;
        formatter.write_str(self.expected)?;
        formatter.write_str(" at byte ")?;
        fmt::Display::fmt(&self.offset, formatter)
    }
}

impl std::error::Error for SyntaxError {}
