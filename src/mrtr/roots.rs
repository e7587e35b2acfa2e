//! `roots/list` answers. Specification: client/roots.

use crate::json::{Kind, Path, Value};
use crate::sampling::{Findings, Level};

/// Checks a `ListRootsResult`: a list of `file://` URIs, which may be empty.
pub fn check_result(result: Value<'_>) -> Findings {
    let mut findings = Findings::default();
    let root = Path::Root;
    let list = root.key("roots");
    match result.get("roots") {
        Some(roots) if roots.kind() == Kind::Array => {
            for (index, entry) in roots.items().enumerate() {
                check_root(entry, &list.index(index), &mut findings);
            }
        }
        _ => findings.push(Level::Error, "roots-array", &list, "expected roots to be an array"),
    }
    findings
}

fn check_root(entry: Value<'_>, at: &Path<'_>, findings: &mut Findings) {
    let is_file = entry.get("uri").and_then(Value::as_str).is_some_and(|uri| uri.decode().starts_with("file://"));
    if !is_file {
        findings.push(Level::Error, "roots-file-uri", &at.key("uri"), "expected a string that starts with file://");
    }
    if entry.get("name").is_some_and(|name| name.kind() != Kind::String) {
        findings.push(Level::Error, "roots-name", &at.key("name"), "expected a string");
    }
}
