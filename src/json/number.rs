//! Number tokens, judged by their spelling: no rounding, and none of the float tables that parsing would pull in.

use std::cmp::Ordering;
use std::fmt;

/// A JSON number as it was written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number<'d>(&'d str);

/// What a number comes to: `sign × 0.digits × 10^magnitude`, the digits without zeros at either end. Zero has no sign,
/// no digits and no magnitude.
#[derive(Clone, Copy)]
struct Parts<'d> {
    sign: i64,
    /// Begins with the digits, among which there may be a point.
    digits: &'d [u8],
    /// How many digits there are.
    count: i64,
    magnitude: i64,
}

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
        let parts = self.parts();
        let value = parts.shifted(0);
        (value < 1 << 53 && parts.is_whole()).then_some(value * parts.sign)
    }

    /// True for zero, however it is spelled.
    pub fn is_zero(self) -> bool {
        self.parts().sign == 0
    }

    /// True for numbers below zero.
    pub fn is_negative(self) -> bool {
        self.parts().sign < 0
    }

    /// True for whole numbers, however they are spelled and however large.
    pub fn is_integer(self) -> bool {
        self.parts().is_whole()
    }

    /// Compares by value, exactly.
    pub fn compare(self, other: Self) -> Ordering {
        let (mut one, mut two) = (self.parts(), other.parts());
        let mut size = one.magnitude.cmp(&two.magnitude);
        while size.is_eq() && one.count + two.count > 0 {
            size = one.next().cmp(&two.next());
        }
        one.sign.cmp(&two.sign).then(if one.sign < 0 { size.reverse() } else { size })
    }

    /// The value in thousandths, cut off, if it lies between 0 and 1 inclusive.
    ///
    /// Three digits are what preferences between 0 and 1 need, and whole numbers compare the same everywhere.
    pub fn as_unit_thousandths(self) -> Option<u32> {
        let parts = self.parts();
        let value = parts.shifted(3);
        let is_in_range = value < 1000 || (value == 1000 && parts.is_whole());
        (is_in_range && parts.sign >= 0).then_some(value as u32)
    }

    fn parts(self) -> Parts<'d> {
        /// An exponent too long for an `i64` is as good as this one: the number is zero or out of every range we ask
        /// about.
        const FAR: i64 = 1 << 40;
        let mut parts = Parts { sign: 1, digits: &[], count: 0, magnitude: 0 };
        let (mut zeros, mut places, mut in_exponent, mut exponent_sign, mut exponent) = (0, 0, false, 1, 0);
        let mut rest = self.0.as_bytes();
        while let [byte, after @ ..] = rest {
            match byte {
                b'+' => {}
                b'-' if in_exponent => exponent_sign = -1,
                b'-' => parts.sign = -1,
                b'.' => places = 1,
                b'e' | b'E' => in_exponent = true,
                digit if in_exponent => exponent = FAR.min(exponent * 10 + i64::from(digit - b'0')),
                b'0' if parts.count == 0 => parts.magnitude -= places,
                digit => {
                    if parts.count == 0 {
                        parts.digits = rest;
                    }
                    // Zeros count once another digit follows.
                    zeros += 1;
                    if *digit != b'0' {
                        (parts.count, zeros) = (parts.count + zeros, 0);
                    }
                    parts.magnitude += 1 - places;
                }
            }
            rest = after;
        }
        if parts.count == 0 {
            (parts.sign, parts.magnitude) = (0, 0);
        } else {
            parts.magnitude += exponent_sign * exponent;
        }
        parts
    }
}

/// The whole number that a text spells with digits and nothing else, save for a minus before them. Its size has 63 bits.
pub fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (-1, digits),
        digits => (1, digits),
    };
    Some(i64::try_from(whole(digits)?).ok()? * sign)
}

/// Digits and nothing else, as a number of at most 64 bits.
#[inline(never)]
pub fn whole(digits: &[u8]) -> Option<u64> {
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

impl Parts<'_> {
    fn is_whole(&self) -> bool {
        self.magnitude >= self.count
    }

    /// Takes the next digit; a zero behind the last.
    #[inline(never)]
    fn next(&mut self) -> i64 {
        while self.count > 0
            && let [byte, after @ ..] = self.digits
        {
            self.digits = after;
            if *byte != b'.' {
                self.count -= 1;
                return i64::from(byte - b'0');
            }
        }
        0
    }

    /// The number without its sign, times `10^places` and cut off, if it has no more than the eighteen digits that an
    /// `i64` surely holds; else the greatest one.
    #[inline(never)]
    fn shifted(&self, places: i64) -> i64 {
        let (mut value, mut digits) = (0, *self);
        let count = self.magnitude + places;
        if count > 18 {
            return i64::MAX;
        }
        for _ in 0..count {
            value = value * 10 + digits.next();
        }
        value
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
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
            ("1.000000000000000000000000", Some(1)),
            ("100000000000000000000000e-23", Some(1)),
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
