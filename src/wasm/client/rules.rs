//! The sampling rules and the choice of a model, for hosts that use them by themselves. Internal to the package.

use super::enter::Fields;
use crate::json::{Document, Path, Value};
use crate::revision::Revision;
use crate::sampling::{self, Checks, CreateMessageRequestParams, Findings, Level, ModelEntry, Needs};

/// Checks `CreateMessageRequestParams`, given as the bytes of its JSON text. `flags` are the bits 1 and 2 for the
/// declared `sampling.tools` and `sampling.context`, and 4 for `lenient`. Returns the findings as JSON text; nothing if
/// the revision is not known.
pub(super) fn check_request(params: Vec<u8>, revision: &str, flags: u32) -> Option<String> {
    let checks = checks(revision, flags)?;
    Some(found(Document::parse(params).ok().as_ref(), |params| sampling::check_request(params, &checks)))
}

/// Checks a `CreateMessageResult` against the request it answers: `bytes` has the JSON text of the result, and from `at`
/// on that of the request.
pub(super) fn check_result(mut bytes: Vec<u8>, at: u32, revision: &str, flags: u32) -> Option<String> {
    let checks = checks(revision, flags)?;
    let params = Document::parse(bytes.split_off(bytes.len().min(at as usize))).ok();
    let result = params.as_ref().and_then(|_| Document::parse(bytes).ok());
    let params = params.unwrap_or_default();
    Some(found(result.as_ref(), |result| sampling::check_result(result, params.root(), &checks)))
}

/// Chooses from a catalogue. The fields are JSON texts: preferences, the request, or `null` for either, and a list of
/// `[name, cost, speed, intelligence, abilities]`, with scores in thousandths and abilities as the bits 1 tools, 2 image,
/// 4 audio. Returns the place and the reason, with a blank in between; nothing if no model will do.
pub(super) fn select_model(fields: &mut Fields<'_>) -> Option<String> {
    let preferences = Document::from_text(fields.given()?).ok()?;
    let params = Document::from_text(fields.given()?).ok()?;
    let catalogue = Document::from_text(fields.given()?).ok()?;
    let needs = match params.root().is_null() {
        true => Needs::default(),
        false => sampling::needs_of(CreateMessageRequestParams::new(params.root())),
    };
    let names: Vec<_> = catalogue.root().items().map(name).collect();
    let rows = catalogue.root().items().zip(&names);
    let entries: Vec<_> = rows.map(|(row, name)| entry(row, name)).collect();
    let preferences = (!preferences.root().is_null()).then(|| preferences.root());
    let choice = sampling::select_model(preferences, needs, &entries)?;
    Some([&choice.index.to_string(), " ", &choice.reason].concat())
}

fn name(row: Value<'_>) -> String {
    row.items().next().and_then(Value::as_str).map(|name| name.decode().into_owned()).unwrap_or_default()
}

fn entry<'m>(row: Value<'_>, name: &'m str) -> ModelEntry<'m> {
    let mut numbers = row.items().skip(1).map(whole);
    let mut next = || numbers.next().unwrap_or_default();
    let (cost, speed, intelligence, abilities) = (next(), next(), next(), next());
    let abilities = Needs { tools: abilities & 1 != 0, image: abilities & 2 != 0, audio: abilities & 4 != 0 };
    ModelEntry { name, cost, speed, intelligence, abilities }
}

fn whole(value: Value<'_>) -> u32 {
    let number = value.as_number().and_then(|number| number.as_safe_integer());
    number.and_then(|number| u32::try_from(number).ok()).unwrap_or_default()
}

fn found(document: Option<&Document>, check: impl FnOnce(Value<'_>) -> Findings) -> String {
    let findings = match document {
        Some(document) => check(document.root()),
        None => {
            let mut findings = Findings::default();
            findings.push(Level::Error, "json", &Path::Root, "expected a JSON value");
            findings
        }
    };
    findings.to_json()
}

fn checks(revision: &str, flags: u32) -> Option<Checks> {
    let revision = if revision.is_empty() { Revision::LATEST } else { Revision::from_date(revision)? };
    Some(Checks { revision, tools: flags & 1 != 0, context: flags & 2 != 0, lenient: flags & 4 != 0 })
}
