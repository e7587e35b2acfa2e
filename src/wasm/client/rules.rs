//! The sampling rules and the choice of a model, for hosts that use them by themselves. Internal to the package.

use super::enter::{Fields, whole};
use crate::error::fill;
use crate::json::{Document, JsonStr, Path, Value, decimal};
use crate::revision::Revision;
use crate::sampling::{self, Checks, CreateMessageRequestParams, Findings, Level, ModelEntry, Needs};

/// Checks `CreateMessageRequestParams`, given as the bytes of its JSON text. `flags` are the bits 1 and 2 for the
/// declared `sampling.tools` and `sampling.context`, and 4 for `lenient`. Returns the findings as JSON text; nothing if
/// the revision is not known.
pub(super) fn check_request(params: Vec<u8>, revision: &str, flags: u32) -> Option<String> {
    let checks = checks(revision, flags)?;
    Some(found(Document::parse(params).ok().as_ref(), &|params| sampling::check_request(params, &checks)))
}

/// Checks a `CreateMessageResult` against the request it answers: `bytes` has the JSON text of the result, and from `at`
/// on that of the request.
pub(super) fn check_result(mut bytes: Vec<u8>, at: u32, revision: &str, flags: u32) -> Option<String> {
    let checks = checks(revision, flags)?;
    let params = Document::parse(bytes.split_off(bytes.len().min(at as usize))).ok();
    let result = params.as_ref().and_then(|_| Document::parse(bytes).ok());
    let params = params.unwrap_or_default();
    Some(found(result.as_ref(), &|result| sampling::check_result(result, params.root(), &checks)))
}

/// Chooses from a catalogue. The fields are JSON texts: preferences, the request, or `null` for either, and a list of
/// `[name, cost, speed, intelligence, abilities]`, with scores in thousandths and abilities as the bits 1 tools, 2 image,
/// 4 audio. Returns the place and the reason, with a blank in between; nothing if no model will do.
pub(super) fn select_model(fields: &mut Fields<'_>) -> Option<String> {
    let (preferences, params, catalogue) = (fields.document()?, fields.document()?, fields.document()?);
    let mut needs = Needs::default();
    if !params.root().is_null() {
        needs = sampling::needs_of(CreateMessageRequestParams::new(params.root()));
    }
    let mut names = Vec::new();
    for row in catalogue.root().items() {
        names.push(row.items().next().and_then(Value::as_str).map(JsonStr::decode).unwrap_or_default());
    }
    let mut entries = Vec::new();
    for (at, row) in catalogue.root().items().enumerate() {
        let mut entry = ModelEntry { name: names.get(at)?, ..ModelEntry::default() };
        let mut numbers = row.items().skip(1);
        let mut next = || numbers.next().and_then(whole).and_then(|it| u32::try_from(it).ok()).unwrap_or_default();
        (entry.cost, entry.speed, entry.intelligence) = (next(), next(), next());
        let abilities = next();
        entry.abilities = Needs { tools: abilities & 1 != 0, image: abilities & 2 != 0, audio: abilities & 4 != 0 };
        entries.push(entry);
    }
    let preferences = Some(preferences.root()).filter(|preferences| !preferences.is_null());
    let choice = sampling::select_model(preferences, needs, &entries)?;
    Some(fill("% %", &[&decimal(choice.index as i64), &choice.reason]))
}

fn found(document: Option<&Document>, check: &dyn Fn(Value<'_>) -> Findings) -> String {
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
