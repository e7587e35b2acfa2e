//! Places inside a document, as RFC 6901 pointers.

use std::fmt;

use super::decimal;
use crate::error::{before, part};

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
                loop {
                    let plain = before(rest, "~/");
                    out.push_str(plain);
                    out.push_str(match rest.as_bytes().get(plain.len()) {
                        Some(b'~') => "~0",
                        Some(_) => "~1",
                        None => break,
                    });
                    rest = part(rest, plain.len() + 1, rest.len());
                }
            }
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.pointer())
    }
}
