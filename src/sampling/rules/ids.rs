//! Ids and names, looked up in the time that sorting them takes.

use std::borrow::Cow;

use crate::json::JsonStr;

/// The id of a block or the name of a tool; `None` where there is none that could be compared.
pub(super) struct Id<'d> {
    /// The number of the block or tool.
    pub(super) place: usize,
    pub(super) text: Option<JsonStr<'d>>,
}

/// Ids in the order of their places and, after [`Ids::sort`], by what they mean.
#[derive(Default)]
pub(super) struct Ids<'d> {
    list: Vec<Id<'d>>,
    sorted: Vec<(Cow<'d, [u8]>, usize)>,
}

impl<'d> Ids<'d> {
    pub(super) fn push(&mut self, id: Id<'d>) {
        self.list.push(id);
    }

    pub(super) fn sort(&mut self) {
        if self.list.is_empty() {
            return;
        }
        let known = self.list.iter().enumerate().filter_map(|(at, id)| Some((id.text?.meaning(), at)));
        self.sorted = known.collect();
        self.sorted.sort_unstable();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Id<'d>> {
        self.list.iter()
    }

    /// Those that are not among the others, in the order of their places. None, if an id of the others is missing, which
    /// is reported elsewhere: one mistake shall not look like two.
    pub(super) fn not_in(&self, others: &Self) -> Vec<&Id<'d>> {
        let mut theirs = others.sorted.iter().peekable();
        let unmatched = self.sorted.iter().filter(|(id, _)| {
            while theirs.next_if(|(other, _)| other < id).is_some() {}
            theirs.peek().is_none_or(|(other, _)| other != id)
        });
        let all_known = others.sorted.len() == others.list.len();
        if all_known { self.in_order(unmatched) } else { Vec::new() }
    }

    /// Those that an earlier place has, too, in the order of their places.
    pub(super) fn repeated(&self) -> Vec<&Id<'d>> {
        let pairs = self.sorted.iter().zip(self.sorted.iter().skip(1));
        self.in_order(pairs.filter(|(one, next)| one.0 == next.0).map(|(_, next)| next))
    }

    fn in_order<'i>(&'i self, found: impl Iterator<Item = &'i (Cow<'d, [u8]>, usize)>) -> Vec<&'i Id<'d>>
    where
        'd: 'i,
    {
        let mut places: Vec<_> = found.map(|(_, at)| *at).collect();
        places.sort_unstable();
        places.into_iter().filter_map(|at| self.list.get(at)).collect()
    }
}

impl<'d> FromIterator<Id<'d>> for Ids<'d> {
    fn from_iter<I: IntoIterator<Item = Id<'d>>>(ids: I) -> Self {
        let mut all = Self { list: ids.into_iter().collect(), sorted: Vec::new() };
        all.sort();
        all
    }
}
