//! Values as places in a document.

use std::borrow::Cow;
use std::fmt;

use super::scan::Node;
use super::string::unescape;
use super::{Items, JsonStr, Kind, Members, Number, Scanned, concat};

/// Names a value of one [`Document`](super::Document); for keeping a place in a document that is owned elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueId(pub(crate) u32);

impl ValueId {
    /// Names no value, as one that is not there: it reads as an empty `null`.
    pub const NONE: Self = Self(MISSING);
}

/// One value inside a [`Document`](super::Document). Copying it copies two words.
#[derive(Clone, Copy)]
pub struct Value<'d> {
    document: &'d Scanned,
    index: u32,
}

/// The index of a member that is not there. It reads as an empty `null`.
pub(super) const MISSING: u32 = u32::MAX - 1;

impl<'d> Value<'d> {
    #[inline(always)]
    pub(super) fn new(document: &'d Scanned, index: u32) -> Self {
        Self { document, index }
    }

    /// What kind of value this is.
    pub fn kind(self) -> Kind {
        self.node().kind()
    }

    /// Whether it is of this kind. Smaller than comparing [`Value::kind`], which is for what every value passes through.
    #[inline(never)]
    pub fn is(self, kind: Kind) -> bool {
        self.node().is(kind)
    }

    /// Whether it is not there, or of this kind.
    #[inline(never)]
    pub(crate) fn is_missing_or(self, kind: Kind) -> bool {
        self.is_missing() || self.kind() == kind
    }

    /// The text of this value, byte for byte as it was received.
    #[inline(never)]
    pub fn raw(self) -> &'d str {
        let node = self.node();
        self.document.slice(node.start, node.end)
    }

    /// What stands between the quotes of a string.
    #[inline(never)]
    pub(crate) fn inside(self) -> &'d str {
        let node = self.node();
        self.document.slice(node.start + 1, node.end.saturating_sub(1))
    }

    #[inline(always)]
    pub(crate) fn has_escapes(self) -> bool {
        self.node().has_escapes()
    }

    /// Where this value stands, for [`Document::value`](super::Document::value).
    pub fn id(self) -> ValueId {
        ValueId(self.index)
    }

    /// The string, if this is one.
    #[inline(always)]
    pub fn as_str(self) -> Option<JsonStr<'d>> {
        (self.is(Kind::String)).then(|| JsonStr::new(self))
    }

    /// The text that a string stands for, as [`JsonStr::decode`] reads it; none for all else.
    #[inline(never)]
    pub(crate) fn text(self) -> String {
        if !self.is(Kind::String) {
            return const { String::new() };
        }
        String::from_utf8(unescape(self.inside(), true)).unwrap_or_default()
    }

    /// As [`JsonStr::meaning`].
    #[inline(never)]
    pub(crate) fn meaning(self) -> Cow<'d, [u8]> {
        let inside = self.inside();
        if self.has_escapes() { Cow::Owned(unescape(inside, false)) } else { Cow::Borrowed(inside.as_bytes()) }
    }

    /// The number, if this is one.
    pub fn as_number(self) -> Option<Number<'d>> {
        (self.is(Kind::Number)).then(|| Number::new(self.raw()))
    }

    /// The whole number, as [`Number::as_safe_integer`] reads it; `other` for all else.
    #[inline(never)]
    pub(crate) fn integer_or(self, other: i64) -> i64 {
        self.as_number().and_then(Number::as_safe_integer).unwrap_or(other)
    }

    /// Whether it is a whole number, however it is spelled.
    #[inline(never)]
    pub(crate) fn is_integer(self) -> bool {
        self.kind() == Kind::Number && Number::new(self.raw()).is_integer()
    }

    /// The number in thousandths, as [`Number::as_unit_thousandths`] reads it; [`u32::MAX`] for all else.
    #[inline(never)]
    pub(crate) fn thousandths(self) -> u32 {
        self.as_number().and_then(Number::as_unit_thousandths).unwrap_or(u32::MAX)
    }

    /// The boolean, if this is one.
    pub fn as_bool(self) -> Option<bool> {
        (self.is(Kind::Bool)).then(|| self.raw() == "true")
    }

    /// True for `null`.
    pub fn is_null(self) -> bool {
        self.is(Kind::Null)
    }

    /// True for a string that means `text`.
    #[inline(always)]
    pub(crate) fn is_text(self, text: &str) -> bool {
        self.is_bytes(text.as_bytes())
    }

    #[inline(never)]
    pub(crate) fn is_bytes(self, text: &[u8]) -> bool {
        let node = self.node();
        node.is(Kind::String) && self.document.means(node, text)
    }

    /// The members in document order, repeated keys included; nothing if this is not an object.
    #[inline(always)]
    pub fn members(self) -> Members<'d> {
        Members(self.children(Kind::Object))
    }

    /// The items of an array; nothing if this is not an array.
    #[inline(always)]
    pub fn items(self) -> Items<'d> {
        self.children(Kind::Array)
    }

    /// The keys and the values of an object, each value behind its key; nothing if this is not an object.
    pub(crate) fn entries(self) -> Items<'d> {
        self.children(Kind::Object)
    }

    /// The items of an array; else this value, as if it were the one item of an array.
    #[inline(always)]
    pub(crate) fn one_or_items(self) -> Items<'d> {
        Items { document: self.document, at: self.document.one_or_first(self.index), parent: self.index }
    }

    /// The member called `name`; the last one, if there are several.
    #[inline(always)]
    pub fn get(self, name: &str) -> Option<Self> {
        let found = self.at(name);
        (found.index != MISSING).then_some(found)
    }

    /// As [`Value::get`], but what reads as an empty `null` if there is no such member.
    #[inline(always)]
    pub(crate) fn at(self, name: &str) -> Self {
        self.at_bytes(name.as_bytes())
    }

    #[inline(always)]
    pub(crate) fn at_bytes(self, name: &[u8]) -> Self {
        Self { index: self.find(name), ..self }
    }

    /// The member called `name`, if it is a string.
    #[inline(always)]
    pub(crate) fn text_at(self, name: &str) -> Option<JsonStr<'d>> {
        let index = self.find_text(name);
        (index != MISSING).then(|| JsonStr::new(Self { index, ..self }))
    }

    #[inline(never)]
    fn find_text(self, name: &str) -> u32 {
        let found = self.at(name);
        if found.kind() == Kind::String { found.index } else { MISSING }
    }

    /// Another value of the same document.
    pub(crate) fn other(self, id: ValueId) -> Self {
        Self { index: id.0, ..self }
    }

    /// What reads as an empty `null`, as a member that is not there.
    pub(crate) fn nothing(self) -> Self {
        Self { index: MISSING, ..self }
    }

    /// True for a member that is not there.
    pub(crate) fn is_missing(self) -> bool {
        self.index == MISSING
    }

    #[inline(never)]
    fn find(self, name: &[u8]) -> u32 {
        let node = self.node();
        let (mut at, end) = (self.index + 1, if node.is(Kind::Object) { node.next() } else { 0 });
        let mut found = MISSING;
        // A key is one node, so its value is the next one.
        while let Some([key, value, ..]) = self.document.nodes.get(at as usize..end as usize) {
            if self.document.means(key, name) {
                found = at + 1;
            }
            at = value.next();
        }
        found
    }

    /// The text of this value with that of `part`, a value inside it, replaced.
    pub fn with(self, part: Self, text: &str) -> String {
        let (whole, part) = (self.node(), part.node());
        concat(&[self.document.slice(whole.start, part.start), text, self.document.slice(part.end, whole.end)])
    }

    /// Where it begins and ends in the text of the document, in bytes.
    #[inline(always)]
    pub(crate) fn place(self) -> (usize, usize) {
        let node = self.node();
        (node.start as usize, node.end as usize)
    }

    #[inline(always)]
    fn node(self) -> &'d Node {
        self.document.node(self.index)
    }

    #[inline(always)]
    fn children(self, kind: Kind) -> Items<'d> {
        Items { document: self.document, at: self.document.first(self.index, kind), parent: self.index }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.raw())
    }
}
