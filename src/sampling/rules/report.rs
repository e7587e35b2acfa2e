//! Collecting findings.

use super::table::Rule;
use crate::error::{fill, start};
use crate::json::{JsonStr, Path, Value, concat};
use crate::revision::Revision;
use crate::sampling::{Checks, Findings, Level};

/// How many findings are listed; what is broken more often is broken by intent.
pub const MAX_FINDINGS: usize = 100;

/// What a value must be, and what it is.
pub(super) const WRONG: &str = "This must be %, but it is %%.";

/// The findings so far, and what they are judged by.
pub(crate) struct Report<'c> {
    pub(super) checks: &'c Checks,
    findings: Findings,
    left_out: Option<Level>,
}

impl<'c> Report<'c> {
    #[inline(never)]
    pub(crate) fn new(checks: &'c Checks) -> Self {
        Self { checks, findings: Findings::default(), left_out: None }
    }

    pub(crate) fn before(&self, revision: Revision) -> bool {
        self.checks.revision < revision
    }

    /// Notes a broken rule, with a sentence in which the texts stand for a `%` each. It and the path are only written if
    /// they will be listed.
    #[inline(never)]
    pub(crate) fn broken(&mut self, rule: Rule, path: &Path<'_>, sentence: &str, texts: &[&str]) {
        let level = rule.strength().level(self.checks.lenient);
        if self.findings.errors.len() + self.findings.warnings.len() < MAX_FINDINGS {
            self.findings.push(level, rule.name(), path, fill(sentence, texts));
        } else if self.left_out != Some(Level::Error) {
            self.left_out = Some(level);
        }
    }

    /// As [`Report::remark`], about a member of what is checked.
    #[inline(never)]
    pub(super) fn remark_at(&mut self, rule: Rule, name: &str) {
        self.remark(rule, &Path::Root.key(name));
    }

    /// As [`Report::broken`], with the rule's own sentence as it stands.
    #[inline(never)]
    pub(super) fn remark(&mut self, rule: Rule, path: &Path<'_>) {
        self.say(rule, path, &[]);
    }

    /// As [`Report::broken`], with the rule's own sentence.
    pub(super) fn say(&mut self, rule: Rule, path: &Path<'_>, texts: &[&str]) {
        self.broken(rule, path, rule.words(), texts);
    }

    /// As [`Report::broken`], about the value at `path`: what it must be, and what it is.
    pub(crate) fn wrong(&mut self, rule: Rule, path: &Path<'_>, expected: &str, found: Value<'_>) {
        self.broken(rule, path, WRONG, &[expected, "", found.kind().phrase()]);
    }

    /// All findings; the last one stands for those left out, and is an error if one of them was.
    pub(crate) fn finish(&mut self) -> Findings {
        if let Some(level) = self.left_out {
            let rule = Rule::MoreFindings;
            self.findings.push(level, rule.name(), &Path::Root, rule.words().to_owned());
        }
        std::mem::take(&mut self.findings)
    }
}

/// A name or id for a sentence: in quotes, cut to 60 characters.
#[inline(never)]
pub(crate) fn shown(text: JsonStr<'_>) -> String {
    let text = text.value().text();
    let cut = start(&text, 60);
    concat(&["\"", cut, if cut.len() < text.len() { "…\"" } else { "\"" }])
}
