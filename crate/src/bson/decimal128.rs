//! Decimal128 as sign, coefficient and exponent: conversion, comparison, rounding, text.
//!
//! Arithmetic lies in `decimal_arithmetic`. Invariant: a finite `Decimal` has at most 34 digits and an
//! exponent within -6176..=6111; anything else is rounded half to even by `finish`, or overflows
//! to infinity. Bits that are not canonical read as the standard says: as zero.

use super::float::{self, Numeral, Rounding};
use std::cmp::Ordering;

/// The most digits a coefficient has.
pub const MAX_DIGITS: u32 = 34;
/// The least exponent.
pub const MIN_EXPONENT: i32 = -6176;
/// The greatest exponent.
pub const MAX_EXPONENT: i32 = 6111;
const MAX_COEFFICIENT: u128 = 10_u128.pow(MAX_DIGITS) - 1;

/// A decimal number as it is stored: 16 bytes, of which the lowest comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal128([u8; 16]);

impl Decimal128 {
    /// The number that these bytes store; none are refused.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes, as a document has them.
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

/// Why a text is no decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    NoNumber,
    TooLarge,
    TooSmall,
}

/// An unpacked decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimal {
    NaN,
    Infinity {
        negative: bool,
    },
    /// `± coefficient * 10^exponent`; equal values may differ in exponent, and zero has a sign.
    Finite {
        negative: bool,
        coefficient: u128,
        exponent: i32,
    },
}

impl Decimal {
    pub const ZERO: Self = Self::Finite {
        negative: false,
        coefficient: 0,
        exponent: 0,
    };

    /// Unpacks the bits of a stored value.
    pub fn from_bits(decimal: Decimal128) -> Self {
        let bits = u128::from_le_bytes(decimal.bytes());
        let negative = bits >> 127 == 1;
        let (coefficient, exponent) = match (bits >> 122) & 0x1F {
            0x1F => return Self::NaN,
            0x1E => return Self::Infinity { negative },
            0x18..=0x1D => (0, (bits >> 111) & 0x3FFF),
            _ => (bits & ((1 << 113) - 1), (bits >> 113) & 0x3FFF),
        };
        Self::Finite {
            negative,
            coefficient: match coefficient > MAX_COEFFICIENT {
                true => 0,
                false => coefficient,
            },
            exponent: exponent as i32 + MIN_EXPONENT,
        }
    }

    /// Packs the value for storing.
    pub fn to_bits(self) -> Decimal128 {
        let bits = match self {
            Self::NaN => 0x1F << 122,
            Self::Infinity { negative } => u128::from(negative) << 127 | 0x1E << 122,
            Self::Finite {
                negative,
                coefficient,
                exponent,
            } => {
                let biased = (exponent - MIN_EXPONENT) as u128;
                u128::from(negative) << 127 | biased << 113 | coefficient
            }
        };
        Decimal128::from_bytes(bits.to_le_bytes())
    }

    pub fn from_i64(number: i64) -> Self {
        Self::Finite {
            negative: number < 0,
            coefficient: u128::from(number.unsigned_abs()),
            exponent: 0,
        }
    }

    /// A double at 15 significant digits, as `$toDecimal` and mixed arithmetic take it.
    pub fn from_double(number: f64) -> Self {
        let negative = number.is_sign_negative();
        if number.is_nan() {
            return Self::NaN;
        }
        if number.is_infinite() {
            return Self::Infinity { negative };
        }
        let (digits, exponent, cut) = float::double_digits(number, 17);
        if digits == 0 {
            return Self::Finite {
                negative,
                coefficient: 0,
                exponent: 0,
            };
        }
        let rounded = float::round_digits(digits, 2, cut);
        let (coefficient, exponent) = match float::digit_count(rounded) {
            16 => (rounded / 10, exponent + 3),
            _ => (rounded, exponent + 2),
        };
        Self::finish(negative, coefficient, exponent, false)
    }

    /// The double's own value at 34 digits, without zeros beyond its last digit: what sums of doubles add to decimals.
    pub fn from_double_exactly(number: f64) -> Self {
        if !number.is_finite() || number == 0.0 {
            return Self::from_double(number);
        }
        let (mut digits, mut exponent, cut) = float::double_digits(number, 37);
        while !cut && exponent < 0 && digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Self::finish(number.is_sign_negative(), digits, exponent, cut)
    }

    /// Rounds any coefficient and exponent to a value of this type. `cut` says that something
    /// nonzero lies below the coefficient's last digit, which then has more than 34 digits.
    pub(super) fn finish(
        negative: bool,
        mut coefficient: u128,
        mut exponent: i32,
        cut: bool,
    ) -> Self {
        let excess = float::digit_count(coefficient) as i32 - MAX_DIGITS as i32;
        let drop = excess.max(MIN_EXPONENT.saturating_sub(exponent)).max(0);
        if drop > 0 {
            coefficient = float::round_digits(coefficient, drop as u32, cut);
            exponent += drop;
            if coefficient > MAX_COEFFICIENT {
                coefficient /= 10;
                exponent += 1;
            }
        }
        if exponent > MAX_EXPONENT {
            let room = MAX_DIGITS as i32 - float::digit_count(coefficient) as i32;
            let pad = exponent - MAX_EXPONENT;
            match (coefficient, pad <= room) {
                (0, _) => {}
                (_, true) => coefficient *= 10_u128.pow(pad as u32),
                (_, false) => return Self::Infinity { negative },
            }
            exponent = MAX_EXPONENT;
        }
        Self::Finite {
            negative,
            coefficient,
            exponent,
        }
    }

    /// Reads a decimal's text (a numeral, `Infinity`, `Inf` or `NaN` in any case, with a sign),
    /// rounded to 34 digits; `None` when the text is not that.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(numeral) = float::parse_numeral(text) {
            let Numeral {
                negative,
                coefficient,
                exponent,
                cut,
            } = numeral;
            return Some(Self::finish(negative, coefficient, exponent, cut));
        }
        let (negative, word) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        if word.eq_ignore_ascii_case("infinity") || word.eq_ignore_ascii_case("inf") {
            Some(Self::Infinity { negative })
        } else if word.eq_ignore_ascii_case("nan") {
            Some(Self::NaN)
        } else {
            None
        }
    }

    /// Reads a decimal's text, and refuses a number that is too large, or that is too small for its digits.
    ///
    /// # Errors
    /// Why it is no decimal.
    pub fn parse_exactly(text: &str) -> Result<Self, Unreadable> {
        let read = Self::parse(text).ok_or(Unreadable::NoNumber)?;
        let Some(numeral) = float::parse_numeral(text) else {
            return Ok(read);
        };
        let lost = MIN_EXPONENT.saturating_sub(numeral.exponent).max(0) as u32;
        let is_exact = match 10_u128.checked_pow(lost) {
            Some(scale) => !numeral.cut && numeral.coefficient.is_multiple_of(scale),
            None => numeral.coefficient == 0,
        };
        match read {
            Self::Infinity { .. } => Err(Unreadable::TooLarge),
            // A full coefficient loses digits to rounding alone.
            Self::Finite { coefficient, .. }
                if lost > 0 && !is_exact && coefficient <= MAX_COEFFICIENT / 10 =>
            {
                Err(Unreadable::TooSmall)
            }
            _ => Ok(read),
        }
    }

    /// Appends the canonical text: plain digits, or scientific when the exponent asks for it.
    pub fn write(self, out: &mut String) {
        let (negative, coefficient, exponent) = match self {
            Self::NaN => return out.push_str("NaN"),
            Self::Infinity { negative: true } => return out.push_str("-Infinity"),
            Self::Infinity { negative: false } => return out.push_str("Infinity"),
            Self::Finite {
                negative,
                coefficient,
                exponent,
            } => (negative, coefficient, exponent),
        };
        if negative {
            out.push('-');
        }
        let start = out.len();
        float::write_digits(out, coefficient);
        let count = (out.len() - start) as i32;
        let magnitude = exponent + count - 1;
        if exponent > 0 || magnitude < -6 {
            if count > 1 {
                out.insert(start + 1, '.');
            }
            out.push('E');
            out.push(if magnitude < 0 { '-' } else { '+' });
            float::write_digits(out, u128::from(magnitude.unsigned_abs()));
        } else if exponent < 0 {
            let point = count + exponent;
            if point > 0 {
                out.insert(start + point as usize, '.');
            } else {
                out.insert_str(start, &"0.00000"[..2 + point.unsigned_abs() as usize]);
            }
        }
    }

    /// The nearest double.
    pub fn to_double(self) -> f64 {
        let (negative, magnitude) = match self {
            Self::NaN => return f64::NAN,
            Self::Infinity { negative } => (negative, f64::INFINITY),
            Self::Finite {
                negative,
                coefficient,
                exponent,
            } => (
                negative,
                float::decimal_to_double(coefficient, exponent, Rounding::NearestEven).0,
            ),
        };
        if negative { -magnitude } else { magnitude }
    }

    /// The integer part, and whether that is the whole value; `None` beyond 64 bits and for
    /// infinities and NaN.
    pub fn to_i64(self) -> Option<(i64, bool)> {
        let Self::Finite {
            negative,
            coefficient,
            exponent,
        } = self
        else {
            return None;
        };
        let (whole, exact) = match exponent {
            _ if coefficient == 0 => (0, true),
            0.. => {
                let scale = 10_u128.checked_pow(exponent as u32)?;
                (coefficient.checked_mul(scale)?, true)
            }
            _ => match 10_u128.checked_pow(exponent.unsigned_abs()) {
                Some(scale) => (coefficient / scale, coefficient.is_multiple_of(scale)),
                None => (0, false),
            },
        };
        let whole = i128::try_from(whole).ok()?;
        let signed = i64::try_from(if negative { -whole } else { whole }).ok()?;
        Some((signed, exact))
    }

    pub fn is_zero(self) -> bool {
        matches!(self, Self::Finite { coefficient: 0, .. })
    }

    pub fn is_nan(self) -> bool {
        self == Self::NaN
    }

    /// Whether the sign bit is set (of zeros and infinities too).
    pub fn is_negative(self) -> bool {
        match self {
            Self::NaN => false,
            Self::Infinity { negative } | Self::Finite { negative, .. } => negative,
        }
    }

    /// Orders by value: NaN first and equal to itself, the zeros equal.
    pub fn compare(self, other: Self) -> Ordering {
        let rank = |decimal: Self| match decimal {
            Self::NaN => -3,
            Self::Infinity { negative: true } => -2,
            Self::Infinity { negative: false } => 2,
            Self::Finite { coefficient: 0, .. } => 0,
            Self::Finite { negative, .. } => 1 - 2 * i32::from(negative),
        };
        let ordering = rank(self).cmp(&rank(other));
        match (self, other) {
            (
                Self::Finite {
                    negative,
                    coefficient: left,
                    exponent: left_exponent,
                },
                Self::Finite {
                    coefficient: right,
                    exponent: right_exponent,
                    ..
                },
            ) if ordering == Ordering::Equal && left != 0 => {
                let ordering = compare_magnitudes((left, left_exponent), (right, right_exponent));
                if negative {
                    ordering.reverse()
                } else {
                    ordering
                }
            }
            _ => ordering,
        }
    }

    /// Orders this value and a double by their exact values.
    pub fn compare_to_double(self, double: f64) -> Ordering {
        let Self::Finite {
            negative,
            coefficient,
            exponent,
        } = self
        else {
            return super::number::compare_doubles(self.to_double(), double);
        };
        let same_sign = negative == (double < 0.0) && coefficient != 0 && double != 0.0;
        if !double.is_finite() || !same_sign {
            let sign = match coefficient {
                0 => 0.0,
                _ => 1.0 - 2.0 * f64::from(u8::from(negative)),
            };
            return super::number::compare_doubles(sign, double);
        }
        let (digits, power, cut) = float::double_digits(double, 37);
        let ordering = match compare_magnitudes((coefficient, exponent), (digits, power)) {
            Ordering::Equal if cut => Ordering::Less,
            other => other,
        };
        if negative {
            ordering.reverse()
        } else {
            ordering
        }
    }
}

/// Orders two nonzero `coefficient * 10^exponent` of at most 37 digits.
fn compare_magnitudes(left: (u128, i32), right: (u128, i32)) -> Ordering {
    let top =
        |(coefficient, exponent): (u128, i32)| exponent + float::digit_count(coefficient) as i32;
    top(left).cmp(&top(right)).then_with(|| {
        // Same magnitude, so the exponents differ by less than 37.
        let scale = |(coefficient, exponent): (u128, i32), least: i32| {
            coefficient * 10_u128.pow((exponent - least) as u32)
        };
        let least = left.1.min(right.1);
        scale(left, least).cmp(&scale(right, least))
    })
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).expect("the text is a decimal")
    }

    #[test]
    fn packs_as_the_bson_crate_does() {
        for text in [
            "0",
            "-0",
            "0.00",
            "1",
            "-1.5",
            "1.05E+3",
            "NaN",
            "Infinity",
            "-Infinity",
            "1E-6176",
            "9.999999999999999999999999999999999E+6144",
            "0.000001234",
            "1.234E-7",
            "0E+3",
            "1234567890123456789012345678901234",
        ] {
            let theirs: bson::Decimal128 = text.parse().expect("the text is a decimal");
            let bits = Decimal128::from_bytes(theirs.bytes());
            assert_eq!(decimal(text).to_bits(), bits, "{text}");
            assert_eq!(Decimal::from_bits(bits), decimal(text));
            assert_eq!(decimal(text).to_string(), theirs.to_string());
        }
        assert_eq!(decimal("1E+6112").to_string(), "1.0E+6112");
        assert_eq!(decimal("1E+7000").to_string(), "Infinity");
        assert_eq!(
            decimal("12345678901234567890123456789012345").to_string(),
            "1.234567890123456789012345678901234E+34"
        );
    }

    #[test]
    fn takes_fifteen_digits_of_a_double() {
        for (double, text) in [
            (0.1, "0.100000000000000"),
            (-5.5, "-5.50000000000000"),
            (0.0, "0"),
            (1e22, "1.00000000000000E+22"),
            (9.999_999_999_999_999, "10.0000000000000"),
        ] {
            assert_eq!(Decimal::from_double(double).to_string(), text);
        }
    }

    #[test]
    fn takes_all_of_a_double() {
        for (double, text) in [
            (0.1, "0.1000000000000000055511151231257827"),
            (0.3, "0.2999999999999999888977697537484346"),
            (-5.5, "-5.5"),
            (0.0, "0"),
            (10.0, "10"),
            (1e22, "10000000000000000000000"),
            (1e40, "1.000000000000000030378602842700367E+40"),
        ] {
            assert_eq!(Decimal::from_double_exactly(double).to_string(), text);
        }
    }

    #[test]
    fn compares_exactly_with_doubles_and_decimals() {
        let tenth = decimal("0.1");
        assert_eq!(tenth.compare_to_double(0.1), Ordering::Less);
        assert_eq!(decimal("0.5").compare_to_double(0.5), Ordering::Equal);
        assert_eq!(decimal("-0.5").compare_to_double(-0.25), Ordering::Less);
        assert_eq!(decimal("0").compare_to_double(-0.0), Ordering::Equal);
        assert_eq!(decimal("NaN").compare_to_double(f64::NAN), Ordering::Equal);
        assert_eq!(
            decimal("1E+400").compare_to_double(f64::MAX),
            Ordering::Greater
        );
        assert_eq!(
            decimal("1E+400").compare_to_double(f64::INFINITY),
            Ordering::Less
        );
        assert_eq!(decimal("1.00").compare(decimal("1")), Ordering::Equal);
        assert_eq!(
            decimal("1E+6000").compare(decimal("2E-6000")),
            Ordering::Greater
        );
        assert_eq!(decimal("-1").compare(decimal("0E-5")), Ordering::Less);
    }

    #[test]
    fn gives_integers() {
        assert_eq!(decimal("1E+3").to_i64(), Some((1000, true)));
        assert_eq!(decimal("-2.5").to_i64(), Some((-2, false)));
        assert_eq!(
            decimal("-9223372036854775808").to_i64(),
            Some((i64::MIN, true))
        );
        assert_eq!(decimal("9223372036854775808").to_i64(), None);
        assert_eq!(decimal("1E-100").to_i64(), Some((0, false)));
    }
}
