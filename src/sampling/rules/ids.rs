//! Ids and names, looked up in the time that sorting them takes.

use std::cell::Cell;

use super::report::{Report, shown};
use super::table::Rule;
use crate::json::{Key, Path, Value};

/// Blocks or tools in the order of their places and, after [`Ids::sort`], by what the id or name in them means.
#[derive(Default)]
pub(super) struct Ids<'d> {
    pub(super) list: Vec<Entry<'d>>,
    sorted: Vec<(Key<'d>, usize)>,
}

/// A block or tool.
pub(super) struct Entry<'d> {
    pub(super) place: usize,
    value: Value<'d>,
    wrong: Cell<bool>,
}

impl<'d> Entry<'d> {
    pub(super) fn new(place: usize, value: Value<'d>) -> Self {
        Self { place, value, wrong: Cell::new(false) }
    }
}

/// How to blame for an id.
pub(super) struct Blame {
    pub(super) rule: Rule,
    /// The member that is the id.
    pub(super) key: &'static str,
    /// It is the id that is wrong, not the block.
    pub(super) at_key: bool,
}

impl<'d> Ids<'d> {
    pub(super) const NONE: &'d Self = &Self { list: Vec::new(), sorted: Vec::new() };

    /// The names of tools.
    pub(super) fn of_tools(tools: Value<'d>) -> Self {
        let mut names = Self::default();
        for tool in tools.items() {
            names.list.push(Entry::new(names.list.len(), tool));
        }
        names.sort("name");
        names
    }

    /// Sorts by the member called `key`.
    pub(super) fn sort(&mut self, key: &str) {
        self.sorted.clear();
        for (at, entry) in self.list.iter().enumerate() {
            if let Some(id) = entry.value.at(key).as_str() {
                self.sorted.push((id.key(), at));
            }
        }
        self.sorted.sort_unstable();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Marks those that are not among the others or, without others, at an earlier place, too. What has no id is not marked.
    fn mark(&self, others: Option<&Self>) {
        let mut theirs = others.map_or(&[][..], |others| &others.sorted);
        let mut last = None;
        for (id, at) in &self.sorted {
            while let [(other, _), after @ ..] = theirs
                && other < id
            {
                theirs = after;
            }
            let known = if others.is_some() { theirs.first().map(|(other, _)| other) } else { last };
            if let Some(entry) = self.list.get(*at) {
                entry.wrong.set((known == Some(id)) != others.is_some());
            }
            last = Some(id);
        }
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
        // An id of the others is missing, which is reported elsewhere: one mistake shall not look like two.
        if others.is_some_and(|others| others.sorted.len() < others.list.len()) {
            return;
        }
        ids.mark(others);
        for entry in &ids.list {
            let Some(id) = entry.value.at(blame.key).as_str().filter(|_| entry.wrong.get()) else { continue };
            let block = place(content, is_array, entry.place);
            let key = block.key(blame.key);
            let path = if blame.at_key { &key } else { &block };
            self.say(blame.rule, path, &[&shown(id)]);
        }
    }

    pub(super) fn tool_names_unique(&mut self, tools: Value<'_>, path: &Path<'_>) {
        const BLAME: Blame = Blame { rule: Rule::ToolNamesUnique, key: "name", at_key: true };
        self.blame(&BLAME, &Ids::of_tools(tools), None, path, true);
    }
}

/// Where a block stands in a content that may be the block itself.
pub(super) fn place<'p>(content: &'p Path<'p>, is_array: bool, index: usize) -> Path<'p> {
    if is_array { content.index(index) } else { *content }
}
