//! How many tokens an answer took.

use crate::json::{Value, decimal};
use crate::lines;

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
    let mut rest = place;
    let member = value.at(lines::until(&mut rest, b'/'));
    if rest.is_empty() { member } else { at_place(first_of(member), rest) }
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
    let or_nothing = |count: i64| if count == NONE { 0 } else { count };
    let cached = or_nothing(count(usage, places.cached));
    let created = or_nothing(count(usage, places.created));
    let mut input = count(usage, places.input);
    if places.inclusive && input != NONE {
        input = input.saturating_sub(cached.saturating_add(created)).max(0);
    }
    json.lit("\"usage\":{");
    write_count(json, "input_tokens", input);
    write_count(json, "output_tokens", count(usage, places.output));
    write_count(json, "cache_creation_input_tokens", created);
    write_count(json, "cache_read_input_tokens", cached);
    json.one("\"raw\":%v}", usage.raw());
}

/// No count.
const NONE: i64 = i64::MIN;

#[inline(never)]
fn write_count(json: &mut Json, name: &str, count: i64) {
    if count != NONE {
        json.two("\"%r\":%r", name, &decimal(count));
    }
}

#[inline(never)]
fn count(usage: Value<'_>, places: &str) -> i64 {
    let mut rest = places;
    let number = at_place(usage, lines::until(&mut rest, b'+')).integer_or(NONE);
    let more = if rest.is_empty() { NONE } else { count(usage, rest) };
    match (number, more) {
        (NONE, count) | (count, NONE) => count,
        _ => number.saturating_add(more),
    }
}
