//! Members of an object that comes in pieces.

use crate::json::Value;

use super::body::Json;

/// Members in the order in which they came, each with its JSON text, or with what stands between its quotes.
#[derive(Debug, Default)]
pub(super) struct Members(Vec<(String, String)>);

impl Members {
    /// What a member is so far; empty if it is new.
    #[inline(never)]
    fn member(&mut self, name: &str) -> Option<&mut String> {
        let at = self.0.iter().position(|(known, _)| known == name).unwrap_or(self.0.len());
        if at == self.0.len() {
            self.0.push((name.to_owned(), String::new()));
        }
        self.0.get_mut(at).map(|(_, value)| value)
    }

    /// Replaces a member, or adds it. Null says nothing new, and what is missing says nothing.
    pub(super) fn set(&mut self, name: &str, value: Value<'_>) {
        if value.is_missing() || (value.is_null() && self.has(name)) {
            return;
        }
        if let Some(known) = self.member(name) {
            *known = value.raw().to_owned();
        }
    }

    /// Keeps the newest value of each of these members of an object, unless it is null.
    #[inline(never)]
    pub(super) fn keep(&mut self, owner: Value<'_>, names: &[&str]) {
        for name in names {
            let value = owner.at(name);
            if !value.is_null() {
                self.set(name, value);
            }
        }
    }

    /// Adds to a member.
    #[inline(never)]
    pub(super) fn grow(&mut self, name: &str, piece: &str) {
        if let Some(known) = self.member(name) {
            known.push_str(piece);
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// What a member is so far.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
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

/// A member that stands between quotes.
pub(super) const QUOTED_MEMBER: &str = "\"%r\":\"%v\"";
