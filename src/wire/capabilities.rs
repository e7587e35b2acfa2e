//! `ClientCapabilities`: what the host said, and what the registered handlers add to it.

use crate::json::{Document, JsonStr, Kind, Value, push_member};
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
        let explicit = explicit.map(Document::root).filter(|root| root.kind() == Kind::Object);
        let added =
            [("sampling", handlers.samples), ("elicitation", handlers.elicits), ("roots", handlers.lists_roots)];
        let mut json = String::from("{");
        let known = |key: JsonStr<'_>| added.iter().any(|(name, _)| key == *name);
        // What is not declared is absent, and `true` declares nothing.
        let says =
            |(key, value): &(JsonStr<'_>, Value<'_>)| value.kind() == Kind::Object || !(value.is_null() || known(*key));
        for (key, value) in explicit.into_iter().flat_map(Value::members).filter(says) {
            push_member(&mut json, key.raw(), value.raw());
        }
        for (name, _) in added.iter().filter(|(name, wanted)| *wanted && named(explicit, name).is_none()) {
            push_member(&mut json, name, "{}");
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
    let named = |name: &str| named(explicit, name);
    let part =
        |name: &str, part: &str| named(name).and_then(|value| value.get(part)).is_some_and(|part| !part.is_null());
    let elicits = named("elicitation").is_some() || handlers.elicits;
    // An `elicitation` object that names no mode means form mode.
    let form = part("elicitation", "form") || !part("elicitation", "url");
    Declared {
        sampling: named("sampling").is_some() || handlers.samples,
        sampling_tools: part("sampling", "tools"),
        sampling_context: part("sampling", "context"),
        elicitation_form: elicits && form,
        elicitation_url: part("elicitation", "url"),
        roots: named("roots").is_some() || handlers.lists_roots,
    }
}

fn named<'d>(explicit: Option<Value<'d>>, name: &str) -> Option<Value<'d>> {
    explicit.and_then(|explicit| explicit.get(name)).filter(|value| value.kind() == Kind::Object)
}
