//! One line of an event stream.

use std::borrow::Cow;

/// What a line is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Data,
    Event,
    Id,
    Retry,
    /// The blank line after an event.
    End,
    /// A comment, or a field that the standard does not know.
    Ignored,
}

/// The field of a line, and its value: what stands after the colon and one blank, or nothing.
pub(super) fn read(line: &[u8]) -> (Field, &[u8]) {
    let (field, rest) = match line {
        [] => (Field::End, line),
        [b'd', b'a', b't', b'a', rest @ ..] => (Field::Data, rest),
        [b'e', b'v', b'e', b'n', b't', rest @ ..] => (Field::Event, rest),
        [b'i', b'd', rest @ ..] => (Field::Id, rest),
        [b'r', b'e', b't', b'r', b'y', rest @ ..] => (Field::Retry, rest),
        _ => (Field::Ignored, line),
    };
    match rest {
        [] => (field, rest),
        [b':', b' ', value @ ..] | [b':', value @ ..] => (field, value),
        _ => (Field::Ignored, rest),
    }
}

/// Names and ids are text, and the standard decodes them so.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Digits and nothing else. A number beyond 64 bits is nobody's waiting time and counts as malformed.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let add = |number: u64, digit: &u8| {
        let digit = digit.wrapping_sub(b'0');
        (digit < 10).then(|| number.checked_mul(10)?.checked_add(u64::from(digit)))?
    };
    if digits.is_empty() { None } else { digits.iter().try_fold(0, add) }
}

/// The first line without its end, and the rest from the end on.
pub(super) fn split_at_line_end(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut at = 0;
    loop {
        at += position_of_control(bytes.get(at..)?)?;
        if matches!(bytes.get(at), Some(b'\n' | b'\r')) {
            return bytes.split_at_checked(at);
        }
        at += 1;
    }
}

/// Where the first byte up to CR is. Eight bytes a step, since one line holds a whole message; and one comparison for
/// both ends of line, since JSON has next to no other control characters.
fn position_of_control(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let mut rest = bytes;
    while let Some((chunk, after)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*chunk);
        let low = word.wrapping_sub(ONES * (u64::from(b'\r') + 1)) & !word & HIGH;
        if low != 0 {
            return Some(bytes.len() - rest.len() + low.trailing_zeros() as usize / 8);
        }
        rest = after;
    }
    rest.iter().position(|byte| *byte <= b'\r').map(|at| bytes.len() - rest.len() + at)
}
