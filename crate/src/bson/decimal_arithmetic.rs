//! Decimal128 arithmetic: 34 digits, rounded half to even, with the standard's preferred exponents.
//!
//! Invariant: each operation computes enough digits beyond the 34th, and whether anything nonzero
//! follows them, that the one rounding in `finish` is right.

use super::decimal128::{Decimal, MAX_DIGITS, MIN_EXPONENT};
use super::float::digit_count;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// Which way `quantize` rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalRounding {
    HalfEven,
    TowardZero,
    Floor,
    Ceiling,
}

const HALF: u128 = 10_u128.pow(17);
const WHOLE: u128 = 10_u128.pow(34);

impl Add for Decimal {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (a, b) = match (self, other) {
            (Self::NaN, _) | (_, Self::NaN) => return Self::NaN,
            (Self::Infinity { negative: a }, Self::Infinity { negative: b }) if a != b => {
                return Self::NaN;
            }
            (infinity @ Self::Infinity { .. }, _) | (_, infinity @ Self::Infinity { .. }) => {
                return infinity;
            }
            (
                Self::Finite {
                    negative,
                    coefficient,
                    exponent,
                },
                Self::Finite {
                    negative: other_negative,
                    coefficient: other_coefficient,
                    exponent: other_exponent,
                },
            ) => {
                let a = (negative, coefficient, exponent);
                let b = (other_negative, other_coefficient, other_exponent);
                if exponent >= other_exponent {
                    (a, b)
                } else {
                    (b, a)
                }
            }
        };
        // `a` has the higher exponent: bring it down as far as 37 digits allow, and cut the rest
        // off `b`.
        let difference = (a.2 - b.2) as u32;
        let room = match a.1 {
            0 => difference,
            _ => 37 - digit_count(a.1),
        };
        let lift = difference.min(room);
        let rest = difference - lift;
        let high = match a.1 {
            0 => 0,
            _ => a.1 * 10_u128.pow(lift),
        };
        let (low, cut) = match 10_u128.checked_pow(rest) {
            Some(scale) => (b.1 / scale, !b.1.is_multiple_of(scale)),
            None => (0, b.1 != 0),
        };
        let exponent = b.2 + rest as i32;
        if a.0 == b.0 {
            return Self::finish(a.0, high + low, exponent, cut);
        }
        let (negative, magnitude) = match high >= low {
            true => (a.0, high - low),
            false => (b.0, low - high),
        };
        if magnitude == 0 && !cut {
            return Self::finish(false, 0, exponent, false);
        }
        // The digits cut off `b` belong to the smaller side: borrow one unit for it.
        Self::finish(negative, magnitude - u128::from(cut), exponent, cut)
    }
}

impl Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        self.with_sign(!self.is_negative())
    }
}

impl Sub for Decimal {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Decimal {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        let ((a, a_exponent), (b, b_exponent)) = match (self.finite(), other.finite()) {
            (Some(a), Some(b)) => (a, b),
            _ if self.is_nan() || other.is_nan() || self.is_zero() || other.is_zero() => {
                return Self::NaN;
            }
            _ => return Self::Infinity { negative },
        };
        let exponent = a_exponent + b_exponent;
        let (a_high, a_low) = (a / HALF, a % HALF);
        let (b_high, b_low) = (b / HALF, b % HALF);
        let middle = a_high * b_low + a_low * b_high;
        let sum = a_low * b_low + (middle % HALF) * HALF;
        let high = a_high * b_high + middle / HALF + sum / WHOLE;
        let low = sum % WHOLE;
        if high == 0 {
            return Self::finish(negative, low, exponent, false);
        }
        let keep = (38 - digit_count(high)).min(34);
        let scale = 10_u128.pow(34 - keep);
        let coefficient = high * 10_u128.pow(keep) + low / scale;
        let cut = !low.is_multiple_of(scale);
        Self::finish(negative, coefficient, exponent + 34 - keep as i32, cut)
    }
}

impl Div for Decimal {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        let ((a, a_exponent), (b, b_exponent)) = match (self.finite(), other.finite()) {
            (Some(a), Some(b)) => (a, b),
            (Some(_), None) if !other.is_nan() => {
                return Self::finish(negative, 0, 0, false);
            }
            (None, Some(_)) if !self.is_nan() => return Self::Infinity { negative },
            _ => return Self::NaN,
        };
        if b == 0 {
            return match a {
                0 => Self::NaN,
                _ => Self::Infinity { negative },
            };
        }
        let mut exponent = a_exponent - b_exponent;
        let mut quotient = a / b;
        let mut rest = a % b;
        while rest != 0 && quotient < 10_u128.pow(MAX_DIGITS + 1) {
            rest *= 10;
            quotient = quotient * 10 + rest / b;
            rest %= b;
            exponent -= 1;
        }
        Self::finish(negative, quotient, exponent, rest != 0)
    }
}

impl Rem for Decimal {
    type Output = Self;

    /// The remainder of the truncated quotient; it has the dividend's sign.
    fn rem(self, other: Self) -> Self {
        let ((a, a_exponent), (b, b_exponent)) = match (self.finite(), other.finite()) {
            (Some(a), Some(b)) if b.0 != 0 => (a, b),
            (Some(_), None) if !other.is_nan() => return self,
            _ => return Self::NaN,
        };
        let negative = self.is_negative();
        if a_exponent >= b_exponent {
            let mut rest = a % b;
            for _ in b_exponent..a_exponent {
                if rest == 0 {
                    break;
                }
                rest = rest * 10 % b;
            }
            return Self::finish(negative, rest, b_exponent, false);
        }
        let scaled = 10_u128
            .checked_pow((b_exponent - a_exponent) as u32)
            .and_then(|scale| b.checked_mul(scale));
        match scaled {
            Some(divisor) => Self::finish(negative, a % divisor, a_exponent, false),
            None => self,
        }
    }
}

impl Decimal {
    /// Coefficient and exponent of a finite value.
    fn finite(self) -> Option<(u128, i32)> {
        match self {
            Self::Finite {
                coefficient,
                exponent,
                ..
            } => Some((coefficient, exponent)),
            _ => None,
        }
    }

    fn with_sign(self, negative: bool) -> Self {
        match self {
            Self::NaN => Self::NaN,
            Self::Infinity { .. } => Self::Infinity { negative },
            Self::Finite {
                coefficient,
                exponent,
                ..
            } => Self::Finite {
                negative,
                coefficient,
                exponent,
            },
        }
    }

    pub fn abs(self) -> Self {
        self.with_sign(false)
    }

    /// Rounds to a multiple of `10^exponent` and gives the result that exponent; NaN when that
    /// takes more than 34 digits. Infinities and NaN stay as they are.
    pub fn quantize(self, exponent: i32, rounding: DecimalRounding) -> Self {
        let Self::Finite {
            negative,
            coefficient,
            exponent: own,
        } = self
        else {
            return self;
        };
        if own >= exponent {
            let lifted = match coefficient {
                0 => Some(0),
                _ => 10_u128
                    .checked_pow((own - exponent) as u32)
                    .and_then(|scale| coefficient.checked_mul(scale)),
            };
            return match lifted {
                Some(coefficient) if coefficient < WHOLE => Self::Finite {
                    negative,
                    coefficient,
                    exponent,
                },
                _ => Self::NaN,
            };
        }
        let drop = (exponent - own) as u32;
        let (whole, cut) = match 10_u128.checked_pow(drop) {
            Some(scale) => (coefficient / scale, !coefficient.is_multiple_of(scale)),
            None => (0, coefficient != 0),
        };
        let away = match rounding {
            DecimalRounding::TowardZero => false,
            DecimalRounding::Floor => negative && cut,
            DecimalRounding::Ceiling => !negative && cut,
            DecimalRounding::HalfEven => {
                super::float::round_digits(coefficient, drop, false) > whole
            }
        };
        Self::Finite {
            negative,
            coefficient: whole + u128::from(away),
            exponent,
        }
    }

    /// The same value with zeros at its end, up to 34 digits or the least exponent.
    pub fn padded(self) -> Self {
        match self {
            Self::Finite { coefficient: 0, .. } => Self::Finite {
                negative: false,
                coefficient: 0,
                exponent: MIN_EXPONENT,
            },
            Self::Finite {
                negative,
                coefficient,
                exponent,
            } => {
                let room = MAX_DIGITS - digit_count(coefficient);
                let zeros = room.min((exponent - MIN_EXPONENT).unsigned_abs());
                Self::Finite {
                    negative,
                    coefficient: coefficient * 10_u128.pow(zeros),
                    exponent: exponent - zeros as i32,
                }
            }
            other => other,
        }
    }

    /// The square root; NaN of a negative number. One that ends has half the number's exponent.
    pub fn square_root(self) -> Self {
        let (coefficient, exponent) = match self.finite() {
            Some(parts) => parts,
            None if self.is_negative() => return Self::NaN,
            None => return self,
        };
        if coefficient == 0 {
            return Self::Finite {
                negative: self.is_negative(),
                coefficient: 0,
                exponent: exponent.div_euclid(2),
            };
        }
        if self.is_negative() {
            return Self::NaN;
        }
        // Longhand, by pairs of digits: with an odd exponent the number has one digit more.
        let digits = match exponent.rem_euclid(2) {
            0 => coefficient,
            _ => coefficient * 10,
        };
        let mut pairs = digit_count(digits).div_ceil(2);
        let mut half = exponent.div_euclid(2);
        let (mut root, mut rest) = (0_u128, 0_u128);
        while pairs > 0 || (rest != 0 && root <= WHOLE) {
            let pair = match pairs {
                0 => {
                    half -= 1;
                    0
                }
                _ => {
                    pairs -= 1;
                    digits / 100_u128.pow(pairs) % 100
                }
            };
            rest = rest * 100 + pair;
            let mut digit = 0;
            while (20 * root + digit + 1) * (digit + 1) <= rest {
                digit += 1;
            }
            rest -= (20 * root + digit) * digit;
            root = root * 10 + digit;
        }
        Self::finish(false, root, half, rest != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).expect("the text is a decimal")
    }

    #[test]
    fn adds_and_subtracts() {
        for (a, b, sum) in [
            ("1.10", "2.2", "3.30"),
            ("1", "-1", "0"),
            ("1E+3", "1", "1001"),
            ("0E+10", "1E-5", "0.00001"),
            ("1E+40", "1", "1.000000000000000000000000000000000E+40"),
            (
                "9999999999999999999999999999999999",
                "1",
                "1.000000000000000000000000000000000E+34",
            ),
            ("1E+34", "-1E-3", "1.000000000000000000000000000000000E+34"),
            ("1E+34", "-0.6", "9999999999999999999999999999999999"),
            ("Infinity", "-Infinity", "NaN"),
            ("Infinity", "1", "Infinity"),
            ("-0.1", "0.3", "0.2"),
        ] {
            assert_eq!((decimal(a) + decimal(b)).to_string(), sum, "{a} + {b}");
        }
        assert_eq!((decimal("2.50") - decimal("1")).to_string(), "1.50");
    }

    #[test]
    fn multiplies_and_divides() {
        for (a, b, product) in [
            ("1.5", "2", "3.0"),
            ("-0", "5", "-0"),
            (
                "9999999999999999999999999999999999",
                "9999999999999999999999999999999999",
                "9.999999999999999999999999999999998E+67",
            ),
            ("1E+6000", "1E+6000", "Infinity"),
            ("1E-6000", "1E-6000", "0E-6176"),
            ("0", "Infinity", "NaN"),
            (
                "12345678901234567890",
                "98765432109876543210",
                "1.219326311370217952237463801111264E+39",
            ),
        ] {
            assert_eq!((decimal(a) * decimal(b)).to_string(), product, "{a} * {b}");
        }
        for (a, b, quotient) in [
            ("1", "3", "0.3333333333333333333333333333333333"),
            ("2", "3", "0.6666666666666666666666666666666667"),
            ("6", "2", "3"),
            ("1", "8", "0.125"),
            ("1", "0", "Infinity"),
            ("0", "0", "NaN"),
            ("1E+3", "4", "2.5E+2"),
        ] {
            assert_eq!((decimal(a) / decimal(b)).to_string(), quotient, "{a} / {b}");
        }
    }

    #[test]
    fn takes_square_roots() {
        for (number, root) in [
            ("4", "2"),
            ("1.0", "1.0"),
            ("0.25", "0.5"),
            ("0E-6", "0.000"),
            ("-0", "-0"),
            ("10", "3.162277660168379331998893544432719"),
            ("2", "1.414213562373095048801688724209698"),
            ("2.5", "1.581138830084189665999446772216359"),
            ("1E+6144", "1.00000000000000000E+3072"),
            ("1E-6176", "1E-3088"),
            (
                "9.999999999999999999999999999999999E+6144",
                "3.162277660168379331998893544432718E+3072",
            ),
            ("Infinity", "Infinity"),
            ("-1", "NaN"),
            ("-Infinity", "NaN"),
        ] {
            assert_eq!(decimal(number).square_root().to_string(), root, "{number}");
        }
    }

    #[test]
    fn pads_with_zeros() {
        for (number, padded) in [
            ("8", "8.000000000000000000000000000000000"),
            ("-1E+40", "-1.000000000000000000000000000000000E+40"),
            ("1E-6170", "1.000000E-6170"),
            ("-0", "0E-6176"),
            ("Infinity", "Infinity"),
        ] {
            assert_eq!(decimal(number).padded().to_string(), padded);
        }
    }

    #[test]
    fn takes_remainders_and_rounds() {
        assert_eq!((decimal("5.5") % decimal("2")).to_string(), "1.5");
        assert_eq!((decimal("-7") % decimal("3")).to_string(), "-1");
        assert_eq!((decimal("1E+50") % decimal("7")).to_string(), "2");
        assert_eq!((decimal("1") % decimal("0")).to_string(), "NaN");
        assert_eq!(
            decimal("2.5")
                .quantize(0, DecimalRounding::HalfEven)
                .to_string(),
            "2"
        );
        assert_eq!(
            decimal("3.5")
                .quantize(0, DecimalRounding::HalfEven)
                .to_string(),
            "4"
        );
        assert_eq!(
            decimal("1.255")
                .quantize(-2, DecimalRounding::HalfEven)
                .to_string(),
            "1.26"
        );
        assert_eq!(
            decimal("1234")
                .quantize(2, DecimalRounding::HalfEven)
                .to_string(),
            "1.2E+3"
        );
        for (rounding, whole) in [
            (DecimalRounding::Floor, "-2"),
            (DecimalRounding::Ceiling, "-1"),
        ] {
            assert_eq!(decimal("-1.5").quantize(0, rounding).to_string(), whole);
        }
        assert_eq!(
            decimal("1.29")
                .quantize(-1, DecimalRounding::TowardZero)
                .to_string(),
            "1.2"
        );
    }
}
