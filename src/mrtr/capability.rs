//! What the client can answer, read anew for each request.

use std::ops::BitOr;

/// A set of things that a client can answer. Specification: client/sampling, client/elicitation, client/roots,
/// "Capabilities".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities(u32);

// The first three are in the order of `InputMethod`.
impl Abilities {
    /// `sampling`
    pub const SAMPLING: Self = Self(1);
    /// `elicitation`, form mode; an empty `elicitation` object means this one
    pub const ELICITATION: Self = Self(2);
    /// `roots`
    pub const ROOTS: Self = Self(4);
    /// `sampling.tools`
    pub const SAMPLING_TOOLS: Self = Self(8);
    /// `sampling.context`
    pub const SAMPLING_CONTEXT: Self = Self(16);
    /// `elicitation.url`
    pub const ELICITATION_URL: Self = Self(32);
    /// `elicitation.form`
    const ELICITATION_FORM: Self = Self(64);

    /// Those of these bits.
    pub const fn of(bits: u32) -> Self {
        Self(bits)
    }

    /// An `elicitation` object that names other modes than the form does not mean the form.
    pub(crate) fn with_form(self) -> Self {
        let is_other = self.has(Self::ELICITATION_URL) && !self.has(Self::ELICITATION_FORM);
        Self(self.0 & if is_other { !2 } else { !0 })
    }

    /// Whether the two have anything in common.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Abilities {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What the client declared, and for which of it a handler is there now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts {
    /// What was declared in `_meta` of the request that a result answers.
    pub declared: Abilities,
    /// For which requests a handler is registered.
    pub handled: Abilities,
}
