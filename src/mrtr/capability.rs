//! What the client can answer, read anew for each request.

use std::ops::{BitAnd, BitOr};

/// What the client declared in `_meta` of a request, and for which of it a handler is there now: a set of bits.
/// Specification: client/sampling, client/elicitation, client/roots, "Capabilities".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts(u32);

impl Accepts {
    /// Nothing is declared, and there are no handlers.
    pub const NONE: Self = Self(0);
    /// A handler for `sampling/createMessage` is registered.
    pub const SAMPLES: Self = Self(1);
    /// A handler for `elicitation/create` is registered.
    pub const ELICITS: Self = Self(2);
    /// A handler for `roots/list` is registered.
    pub const LISTS_ROOTS: Self = Self(4);
    /// All handlers.
    pub const HANDLERS: Self = Self(7);
    /// `sampling` is declared.
    pub const SAMPLING: Self = Self(8);
    /// `elicitation`, form mode; an empty `elicitation` object means this one
    pub const ELICITATION_FORM: Self = Self(16);
    /// `roots`
    pub const ROOTS: Self = Self(32);
    /// `sampling.tools`
    pub const SAMPLING_TOOLS: Self = Self(64);
    /// `sampling.context`
    pub const SAMPLING_CONTEXT: Self = Self(128);
    /// `elicitation.url`
    pub const ELICITATION_URL: Self = Self(256);
    /// All that can be declared.
    pub const DECLARED: Self = Self(504);

    /// Whether any of these is among them.
    pub fn any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }

    /// What these bits say; the handlers and what is declared for them are in the order of `InputMethod`.
    pub(crate) const fn of(bits: u32) -> Self {
        Self(bits)
    }
}

impl BitAnd for Accepts {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Accepts {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl From<u32> for Accepts {
    /// The handlers by their bits: 1 sampling, 2 elicitation, 4 roots.
    fn from(handlers: u32) -> Self {
        Self(handlers) & Self::HANDLERS
    }
}
