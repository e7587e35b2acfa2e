//! `ClientCapabilities`: what the host said, and what the registered handlers add to it.

use crate::json::{Document, Kind, push_member};
use crate::lines;
use crate::mrtr::Accepts;

/// The capabilities to declare, as text and as flags.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// `ClientCapabilities` as JSON text.
    pub json: String,
    /// The same, and the handlers, for checking what the server asks.
    pub accepts: Accepts,
}

impl Capabilities {
    /// None yet.
    pub const NONE: Self = Self { json: String::new(), accepts: Accepts::NONE };

    /// The host's own object, with a capability added for each handler whose capability it does not name. A handler
    /// adds the plain form: tools, context and URL mode are only declared if the host says so.
    pub fn new(explicit: Option<&Document>, handlers: Accepts) -> Self {
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
        let sampling = declare("sampling", handlers.any(Accepts::SAMPLES));
        let elicitation = declare("elicitation", handlers.any(Accepts::ELICITS));
        let roots = declare("roots", handlers.any(Accepts::LISTS_ROOTS));
        json.push_str("}");
        let has = |name: &str, part: &str| !explicit.at(name).at(part).is_null();
        let url = has("elicitation", "url");
        let accepts = handlers
            | Accepts::SAMPLING.when(sampling)
            | Accepts::SAMPLING_TOOLS.when(has("sampling", "tools"))
            | Accepts::SAMPLING_CONTEXT.when(has("sampling", "context"))
            // An `elicitation` object that names no mode means form mode.
            | Accepts::ELICITATION_FORM.when(elicitation && (!url || has("elicitation", "form")))
            | Accepts::ELICITATION_URL.when(url)
            | Accepts::ROOTS.when(roots);
        Self { json, accepts }
    }
}
