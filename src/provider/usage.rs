//! How many tokens an answer took.

use crate::error::split_at_any;
use crate::json::{Number, Value, decimal};

use super::body::Json;

/// Where a provider tells what. A place is a member, or `member/member`, where a list stands for its first item; for
/// counts also several with `+` between them, to be added up.
#[derive(Debug)]
pub(super) struct Places {
    /// What the adapter reads, and what to say where it must not be missing and is.
    pub(super) content: &'static str,
    pub(super) missing: &'static str,
    /// Why the answer ended, and what the words for it stand for; see [`end_of`](super::end::end_of).
    pub(super) reason: &'static str,
    pub(super) ends: &'static str,
    /// The model that answered.
    pub(super) model: &'static str,
    /// What was counted.
    pub(super) usage: &'static str,
    /// More that is worth keeping: our name and the place in turn.
    pub(super) details: &'static str,
    pub(super) input: &'static str,
    pub(super) output: &'static str,
    pub(super) cached: &'static str,
    pub(super) created: &'static str,
    /// Cached tokens count among the input, be they read or written.
    pub(super) inclusive: bool,
}

/// What stands at a place.
#[inline(never)]
pub(super) fn at_place<'r>(value: Value<'r>, place: &str) -> Value<'r> {
    match split_at_any(place, "/") {
        Some((name, rest)) => at_place(first_of(value.at(name)), rest.get(1..).unwrap_or_default()),
        None => value.at(place),
    }
}

fn first_of(value: Value<'_>) -> Value<'_> {
    value.one_or_items().next().unwrap_or_else(|| value.nothing())
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
    let (place, rest) = split_at_any(places, "+").unwrap_or((places, ""));
    let number = at_place(usage, place).as_number().and_then(Number::as_safe_integer);
    let more = if rest.is_empty() { None } else { count(usage, rest.get(1..).unwrap_or_default()) };
    number.map(|number| number.saturating_add(more.unwrap_or(0))).or(more)
}
