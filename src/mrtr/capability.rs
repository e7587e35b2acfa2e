//! What the client can answer, read anew for each request.

/// What was declared in `_meta` of the request that a result answers. Specification: client/sampling, client/elicitation,
/// client/roots, "Capabilities".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// `sampling`
    pub sampling: bool,
    /// `sampling.tools`
    pub sampling_tools: bool,
    /// `sampling.context`
    pub sampling_context: bool,
    /// `elicitation`, form mode; an empty `elicitation` object means this one
    pub elicitation_form: bool,
    /// `elicitation.url`
    pub elicitation_url: bool,
    /// `roots`
    pub roots: bool,
}

/// What the client declared, and for which of it a handler is there now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts {
    /// What was declared with the request.
    pub declared: Declared,
    /// A handler for `sampling/createMessage` is registered.
    pub samples: bool,
    /// A handler for `elicitation/create` is registered.
    pub elicits: bool,
    /// A handler for `roots/list` is registered.
    pub lists_roots: bool,
}
