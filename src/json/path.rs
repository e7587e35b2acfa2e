//! Places inside a document, as RFC 6901 pointers.

use std::fmt;

use super::decimal;
use crate::error::{part, split_at_any};

/// The way from the root to a value. Kept on the stack while walking and written out only for a finding.
#[derive(Clone, Copy, Debug)]
pub enum Path<'p> {
    /// The value the walk started at; the empty pointer.
    Root,
    /// A member of the object at the parent.
    Key(&'p Self, &'p str),
    /// An item of the array at the parent.
    Index(&'p Self, usize),
}

impl<'p> Path<'p> {
    /// The member `name` of this place.
    pub fn key(&'p self, name: &'p str) -> Self {
        Self::Key(self, name)
    }

    /// The item number `index` of this place.
    pub fn index(&'p self, index: usize) -> Self {
        Self::Index(self, index)
    }

    /// The pointer.
    pub(crate) fn pointer(&self) -> String {
        let mut out = const { String::new() };
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Root => {}
            Self::Index(parent, index) => {
                parent.write(out);
                out.push_str("/");
                out.push_str(&decimal(*index as i64));
            }
            Self::Key(parent, name) => {
                parent.write(out);
                out.push_str("/");
                let mut rest = *name;
                while let Some((plain, escaped)) = split_at_any(rest, "~/") {
                    out.push_str(plain);
                    out.push_str(if matches!(escaped.as_bytes(), [b'~', ..]) { "~0" } else { "~1" });
                    rest = part(escaped, 1, escaped.len());
                }
                out.push_str(rest);
            }
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.pointer())
    }
}
