//! How the members of an object are kept.

use super::demands::{Then, Want, When};
use super::table::Rule;
use crate::error::part;

/// A member of an object.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) want: Want,
    pub(super) when: When,
    pub(super) then: Then,
}

/// The members of an object as one text: of each the length of what it takes, four bytes and its name. A table with
/// addresses would be larger.
#[derive(Clone, Copy)]
pub(super) struct Shape(pub(super) &'static str);

/// A member as it stands in the text.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    shape: Shape,
    from: usize,
    pub(super) to: usize,
    pub(super) rule: Rule,
    pub(super) want: Want,
    pub(super) when: When,
    pub(super) then: Then,
}

const HEAD: usize = 5;

impl Shape {
    /// The member that begins there.
    #[inline(always)]
    pub(super) fn entry(self, at: usize) -> Option<Entry> {
        let [length, rule, want, then, when, ..] = *self.0.as_bytes().get(at..)? else { return None };
        let (from, to) = (at + HEAD, at + usize::from(length));
        Some(Entry { shape: self, from, to, rule: Rule(rule), want: Want(want), when: When(when), then: Then(then) })
    }
}

impl Entry {
    /// Its name, which most members are only looked up by.
    pub(super) fn bytes(&self) -> &'static [u8] {
        self.shape.0.as_bytes().get(self.from..self.to).unwrap_or_default()
    }

    pub(super) fn name(&self) -> &'static str {
        part(self.shape.0, self.from, self.to)
    }
}

/// How long the text is.
pub(super) const fn length(members: &[Member]) -> usize {
    let (mut length, mut rest) = (0, members);
    while let [member, after @ ..] = rest {
        length += HEAD + member.name.len();
        rest = after;
    }
    length
}

/// The bytes of the text.
#[expect(clippy::indexing_slicing, reason = "this runs while compiling")]
pub(super) const fn packed<const N: usize>(members: &[Member]) -> [u8; N] {
    let mut out = [0; N];
    let (mut at, mut rest) = (0, members);
    while let [member, after @ ..] = rest {
        let name = member.name.as_bytes();
        let head = [(HEAD + name.len()) as u8, member.rule.0, member.want.0, member.then.0, member.when.0];
        let mut from = 0;
        while from < HEAD + name.len() {
            out[at] = if from < HEAD { head[from] } else { name[from - HEAD] };
            (at, from) = (at + 1, from + 1);
        }
        rest = after;
    }
    out
}
