//! The members of an object by name.

use crate::json::{JsonStr, Key, Value};

/// The members of an object by name. A server may send one with so many that walking through all of them for each would
/// hold up the page.
pub(super) struct Names<'d> {
    values: Vec<Value<'d>>,
    /// Sorted, and where their values are.
    names: Vec<(Key<'d>, usize)>,
}

impl<'d> Names<'d> {
    pub(super) fn of(object: Value<'d>) -> Self {
        let (mut values, mut names) = (Vec::new(), Vec::new());
        for (name, value) in object.members() {
            names.push((name.key(), values.len()));
            values.push(value);
        }
        names.sort_unstable();
        Self { values, names }
    }

    /// The member with this name; the last one, if there are several.
    pub(super) fn get(&self, name: JsonStr<'_>) -> Option<Value<'d>> {
        let name = name.key();
        let end = self.names.partition_point(|(known, _)| *known <= name);
        let (known, at) = self.names.get(end.checked_sub(1)?)?;
        self.values.get(*at).copied().filter(|_| *known == name)
    }

    pub(super) fn has_twins(&self) -> bool {
        self.names.windows(2).any(|pair| matches!(pair, [one, other] if one.0 == other.0))
    }
}
