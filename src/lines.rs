//! Lists as one text, each item with a line break behind it: smaller than a table, where each is an address and a
//! length.

use crate::error::part;
use crate::json::{Kind, Value};

/// Takes the first item off the list; an empty text if it has none.
pub(crate) fn next<'l>(list: &mut &'l str) -> &'l str {
    until(list, b'\n')
}

/// Takes off the text what comes before the next of this ASCII character, and the character; all, if there is none.
#[inline(never)]
pub(crate) fn until<'t>(text: &mut &'t str, stop: u8) -> &'t str {
    let end = run(text.as_bytes(), stop);
    let before = part(text, 0, end);
    *text = part(text, end + 1, text.len());
    before
}

/// How many bytes come before this one.
#[inline(never)]
pub(crate) fn run(bytes: &[u8], stop: u8) -> usize {
    let mut end = 0;
    for byte in bytes {
        if *byte == stop {
            break;
        }
        end += 1;
    }
    end
}

/// The item at a place.
#[inline(never)]
pub(crate) fn at(mut list: &str, place: usize) -> &str {
    for _ in 0..place {
        next(&mut list);
    }
    next(&mut list)
}

/// Where an item is that is not there.
pub(crate) const NOWHERE: usize = usize::MAX;

/// The place of an item, or [`NOWHERE`].
#[inline(always)]
pub(crate) fn place_of(list: &str, item: &str) -> usize {
    place_of_bytes(list, item.as_bytes())
}

/// As [`place_of`], for what may be no text.
#[inline(never)]
pub(crate) fn place_of_bytes(list: &str, item: &[u8]) -> usize {
    // Letter by letter, since every block is asked for its type.
    let (mut place, mut fitting) = (0, 0);
    for byte in list.as_bytes() {
        if *byte == b'\n' {
            if fitting == item.len() {
                return place;
            }
            (place, fitting) = (place + 1, 0);
        } else if item.get(fitting) == Some(byte) {
            fitting += 1;
        } else {
            fitting = NOWHERE;
        }
    }
    NOWHERE
}

/// The place of the item that is this string, or [`NOWHERE`].
#[inline(never)]
pub(crate) fn place_in(list: &str, text: Value<'_>) -> usize {
    if text.kind() != Kind::String {
        return NOWHERE;
    }
    match text.has_escapes() {
        false => place_of(list, text.inside()),
        true => place_of(list, &text.text()),
    }
}
