//! `roots/list` answers. Specification: client/roots.

use crate::json::{Kind, Path, Value};
use crate::sampling::{Findings, Level};

/// Checks a `ListRootsResult`: a list of `file://` URIs, which may be empty.
pub fn check_result(result: Value<'_>) -> Findings {
    let mut findings = Findings::default();
    let list = Path::Root.key("roots");
    let roots = result.at("roots");
    if roots.kind() != Kind::Array {
        findings.push(Level::Error, "roots-array", &list, "expected roots to be an array");
    }
    for (index, entry) in roots.items().enumerate() {
        let at = list.index(index);
        let uri = entry.at("uri").as_str();
        if !uri.is_some_and(|uri| uri.meaning().starts_with(b"file://")) {
            findings.push(Level::Error, "roots-file-uri", &at.key("uri"), "expected a string that starts with file://");
        }
        if entry.get("name").is_some_and(|name| name.kind() != Kind::String) {
            findings.push(Level::Error, "roots-name", &at.key("name"), "expected a string");
        }
    }
    findings
}
