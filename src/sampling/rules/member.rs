//! Members of objects: there or not, and of the right type.

use super::report::Report;
use super::table::{META, Rule};
use crate::json::{Kind, Path, Value};

/// What a value may be.
#[derive(Clone, Copy)]
pub(crate) enum Want {
    String,
    Bool,
    Number,
    Integer,
    Object,
    Array,
    Strings,
    UnitNumber,
    OneOf(&'static [&'static str]),
}

impl Want {
    fn accepts(self, value: Value<'_>) -> bool {
        match self {
            Self::String => value.kind() == Kind::String,
            Self::Bool => value.kind() == Kind::Bool,
            Self::Number => value.kind() == Kind::Number,
            Self::Integer => value.as_number().is_some_and(|number| number.as_safe_integer().is_some()),
            Self::Object => value.kind() == Kind::Object,
            Self::Array => value.kind() == Kind::Array,
            Self::Strings => value.kind() == Kind::Array && value.items().all(|item| item.kind() == Kind::String),
            Self::UnitNumber => value.as_number().is_some_and(|number| number.as_unit_thousandths().is_some()),
            Self::OneOf(words) => value.as_str().is_some_and(|text| words.iter().any(|word| text == *word)),
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::String | Self::OneOf(_) => Kind::String,
            Self::Bool => Kind::Bool,
            Self::Number | Self::Integer | Self::UnitNumber => Kind::Number,
            Self::Object => Kind::Object,
            Self::Array | Self::Strings => Kind::Array,
        }
    }

    fn phrase(self) -> String {
        String::from(match self {
            Self::String => Kind::String.phrase(),
            Self::Bool => Kind::Bool.phrase(),
            Self::Number => Kind::Number.phrase(),
            Self::Integer => "a whole number of at most 2^53 - 1",
            Self::Object => Kind::Object.phrase(),
            Self::Array => Kind::Array.phrase(),
            Self::Strings => "an array of strings",
            Self::UnitNumber => "a number from 0 to 1",
            Self::OneOf(words) => return words.join(" or "),
        })
    }
}

/// An object under inspection: the rule that its members answer to, and where it stands.
pub(crate) struct Members<'a, 'd> {
    pub(crate) rule: Rule,
    pub(crate) object: Value<'d>,
    pub(crate) path: &'a Path<'a>,
}

impl<'d> Members<'_, 'd> {
    /// The member, if it is there and as wanted. Absence is a finding.
    pub(crate) fn required(&self, name: &str, want: Want, report: &mut Report<'_>) -> Option<Value<'d>> {
        let found = self.object.get(name);
        if found.is_none() {
            report.broken(self.rule, self.path, &["`", name, "` is missing; it must be ", &want.phrase(), "."]);
        }
        self.judged(name, found?, want, report)
    }

    /// The member, if it is there and as wanted.
    pub(crate) fn optional(&self, name: &str, want: Want, report: &mut Report<'_>) -> Option<Value<'d>> {
        self.judged(name, self.object.get(name)?, want, report)
    }

    /// As [`Members::optional`] for several members of one type.
    pub(crate) fn all_optional(&self, names: &[&str], want: Want, report: &mut Report<'_>) {
        for name in names {
            self.optional(name, want, report);
        }
    }

    fn judged(&self, name: &str, value: Value<'d>, want: Want, report: &mut Report<'_>) -> Option<Value<'d>> {
        if want.accepts(value) {
            return Some(value);
        }
        let kind = value.kind().phrase();
        // "must be a number from 0 to 1, but it is a number" would say nothing.
        let found = if value.kind() == want.kind() { another(kind) } else { kind.to_owned() };
        let sentence = ["`", name, "` must be ", &want.phrase(), ", but it is ", &found, "."];
        report.broken(self.rule, &self.path.key(name), &sentence);
        None
    }
}

/// "a string" becomes "another string".
fn another(kind: &str) -> String {
    ["another ", kind.split_once(' ').map_or(kind, |(_, noun)| noun)].concat()
}

/// [`META`]: basic, `_meta`.
pub(super) fn meta(object: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    Members { rule: META, object, path }.optional("_meta", Want::Object, report);
}
