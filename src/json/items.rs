//! Stepping through arrays and objects.

use super::value::MISSING;
use super::{JsonStr, Kind, Scanned, Value};

/// The items of an array, in order.
#[derive(Clone, Debug)]
pub struct Items<'d> {
    pub(super) document: &'d Scanned,
    /// The next item.
    pub(super) at: u32,
    pub(super) parent: u32,
}

impl<'d> Iterator for Items<'d> {
    type Item = Value<'d>;

    #[inline(always)]
    fn next(&mut self) -> Option<Value<'d>> {
        let (document, index) = (self.document, self.at);
        if index == MISSING {
            return None;
        }
        self.at = document.after(index, self.parent);
        Some(Value::new(document, index))
    }
}

/// The members of an object, in the order of the document.
#[derive(Clone, Debug)]
pub struct Members<'d>(pub(super) Items<'d>);

impl<'d> Iterator for Members<'d> {
    type Item = (JsonStr<'d>, Value<'d>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (document, index) = (self.0.document, self.0.at);
        if index == MISSING {
            return None;
        }
        // A key is one node, so its value is the next one.
        self.0.at = document.after(index + 1, self.0.parent);
        Some((JsonStr::new(Value::new(document, index)), Value::new(document, index + 1)))
    }
}

impl Scanned {
    /// The first that is in an array or object, if it is one.
    #[inline(never)]
    pub(super) fn first(&self, parent: u32, kind: Kind) -> u32 {
        let node = self.node(parent);
        if node.is(kind) && node.next() > parent + 1 { parent + 1 } else { MISSING }
    }

    /// The first that is in an array; else the value itself.
    #[inline(never)]
    pub(super) fn one_or_first(&self, index: u32) -> u32 {
        if self.node(index).is(Kind::Array) { self.first(index, Kind::Array) } else { index }
    }

    /// What follows a value, if it is in there too.
    #[inline(never)]
    fn after(&self, index: u32, parent: u32) -> u32 {
        let next = self.node(index).next();
        if next < self.node(parent).next() { next } else { MISSING }
    }
}
