//! How many tokens an answer took.

use crate::json::{Number, Value};

use super::body::Json;

/// Token counts, and the provider's own account of them.
///
/// They are published as `_meta.usage` of a result, with the names of Anthropic's API: the reference server of the
/// official SDK sums exactly those. Tokens read from a cache are not among `input`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage<'r> {
    pub(super) input: Option<i64>,
    pub(super) output: Option<i64>,
    pub(super) cache_creation: Option<i64>,
    pub(super) cache_read: Option<i64>,
    /// What the provider sent, kept under `raw`.
    pub(super) raw: Option<Value<'r>>,
}

impl<'r> Usage<'r> {
    /// The counts that stand at these places of the provider's `usage`; a place is a member, `member/member`, or several
    /// with `+` between them, to be added up.
    pub(super) fn read(usage: Option<Value<'r>>, input: &str, output: &str, cached: &str, created: &str) -> Self {
        let count = |places: &str| {
            let counts = places.split('+').filter_map(|place| number_at(usage?, place));
            counts.reduce(i64::saturating_add)
        };
        Self {
            input: count(input),
            output: count(output),
            cache_creation: count(created),
            cache_read: count(cached),
            raw: usage,
        }
    }

    /// For providers that count cached tokens among the input, be they read or written.
    pub(super) fn without_cached_input(mut self) -> Self {
        let cached = self.cache_read.unwrap_or(0).saturating_add(self.cache_creation.unwrap_or(0));
        self.input = self.input.map(|input| input.saturating_sub(cached).max(0));
        self
    }

    /// Writes the member `usage`, if there is one.
    pub(super) fn write(self, json: &mut Json) {
        let Some(raw) = self.raw.filter(|raw| !raw.is_null()) else { return };
        json.key("usage").open('{');
        for (name, count) in [("input_tokens", self.input), ("output_tokens", self.output)] {
            if let Some(count) = count {
                json.key(name).number(count);
            }
        }
        json.key("cache_creation_input_tokens").number(self.cache_creation.unwrap_or(0));
        json.key("cache_read_input_tokens").number(self.cache_read.unwrap_or(0));
        json.key("raw").value(raw);
        json.close('}');
    }
}

fn number_at(value: Value<'_>, place: &str) -> Option<i64> {
    let value = place.split('/').try_fold(value, Value::get)?;
    value.as_number().and_then(Number::as_safe_integer)
}
