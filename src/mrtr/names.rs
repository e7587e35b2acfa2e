//! The members of an object by name.

use crate::json::{JsonStr, Key, Value, ValueId};

/// The members of an object by name. A server may send one with so many that walking through all of them for each would
/// hold up the page.
pub(super) struct Names<'d> {
    object: Value<'d>,
    /// Sorted, and which values they name.
    names: Vec<(Key<'d>, usize)>,
}

impl<'d> Names<'d> {
    pub(super) fn of(object: Value<'d>) -> Self {
        let mut names = Vec::new();
        for (name, value) in object.members() {
            names.push((name.key(), value.id().0 as usize));
        }
        names.sort_unstable();
        Self { object, names }
    }

    /// The member with this name; the last one, if there are several; what reads as an empty `null` if there is none.
    #[inline(always)]
    pub(super) fn get(&self, name: JsonStr<'_>) -> Value<'d> {
        self.object.other(self.find(name))
    }

    #[inline(never)]
    fn find(&self, name: JsonStr<'_>) -> ValueId {
        let name = name.key();
        let end = count(self.names.len(), |at| self.names.get(at).is_some_and(|(known, _)| *known <= name));
        match self.names.get(end.wrapping_sub(1)) {
            Some((known, at)) if *known == name => ValueId(*at as u32),
            _ => self.object.nothing().id(),
        }
    }

    pub(super) fn has_twins(&self) -> bool {
        self.names.windows(2).any(|pair| matches!(pair, [one, other] if one.0 == other.0))
    }
}

/// Of how many of the first things something is true that is true of none of the others. Smaller than `partition_point`.
#[inline(always)]
pub(crate) fn count(all: usize, is_true: impl Fn(usize) -> bool) -> usize {
    let (mut least, mut most) = (0, all);
    while least < most {
        let middle = (least + most) / 2;
        if is_true(middle) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    least
}
