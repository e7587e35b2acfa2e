//! `ClientCapabilities`: what the host said, and what the registered handlers add to it.

use crate::json::{Document, Kind, push_member};
use crate::lines;
use crate::mrtr::{Accepts, push_copy};

/// The capabilities to declare, as text and as flags.
#[derive(Clone, Debug, Default)]
pub struct Capabilities {
    /// `ClientCapabilities` as JSON text.
    pub json: String,
    /// The same, and the handlers, for checking what the server asks.
    pub accepts: Accepts,
}

/// Those that have handlers, in the order of their bits in [`Accepts`].
const NAMES: &str = "sampling\nelicitation\nroots\n";
/// Parts of them, each behind what it is a part of, in the order of theirs.
const PARTS: &str = "sampling\ntools\nsampling\ncontext\nelicitation\nurl\nelicitation\nform\n";

/// Their bits, the last one being that of `elicitation.form`.
const FORM: u32 = 16;
const URL: u32 = 256;
const URL_AND_FORM: u32 = 256 | 512;

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
            let is_known = lines::place_in(NAMES, key.value()) != lines::NOWHERE;
            // What is not declared is absent, and `true` declares nothing.
            if value.is(Kind::Object) || !(value.is_null() || is_known) {
                push_copy(&mut json, key, value);
            }
        }
        let (mut found, mut bit) = (0, 1);
        for place in 0..3 {
            let name = lines::at(NAMES, place);
            let (is_named, is_handled) = (explicit.at(name).is(Kind::Object), handlers.any(Accepts::of(bit)));
            if is_handled && !is_named {
                push_member(&mut json, name, "{}");
            }
            found |= if is_handled || is_named { bit << 3 } else { 0 };
            bit *= 2;
        }
        json.push_str("}");
        bit <<= 3;
        for place in 0..4 {
            let part = explicit.at(lines::at(PARTS, place * 2)).at(lines::at(PARTS, place * 2 + 1));
            found |= if part.is_null() { 0 } else { bit };
            bit *= 2;
        }
        // An `elicitation` object that names no mode means form mode.
        if found & URL_AND_FORM == URL {
            found &= !FORM;
        }
        Self { json, accepts: handlers | Accepts::of(found) & Accepts::DECLARED }
    }
}
