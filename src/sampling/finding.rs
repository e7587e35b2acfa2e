//! What a rule has to say, and where.

use crate::error::fill;
use crate::json::{Path, decimal, push_item};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The request or result must not be used.
    Error,
    /// Worth telling, not worth stopping.
    Warning,
}

/// One broken rule at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The JSON-RPC code that reports it on a pushed request, `-32602` for nearly all.
    pub code: i64,
    /// The name of the rule, in kebab case; it stays.
    pub rule: &'static str,
    /// Where, as a JSON Pointer (RFC 6901) into the params or the result.
    pub path: String,
    /// A sentence for people.
    pub message: String,
}

/// Everything that was found, in document order within each rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Reasons to refuse.
    pub errors: Vec<Finding>,
    /// Reasons to look twice.
    pub warnings: Vec<Finding>,
}

impl Findings {
    /// Notes a broken rule. The path is written out only here.
    pub fn push(&mut self, level: Level, rule: &'static str, path: &Path<'_>, message: impl Into<String>) {
        self.add(level, rule, path, message.into());
    }

    #[inline(never)]
    fn add(&mut self, level: Level, rule: &'static str, path: &Path<'_>, message: String) {
        let finding = Finding { code: -32602, rule, path: path.pointer(), message };
        let list = if level == Level::Error { &mut self.errors } else { &mut self.warnings };
        list.push(finding);
    }

    /// True if nothing forbids the use.
    pub fn is_ok(&self) -> bool {
        self.errors.is_empty()
    }

    /// The findings as the JSON text `{"errors":[…],"warnings":[…]}`.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"errors\":");
        write_list(&mut out, &self.errors);
        out.push_str(",\"warnings\":");
        write_list(&mut out, &self.warnings);
        out.push_str("}");
        out
    }
}

fn write_list(out: &mut String, findings: &[Finding]) {
    out.push_str("[");
    for finding in findings {
        let texts = [&decimal(finding.code), finding.rule, &finding.path, &finding.message];
        push_item(out, &fill("{\"code\":%,\"rule\":$,\"path\":$,\"message\":$}", &texts));
    }
    out.push_str("]");
}
