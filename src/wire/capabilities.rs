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
        let is_named = |name: &str| is_named(explicit, name);
        let added = [
            ("sampling", is_named("sampling"), handlers.samples),
            ("elicitation", is_named("elicitation"), handlers.elicits),
            ("roots", is_named("roots"), handlers.lists_roots),
        ];
        let mut json = String::from("{");
        if let Some(explicit) = explicit {
            for (key, value) in explicit.members() {
                let is_known = added.iter().any(|(name, ..)| key == *name);
                // What is not declared is absent, and `true` declares nothing.
                if value.kind() == Kind::Object || !(value.is_null() || is_known) {
                    push_member(&mut json, key.raw(), value.raw());
                }
            }
        }
        for (name, named, wanted) in &added {
            if *wanted && !named {
                push_member(&mut json, name, "{}");
            }
        }
        json.push('}');
        let [sampling, elicits, roots] = added.map(|(_, named, wanted)| named || wanted);
        let has = |name: &str, part: &str| {
            explicit.and_then(|explicit| explicit.get(name)?.get(part)).is_some_and(|part| !part.is_null())
        };
        let elicitation_url = has("elicitation", "url");
        let declared = Declared {
            sampling,
            sampling_tools: has("sampling", "tools"),
            sampling_context: has("sampling", "context"),
            // An `elicitation` object that names no mode means form mode.
            elicitation_form: elicits && (!elicitation_url || has("elicitation", "form")),
            elicitation_url,
            roots,
        };
        let Handlers { samples, elicits, lists_roots } = handlers;
        Self { json, accepts: Accepts { declared, samples, elicits, lists_roots } }
    }
}

fn is_named(explicit: Option<Value<'_>>, name: &str) -> bool {
    explicit.and_then(|explicit| explicit.get(name)).is_some_and(|value| value.kind() == Kind::Object)
}
