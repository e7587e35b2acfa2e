//! Multi round-trip requests: results that ask for input, and the parameters that bring the answers back.
//!
//! Specification: basic/patterns/mrtr.

mod ask;
mod capability;
pub mod elicitation;
mod names;
mod outcome;
mod request;
pub mod roots;

pub use ask::{Ask, Manner};
pub use capability::Accepts;
pub(crate) use names::count;
pub use outcome::{Outcome, ResultRules, outcome};
pub use request::{InputMethod, InputRequiredResult};

use crate::error::start;
use crate::json::{JsonStr, Path, Value, push_member};
use crate::lines;
use crate::sampling::{Findings, Level};

/// Appends the members of an object as they are, save for some, to an object that was begun with `{`.
#[inline(never)]
pub(crate) fn push_members(out: &mut String, object: Value<'_>, save: &[&str]) {
    for (key, value) in object.members() {
        if !save.iter().any(|name| key == *name) {
            push_copy(out, key, value);
        }
    }
}

/// Appends a member as it is to an object that was begun with `{`.
#[inline(never)]
pub(crate) fn push_copy(out: &mut String, key: JsonStr<'_>, value: Value<'_>) {
    push_member(out, key.raw(), value.raw());
}

/// The beginning of a text for an error: a server may send one of a megabyte.
fn cut(text: &str) -> &str {
    start(text, 60)
}

fn shown(text: JsonStr<'_>) -> String {
    cut(&text.value().text()).to_owned()
}

/// Notes a broken rule. `what` has in lines the rule, the name of the member that breaks it, and a sentence.
fn broken(findings: &mut Findings, parent: &Path<'_>, mut what: &'static str) {
    let (rule, name) = (lines::next(&mut what), lines::next(&mut what));
    findings.push(Level::Error, rule, &parent.key(name), what);
}

/// As [`broken`], for a name that the server or the handler chose.
fn broken_at(findings: &mut Findings, rule: &'static str, parent: &Path<'_>, name: JsonStr<'_>, message: &'static str) {
    findings.push(Level::Error, rule, &parent.key(&name.value().text()), message);
}
