//! `ClientCapabilities`: what the host said, and what the registered handlers add to it.

use crate::json::{Kind, Value, push_member};
use crate::lines;
use crate::mrtr::{Abilities, Accepts, push_copy};

/// The capabilities to declare, as text and as flags.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// `ClientCapabilities` as JSON text.
    pub json: String,
    /// The same, and the handlers, for checking what the server asks.
    pub accepts: Accepts,
}

/// Those that have handlers, in the order of their bits.
const NAMES: &str = "sampling\nelicitation\nroots\n";
/// Parts of them, in the order of theirs.
const PARTS: [(&str, &str); 4] =
    [("sampling", "tools"), ("sampling", "context"), ("elicitation", "url"), ("elicitation", "form")];

impl Capabilities {
    /// The host's own object, with a capability added for each handler whose capability it does not name. A handler
    /// adds the plain form: tools, context and URL mode are only declared if the host says so.
    pub fn new(explicit: Value<'_>, handled: Abilities) -> Self {
        let mut json = String::from("{");
        for (key, value) in explicit.members() {
            let is_known = lines::place_in(NAMES, key.value()).is_some();
            // What is not declared is absent, and `true` declares nothing.
            if value.is(Kind::Object) || !(value.is_null() || is_known) {
                push_copy(&mut json, key, value);
            }
        }
        let (mut bits, mut bit, mut names) = (0, 1, NAMES);
        while !names.is_empty() {
            let name = lines::next(&mut names);
            let is_named = explicit.at(name).is(Kind::Object);
            let is_handled = handled.has(Abilities::of(bit));
            if is_handled && !is_named {
                push_member(&mut json, name, "{}");
            }
            bits |= if is_handled || is_named { bit } else { 0 };
            bit *= 2;
        }
        json.push_str("}");
        for (name, part) in &PARTS {
            bits |= if explicit.at(name).at(part).is_null() { 0 } else { bit };
            bit *= 2;
        }
        let declared = Abilities::of(bits).with_form();
        Self { json, accepts: Accepts { declared, handled } }
    }
}
