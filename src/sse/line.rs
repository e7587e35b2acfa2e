//! One line of an event stream.

/// The field of a line, and its value: what stands after the colon and one blank, or nothing.
pub(super) fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
    match line.split_at_checked(colon).unwrap_or_default() {
        (name, [_, b' ', value @ ..] | [_, value @ ..]) => (name, value),
        (name, []) => (name, &[]),
    }
}

/// Digits and nothing else. A number beyond 64 bits is nobody's waiting time and counts as malformed.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let mut number: u64 = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 || number > u64::MAX / 10 {
            return None;
        }
        number = (number * 10).checked_add(u64::from(digit))?;
    }
    (!digits.is_empty()).then_some(number)
}

/// How many bytes come before the first end of a line. Eight bytes a step, since one line holds a whole message; and one
/// comparison for both ends of line, since JSON has next to no other control characters.
pub(super) fn line_end(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let mut before = 0;
    for chunk in bytes.as_chunks::<8>().0 {
        let word = u64::from_le_bytes(*chunk);
        let control = word.wrapping_sub(ONES * (u64::from(b'\r') + 1)) & !word & HIGH;
        if control != 0 && chunk.iter().any(is_end) {
            break;
        }
        before += 8;
    }
    before + bytes.iter().skip(before).take_while(|byte| !is_end(byte)).count()
}

fn is_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
