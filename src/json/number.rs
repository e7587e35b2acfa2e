//! Number tokens, judged by their spelling: no rounding, and none of the float tables that parsing would pull in.

use std::cmp::Ordering;
use std::fmt;

/// A JSON number as it was written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number<'d>(&'d str);

impl<'d> Number<'d> {
    pub(super) fn new(raw: &'d str) -> Self {
        Self(raw)
    }

    /// The number as it was written.
    pub fn raw(self) -> &'d str {
        self.0
    }

    /// The value, if it is an integer of at most 2^53 - 1 in size, however it is spelled (`10`, `1e1`, `10.0`).
    pub fn as_safe_integer(self) -> Option<i64> {
        let (negative, digits, exponent) = self.parts();
        let mut value: i64 = 0;
        let mut places = exponent;
        for digit in digits.bytes().filter(u8::is_ascii_digit) {
            value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
        }
        while value != 0 && places != 0 {
            value = if places > 0 { value.checked_mul(10)? } else { exact_tenth(value)? };
            places -= places.signum();
        }
        (value < 1 << 53).then_some(if negative { -value } else { value })
    }

    /// True for zero, however it is spelled.
    pub fn is_zero(self) -> bool {
        self.parts().1.bytes().all(|byte| matches!(byte, b'0' | b'.'))
    }

    /// True for numbers below zero.
    pub fn is_negative(self) -> bool {
        self.0.starts_with('-') && !self.is_zero()
    }

    /// True for whole numbers, however they are spelled and however large.
    pub fn is_integer(self) -> bool {
        let (digits, magnitude) = self.significant();
        magnitude >= digits.len() as i64
    }

    /// Compares by value, exactly.
    pub fn compare(self, other: Self) -> Ordering {
        let size = |number: Self| {
            let (digits, magnitude) = number.significant();
            (if digits.is_empty() { i64::MIN } else { magnitude }, digits)
        };
        match (self.is_negative(), other.is_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => size(self).cmp(&size(other)),
            (true, true) => size(other).cmp(&size(self)),
        }
    }

    /// The digits without zeros at either end, and where the point stands before them: `0.digits × 10^magnitude`.
    /// Empty and 0 for zero.
    fn significant(self) -> (String, i64) {
        let (_, digits, exponent) = self.parts();
        let all = digits.replace('.', "");
        let trimmed = all.trim_start_matches('0');
        let magnitude = (trimmed.len() as i64).saturating_add(exponent);
        match trimmed.trim_end_matches('0') {
            "" => (String::new(), 0),
            significant => (significant.to_owned(), magnitude),
        }
    }

    /// The value in thousandths, cut off, if it lies between 0 and 1 inclusive.
    ///
    /// Three digits are what preferences between 0 and 1 need, and whole numbers compare the same everywhere.
    pub fn as_unit_thousandths(self) -> Option<u32> {
        let (significant, magnitude) = self.significant();
        if self.is_negative() || magnitude > 1 || (magnitude == 1 && significant != "1") {
            return None;
        }
        let zeros = usize::try_from(-magnitude).unwrap_or(0).min(3);
        let places = "000".bytes().take(zeros).chain(significant.bytes()).chain(*b"0000");
        let wanted = if magnitude == 1 { 4 } else { 3 };
        Some(places.take(wanted).fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
    }

    /// Sign, the digits with their point, and the power of ten that the digits, read as an integer, are times.
    fn parts(self) -> (bool, &'d str, i64) {
        let unsigned = self.0.strip_prefix('-').unwrap_or(self.0);
        let (digits, power) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i64);
        (unsigned.len() != self.0.len(), digits, clamped(power).saturating_sub(fraction))
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

fn exact_tenth(value: i64) -> Option<i64> {
    (value % 10 == 0).then_some(value / 10)
}

/// An exponent too long for an `i64` is as good as this one: the number is zero or out of every range we ask about.
fn clamped(power: &str) -> i64 {
    const FAR: i64 = 1 << 40;
    let unsigned = power.trim_start_matches(['+', '-']);
    let size = unsigned.parse().unwrap_or(FAR).min(FAR);
    if power.starts_with('-') { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::Number;

    #[test]
    fn safe_integers() {
        for (raw, value) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("10", Some(10)),
            ("1e1", Some(10)),
            ("100.0", Some(100)),
            ("1.5", None),
            ("1500e-2", Some(15)),
            ("-3", Some(-3)),
            ("9007199254740991", Some(9_007_199_254_740_991)),
            ("9007199254740992", None),
            ("1e999999999999999999999", None),
            ("0e999999999999999999999", Some(0)),
            ("1e-999999999999999999999", None),
        ] {
            assert_eq!(Number::new(raw).as_safe_integer(), value, "{raw}");
        }
    }

    #[test]
    fn compares_by_value() {
        let order =
            ["-1e9", "-10", "-1.5", "-0.001", "0", "1e-9", "0.5", "1", "1.0000001", "9", "10", "1e400", "1e401"];
        for (left_index, left) in order.iter().enumerate() {
            for (right_index, right) in order.iter().enumerate() {
                let found = Number::new(left).compare(Number::new(right));
                assert_eq!(found, left_index.cmp(&right_index), "{left} {right}");
            }
        }
        assert!(Number::new("1e1").compare(Number::new("10.00")).is_eq());
        assert!(Number::new("-0").compare(Number::new("0e5")).is_eq());
    }

    #[test]
    fn integers() {
        for (raw, whole) in
            [("1.0", true), ("1.5", false), ("15e-1", false), ("150e-1", true), ("0.0", true), ("1e30", true)]
        {
            assert_eq!(Number::new(raw).is_integer(), whole, "{raw}");
        }
    }

    #[test]
    fn unit_thousandths() {
        for (raw, value) in [
            ("0", Some(0)),
            ("-0.0", Some(0)),
            ("1", Some(1000)),
            ("1.000", Some(1000)),
            ("10e-1", Some(1000)),
            ("0.8", Some(800)),
            ("0.0015", Some(1)),
            ("5e-1", Some(500)),
            ("0.00000001", Some(0)),
            ("1.0001", None),
            ("-0.1", None),
            ("2", None),
            ("1e400", None),
            ("1e-400", Some(0)),
            ("0.12345", Some(123)),
        ] {
            assert_eq!(Number::new(raw).as_unit_thousandths(), value, "{raw}");
        }
    }
}
