//! `ClientCapabilities`: what the host said, and what the registered handlers add to it.

use crate::json::{Document, Kind, Value, push_member};
use crate::mrtr::{Accepts, Declared};

/// For which requests of the server a handler is registered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handlers {
    /// `sampling/createMessage`
    pub samples: bool,
    /// `elicitation/create`
    pub elicits: bool,
    /// `roots/list`
    pub lists_roots: bool,
}

/// The capabilities to declare, as text and as flags.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// `ClientCapabilities` as JSON text.
    pub json: String,
    /// The same, and the handlers, for checking what the server asks.
    pub accepts: Accepts,
}

impl Capabilities {
    /// The host's own object, with a capability added for each handler whose capability it does not name. A handler
    /// adds the plain form: tools, context and URL mode are only declared if the host says so.
    pub fn new(explicit: Option<&Document>, handlers: Handlers) -> Self {
        let explicit = explicit.map(Document::root);
        let added =
            [("sampling", handlers.samples), ("elicitation", handlers.elicits), ("roots", handlers.lists_roots)];
        let mut json = String::from("{");
        for (key, value) in explicit.into_iter().flat_map(Value::members) {
            let is_known = added.iter().any(|(name, _)| key == *name);
            // What is not declared is absent, and `true` declares nothing.
            if value.kind() == Kind::Object || !(value.is_null() || is_known) {
                push_member(&mut json, key.raw(), value.raw());
            }
        }
        for (name, wanted) in added {
            if wanted && !is_named(explicit, name) {
                push_member(&mut json, name, "{}");
            }
        }
        json.push('}');
        let accepts = Accepts {
            declared: declared(explicit, handlers),
            samples: handlers.samples,
            elicits: handlers.elicits,
            lists_roots: handlers.lists_roots,
        };
        Self { json, accepts }
    }
}

fn declared(explicit: Option<Value<'_>>, handlers: Handlers) -> Declared {
    let part = |name: &str, part: &str| {
        explicit.and_then(|explicit| explicit.get(name)?.get(part)).is_some_and(|part| !part.is_null())
    };
    let elicits = is_named(explicit, "elicitation") || handlers.elicits;
    let url = part("elicitation", "url");
    Declared {
        sampling: is_named(explicit, "sampling") || handlers.samples,
        sampling_tools: part("sampling", "tools"),
        sampling_context: part("sampling", "context"),
        // An `elicitation` object that names no mode means form mode.
        elicitation_form: elicits && (!url || part("elicitation", "form")),
        elicitation_url: url,
        roots: is_named(explicit, "roots") || handlers.lists_roots,
    }
}

fn is_named(explicit: Option<Value<'_>>, name: &str) -> bool {
    explicit.and_then(|explicit| explicit.get(name)).is_some_and(|value| value.kind() == Kind::Object)
}
