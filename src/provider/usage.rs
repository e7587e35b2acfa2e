//! How many tokens an answer took.

use crate::json::{Value, decimal};
use crate::lines;

use super::body::Json;

/// Where a provider tells what, as lines of a text. A place is a member, or `member/member`, where a list stands for its
/// first item; for counts also several with `+` between them, to be added up.
macro_rules! places {
    (
        content: $content:expr,
        missing: $missing:expr,
        reason: $reason:expr,
        model: $model:expr,
        usage: $usage:expr,
        details: $details:expr,
        input: $input:expr,
        output: $output:expr,
        cached: $cached:expr,
        created: $created:expr,
        inclusive: $inclusive:expr,
        ends: $ends:expr,
    ) => {
        concat!(
            $content, "\n", $missing, "\n", $reason, "\n", $model, "\n", $usage, "\n", $details, "\n", $input, "\n",
            $output, "\n", $cached, "\n", $created, "\n", $inclusive, "\n", $ends
        )
    };
}
pub(super) use places;

/// The lines of the places.
pub(super) mod line {
    /// What the adapter reads, and what to say where it must not be missing and is.
    pub(in super::super) const CONTENT: usize = 0;
    pub(in super::super) const MISSING: usize = 1;
    /// Why the answer ended.
    pub(in super::super) const REASON: usize = 2;
    /// The model that answered.
    pub(in super::super) const MODEL: usize = 3;
    /// What was counted.
    pub(in super::super) const USAGE: usize = 4;
    /// More that is worth keeping: our name and the place in turn.
    pub(in super::super) const DETAILS: usize = 5;
    pub(super) const INPUT: usize = 6;
    pub(super) const OUTPUT: usize = 7;
    pub(super) const CACHED: usize = 8;
    pub(super) const CREATED: usize = 9;
    /// Something if cached tokens count among the input, be they read or written.
    pub(super) const INCLUSIVE: usize = 10;
    /// The first of the lines with the words for each end; see [`end_of`](super::super::end::end_of).
    pub(in super::super) const ENDS: usize = 11;
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
pub(super) fn write_usage(json: &mut Json, usage: Value<'_>, places: &str) {
    if usage.is_null() {
        return;
    }
    let or_nothing = |count: i64| if count == NONE { 0 } else { count };
    let cached = or_nothing(counted(usage, places, line::CACHED));
    let created = or_nothing(counted(usage, places, line::CREATED));
    let mut input = counted(usage, places, line::INPUT);
    if input != NONE && !lines::at(places, line::INCLUSIVE).is_empty() {
        input = input.saturating_sub(cached.saturating_add(created)).max(0);
    }
    json.lit("\"usage\":{");
    write_count(json, "input_tokens", input);
    write_count(json, "output_tokens", counted(usage, places, line::OUTPUT));
    write_count(json, "cache_creation_input_tokens", created);
    write_count(json, "cache_read_input_tokens", cached);
    json.value("\"raw\":%v}", usage);
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
fn counted(usage: Value<'_>, places: &str, line: usize) -> i64 {
    count(usage, lines::at(places, line))
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
