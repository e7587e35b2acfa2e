//! How many tokens an answer took.

use crate::json::{Number, Value, decimal};

use super::body::Json;

/// Where a provider counts: a place is a member, `member/member`, or several with `+` between them, to be added up.
#[derive(Debug)]
pub(super) struct Counts {
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
pub(super) fn write_usage(json: &mut Json, usage: Value<'_>, counts: &Counts) {
    if usage.is_null() {
        return;
    }
    let cached = count(usage, counts.cached).unwrap_or(0);
    let created = count(usage, counts.created).unwrap_or(0);
    let inside = if counts.inclusive { Some(cached.saturating_add(created)) } else { None };
    let input = count(usage, counts.input);
    let input = input.map(|input| inside.map_or(input, |inside| input.saturating_sub(inside).max(0)));
    json.lit("\"usage\":{");
    for (name, count) in [
        ("input_tokens", input),
        ("output_tokens", count(usage, counts.output)),
        ("cache_creation_input_tokens", Some(created)),
        ("cache_read_input_tokens", Some(cached)),
    ] {
        if let Some(count) = count {
            json.put("\"%r\":%r", &[name, &decimal(count)]);
        }
    }
    json.put("\"raw\":%v}", &[usage.raw()]);
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
