//! Ids and names, looked up in the time that sorting them takes.

use std::borrow::Cow;

use super::report::{Report, shown};
use super::table::Rule;
use crate::json::{JsonStr, Path, Value};

/// Blocks or tools in the order of their places and, after [`Ids::sort`], by what the id or name in them means.
pub(super) struct Ids<'d> {
    /// The member that is the id or name.
    key: &'static str,
    pub(super) list: Vec<(usize, Value<'d>)>,
    sorted: Vec<(Cow<'d, [u8]>, usize)>,
}

/// How to blame for an id.
pub(super) struct Blame {
    pub(super) rule: Rule,
    /// The sentence, with the id between its words.
    pub(super) words: [&'static str; 2],
    /// It is the id that is wrong, not the block.
    pub(super) at_key: bool,
}

impl<'d> Ids<'d> {
    pub(super) fn new(key: &'static str) -> Self {
        Self { key, list: Vec::new(), sorted: Vec::new() }
    }

    /// The names of tools.
    pub(super) fn of_tools(tools: Value<'d>) -> Self {
        let mut names = Self::new("name");
        for (place, tool) in tools.items().enumerate() {
            names.list.push((place, tool));
        }
        names.sort();
        names
    }

    pub(super) fn sort(&mut self) {
        for (at, (_, value)) in self.list.iter().enumerate() {
            if let Some(id) = value.at(self.key).as_str() {
                self.sorted.push((id.meaning(), at));
            }
        }
        self.sorted.sort_unstable();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Those that are not among the others or, without others, that an earlier place has, too; in the order of their
    /// places. None, if an id of the others is missing, which is reported elsewhere: one mistake shall not look like two.
    fn wrong(&self, others: Option<&Self>) -> Vec<(usize, JsonStr<'d>)> {
        let mut found = Vec::new();
        if others.is_some_and(|others| others.sorted.len() < others.list.len()) {
            return found;
        }
        for (at, (place, value)) in self.list.iter().enumerate() {
            let Some(id) = value.at(self.key).as_str() else { continue };
            let first = others.unwrap_or(self).first(&id.meaning());
            if first.is_none() || (others.is_none() && first != Some(at)) {
                found.push((*place, id));
            }
        }
        found
    }

    /// The first place with this id.
    fn first(&self, id: &[u8]) -> Option<usize> {
        let at = self.sorted.partition_point(|(other, _)| **other < *id);
        self.sorted.get(at).filter(|(other, _)| **other == *id).map(|(_, first)| *first)
    }
}

impl Report<'_> {
    /// Blames what has ids that are not among the others or, without others, not unique.
    pub(super) fn blame(
        &mut self,
        blame: &Blame,
        ids: &Ids<'_>,
        others: Option<&Ids<'_>>,
        content: &Path<'_>,
        is_array: bool,
    ) {
        for (index, id) in ids.wrong(others) {
            let block = place(content, is_array, index);
            let key = block.key(ids.key);
            let path = if blame.at_key { &key } else { &block };
            self.broken(blame.rule, path, &[blame.words[0], &shown(id), blame.words[1]]);
        }
    }

    pub(super) fn tool_names_unique(&mut self, tools: Value<'_>, path: &Path<'_>) {
        const BLAME: Blame = Blame {
            rule: Rule::ToolNamesUnique,
            words: ["The name ", " is taken by an earlier tool; give each its own."],
            at_key: true,
        };
        self.blame(&BLAME, &Ids::of_tools(tools), None, path, true);
    }
}

/// Where a block stands in a content that may be the block itself.
pub(super) fn place<'p>(content: &'p Path<'p>, is_array: bool, index: usize) -> Path<'p> {
    if is_array { content.index(index) } else { *content }
}
