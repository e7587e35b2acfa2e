//! Members of an object that comes in pieces.

use crate::json::Value;

use super::body::{Json, next_word};

/// Members in the order in which they came, each with its JSON text.
#[derive(Debug)]
pub(super) struct Members(Vec<(String, String)>);

impl Members {
    pub(super) const EMPTY: Self = Self(Vec::new());

    fn place(&self, name: &str) -> usize {
        self.0.iter().position(|(known, _)| known == name).unwrap_or(self.0.len())
    }

    /// Replaces a member, or adds it.
    #[inline(never)]
    pub(super) fn put(&mut self, name: &str, json: String) {
        let at = self.place(name);
        match self.0.get_mut(at) {
            Some((_, value)) => *value = json,
            None => self.0.push((name.to_owned(), json)),
        }
    }

    /// Takes all members of an object. Null says nothing new.
    #[inline(never)]
    pub(super) fn set_all(&mut self, object: Value<'_>) {
        for (name, value) in object.members() {
            if !(value.is_null() && self.has(name.raw())) {
                self.put(name.raw(), value.raw().to_owned());
            }
        }
    }

    /// Keeps the newest value of each of these members of an object, unless it is null.
    #[inline(never)]
    pub(super) fn keep(&mut self, owner: Value<'_>, mut names: &str) {
        while let Some(name) = next_word(&mut names) {
            let value = owner.at(name);
            if !value.is_null() {
                self.put(name, value.raw().to_owned());
            }
        }
    }

    /// Adds to a member that is a string what goes on between its quotes; a member of another kind is one then.
    #[inline(never)]
    pub(super) fn grow(&mut self, name: &str, piece: &str) {
        if !matches!(self.get(name).as_bytes(), [b'"', ..]) {
            self.put(name, "\"\"".to_owned());
        }
        let at = self.place(name);
        if let Some((_, value)) = self.0.get_mut(at) {
            value.truncate(value.len() - 1);
            value.push_str(piece);
            value.push_str("\"");
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.place(name) < self.0.len()
    }

    /// What a member is so far.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(self.place(name)).map_or("", |(_, value)| value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names and values.
    pub(super) fn list(&self) -> &[(String, String)] {
        &self.0
    }

    /// Writes each with this form, which has a place for the name and one for the value.
    #[inline(never)]
    pub(super) fn write(&self, json: &mut Json, form: &str) {
        for (name, value) in &self.0 {
            json.two(form, name, value);
        }
    }
}
