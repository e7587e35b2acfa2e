//! The sampling rules and the choice of a model, for hosts that use them by themselves. Internal to the package.

use super::super::given;
use super::enter::Fields;
use crate::error::fill;
use crate::json::{Document, Path, decimal};
use crate::revision::Revision;
use crate::sampling::{self, Checks, CreateMessageRequestParams, Findings, Level, ModelEntry, Needs};

/// Checks `CreateMessageRequestParams`, which is the JSON text that came as bytes, or a `CreateMessageResult` against the
/// request it answers: then the bytes have the JSON text of the result, and from `at` on that of the request. `flags` are the
/// bits 1 and 2 for the declared `sampling.tools` and `sampling.context`, and 4 for `lenient`. Returns the findings as
/// JSON text; nothing if the revision is not known.
pub(super) fn check(is_result: bool, at: u32, revision: &str, flags: u32) -> Option<String> {
    let checks = checks(revision, flags)?;
    let mut bytes = given::bytes();
    let params = Document::parse(bytes.split_off(bytes.len().min(at as usize)));
    // Nothing is left of a request.
    let result = Document::parse(bytes);
    let findings = match (&params, &result) {
        (Ok(params), Ok(result)) => sampling::check_result(result.root(), params.root(), &checks),
        (Ok(params), _) if !is_result => sampling::check_request(params.root(), &checks),
        _ => {
            let mut findings = Findings::default();
            findings.push(Level::Error, "json", &Path::Root, "expected a JSON value");
            findings
        }
    };
    Some(findings.to_json())
}

/// Chooses from a catalogue. The fields are the JSON texts of preferences and of the request, or `null` for either, and
/// then, for each model, cost, speed and intelligence in thousandths, abilities as the bits 1 tools, 2 image, 4 audio, and
/// the name. Returns the place and the reason, with a blank in between; nothing if no model will do.
pub(super) fn select_model(fields: &mut Fields<'_>) -> Option<String> {
    let (preferences, params) = (fields.document(), fields.document());
    // What is `null` has no members, and so asks for nothing.
    let needs = sampling::needs_of(CreateMessageRequestParams::new(params.root()));
    let mut entries = Vec::new();
    while !fields.rest().is_empty() {
        let (cost, speed, intelligence) = (fields.number(0), fields.number(0), fields.number(0));
        let abilities = fields.number(0);
        let abilities = Needs { tools: abilities & 1 != 0, image: abilities & 2 != 0, audio: abilities & 4 != 0 };
        entries.push(ModelEntry { name: fields.line(), cost, speed, intelligence, abilities });
    }
    let choice = sampling::select_model(Some(preferences.root()), needs, &entries)?;
    Some(fill("% %", &[&decimal(choice.index as i64), &choice.reason]))
}

fn checks(revision: &str, flags: u32) -> Option<Checks> {
    let revision = if revision.is_empty() { Revision::LATEST } else { Revision::from_date(revision)? };
    Some(Checks { revision, tools: flags & 1 != 0, context: flags & 2 != 0, lenient: flags & 4 != 0 })
}
