//! A call or an item of a stream, which comes in pieces.

use super::members::Members;

/// What there is of it.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) index: i64,
    /// What came, by names of the adapter.
    pub(super) members: Members,
    /// Which call of the answer this is, if it is one.
    pub(super) call: Option<usize>,
}

impl Slot {
    /// A new one, boxed as lists of them move what comes after.
    #[inline(never)]
    pub(super) fn new(index: i64) -> Box<Self> {
        Box::new(Self { index, members: Members::default(), call: None })
    }
}
