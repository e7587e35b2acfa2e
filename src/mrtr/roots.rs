//! `roots/list` answers. Specification: client/roots.

use super::broken;
use crate::json::{Kind, Path, Value};
use crate::sampling::Findings;

/// Checks a `ListRootsResult`: a list of `file://` URIs, which may be empty.
#[expect(clippy::explicit_counter_loop, reason = "an `enumerate` of items would be the only one in the module")]
pub fn check_result(result: Value<'_>, findings: &mut Findings) {
    let roots = result.at("roots");
    if !roots.is(Kind::Array) {
        broken(findings, &Path::Root, "roots-array\nroots\nexpected roots to be an array");
    }
    let list = Path::Root.key("roots");
    let mut index = 0;
    for entry in roots.items() {
        let place = list.index(index);
        let uri = entry.at("uri").as_str();
        if !uri.is_some_and(|uri| uri.meaning().starts_with(b"file://")) {
            let what = "roots-file-uri\nuri\nexpected a string that starts with file://";
            broken(findings, &place, what);
        }
        if !entry.at("name").is_missing_or(Kind::String) {
            broken(findings, &place, "roots-name\nname\nexpected a string");
        }
        index += 1;
    }
}
