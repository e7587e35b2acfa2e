//! How many tokens an answer took.

use crate::json::{Number, Value, decimal};

use super::body::Json;

/// Where a provider tells what. For counts a place is a member, `member/member`, or several with `+` between them, to be
/// added up.
#[derive(Debug)]
pub(super) struct Places {
    /// The model that answered.
    pub(super) model: &'static str,
    /// What was counted.
    pub(super) usage: &'static str,
    /// More that is worth keeping: our name and the provider's in turn, which has a `/` before it if it is in the
    /// part that is the answer.
    pub(super) details: &'static str,
    pub(super) input: &'static str,
    pub(super) output: &'static str,
    pub(super) cached: &'static str,
    pub(super) created: &'static str,
    /// Cached tokens count among the input, be they read or written.
    pub(super) inclusive: bool,
}

/// Writes the member `usage`, if there is one: token counts, and the provider's own account of them.
///
/// It is published as `_meta.usage` of a result, with the names of Anthropic's API: the reference server of the official
/// SDK sums exactly those. Tokens read from a cache are not among the input.
pub(super) fn write_usage(json: &mut Json, usage: Value<'_>, places: &Places) {
    if usage.is_null() {
        return;
    }
    let cached = count(usage, places.cached).unwrap_or(0);
    let created = count(usage, places.created).unwrap_or(0);
    let inside = if places.inclusive { Some(cached.saturating_add(created)) } else { None };
    let input = count(usage, places.input);
    let input = input.map(|input| inside.map_or(input, |inside| input.saturating_sub(inside).max(0)));
    json.lit("\"usage\":{");
    for (name, count) in [
        ("input_tokens", input),
        ("output_tokens", count(usage, places.output)),
        ("cache_creation_input_tokens", Some(created)),
        ("cache_read_input_tokens", Some(cached)),
    ] {
        if let Some(count) = count {
            json.two("\"%r\":%r", name, &decimal(count));
        }
    }
    json.one("\"raw\":%v}", usage.raw());
}

#[inline(never)]
fn count(usage: Value<'_>, places: &str) -> Option<i64> {
    let (mut sum, mut value, mut rest) = (None, usage, places);
    loop {
        let end = rest.bytes().position(|byte| matches!(byte, b'+' | b'/')).unwrap_or(rest.len());
        value = value.at(rest.get(..end).unwrap_or_default());
        let next = rest.as_bytes().get(end);
        if next != Some(&b'/') {
            let more = value.as_number().and_then(Number::as_safe_integer);
            sum = more.map(|more| more.saturating_add(sum.unwrap_or(0))).or(sum);
            value = usage;
        }
        if next.is_none() {
            return sum;
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}
