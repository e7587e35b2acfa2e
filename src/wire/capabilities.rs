//! `ClientCapabilities`: what the host said, and what the registered handlers add to it.

use crate::json::{Document, Kind, push_member};
use crate::lines;
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
        let nothing = Document::default();
        let explicit = explicit.unwrap_or(&nothing).root();
        let mut json = String::from("{");
        for (key, value) in explicit.members() {
            let is_known = lines::place_in("sampling\nelicitation\nroots\n", key.value()).is_some();
            // What is not declared is absent, and `true` declares nothing.
            if value.is(Kind::Object) || !(value.is_null() || is_known) {
                push_member(&mut json, key.raw(), value.raw());
            }
        }
        let mut declare = |name: &str, handled: bool| {
            let is_named = explicit.at(name).is(Kind::Object);
            if handled && !is_named {
                push_member(&mut json, name, "{}");
            }
            handled || is_named
        };
        let Handlers { samples, elicits, lists_roots } = handlers;
        let (sampling, elicitation, roots) =
            (declare("sampling", samples), declare("elicitation", elicits), declare("roots", lists_roots));
        json.push_str("}");
        let has = |name: &str, part: &str| !explicit.at(name).at(part).is_null();
        let elicitation_url = has("elicitation", "url");
        let declared = Declared {
            sampling,
            sampling_tools: has("sampling", "tools"),
            sampling_context: has("sampling", "context"),
            // An `elicitation` object that names no mode means form mode.
            elicitation_form: elicitation && (!elicitation_url || has("elicitation", "form")),
            elicitation_url,
            roots,
        };
        Self { json, accepts: Accepts { declared, samples, elicits, lists_roots } }
    }
}
