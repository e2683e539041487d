//! Numbers of the four numeric types as one value.
//!
//! Invariant: comparison is by mathematical value across types, NaN equals NaN and is below all
//! other numbers, and -0 equals 0.

use super::decimal_arithmetic::DecimalRounding;
use super::decimal128::Decimal;
use super::decimal128::Decimal128;
use super::value::ValueRef;
use std::cmp::Ordering;

/// A number of any BSON numeric type.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    Int32(i32),
    Int64(i64),
    Double(f64),
    Decimal128(Decimal128),
}

impl Number {
    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Int32(number) => f64::from(number),
            Self::Int64(number) => number as f64,
            Self::Double(number) => number,
            Self::Decimal128(number) => Decimal::from_bits(number).to_double(),
        }
    }

    /// The integer this number is exactly, if it is one within 64 bits.
    pub fn to_exact_i64(self) -> Option<i64> {
        match self {
            Self::Int32(number) => Some(i64::from(number)),
            Self::Int64(number) => Some(number),
            Self::Double(number) => double_to_exact_i64(number),
            Self::Decimal128(number) => match Decimal::from_bits(number).to_i64() {
                Some((whole, true)) => Some(whole),
                _ => None,
            },
        }
    }

    /// The integer part, saturating at the ends of the 64-bit range; 0 for NaN.
    pub fn to_i64_saturating(self) -> i64 {
        match self {
            Self::Int32(number) => i64::from(number),
            Self::Int64(number) => number,
            Self::Double(number) => number as i64,
            Self::Decimal128(number) => match Decimal::from_bits(number).to_i64() {
                Some((whole, _)) => whole,
                None => Decimal::from_bits(number).to_double() as i64,
            },
        }
    }

    /// As `to_i64_saturating`, but decimals are rounded to the nearest integer, of two to the even one.
    pub fn to_i64_rounded(self) -> i64 {
        match self {
            Self::Decimal128(number) => {
                let rounded = Decimal::from_bits(number).quantize(0, DecimalRounding::HalfEven);
                match rounded.to_i64() {
                    Some((whole, _)) => whole,
                    None => self.to_i64_saturating(),
                }
            }
            _ => self.to_i64_saturating(),
        }
    }

    pub fn is_zero(self) -> bool {
        match self {
            Self::Int32(number) => number == 0,
            Self::Int64(number) => number == 0,
            Self::Double(number) => number == 0.0,
            Self::Decimal128(number) => Decimal::from_bits(number).is_zero(),
        }
    }

    pub fn is_nan(self) -> bool {
        match self {
            Self::Int32(_) | Self::Int64(_) => false,
            Self::Double(number) => number.is_nan(),
            Self::Decimal128(number) => Decimal::from_bits(number).is_nan(),
        }
    }

    /// The number as a decimal: integers exactly, doubles at 15 significant digits.
    pub fn to_decimal(self) -> Decimal {
        match self {
            Self::Int32(number) => Decimal::from_i64(i64::from(number)),
            Self::Int64(number) => Decimal::from_i64(number),
            Self::Double(number) => Decimal::from_double(number),
            Self::Decimal128(number) => Decimal::from_bits(number),
        }
    }

    /// The number as a value.
    pub fn to_value(self) -> ValueRef<'static> {
        match self {
            Self::Int32(number) => ValueRef::Int32(number),
            Self::Int64(number) => ValueRef::Int64(number),
            Self::Double(number) => ValueRef::Double(number),
            Self::Decimal128(number) => ValueRef::Decimal128(number),
        }
    }

    /// Compares by mathematical value.
    pub fn compare(self, other: Self) -> Ordering {
        use Number::{Double, Int32, Int64};
        match (self, other) {
            (Int32(left), Int32(right)) => left.cmp(&right),
            (Int32(left), Int64(right)) => i64::from(left).cmp(&right),
            (Int64(left), Int32(right)) => left.cmp(&i64::from(right)),
            (Int64(left), Int64(right)) => left.cmp(&right),
            (Double(left), Double(right)) => compare_doubles(left, right),
            (Int32(left), Double(right)) => compare_doubles(f64::from(left), right),
            (Double(left), Int32(right)) => compare_doubles(left, f64::from(right)),
            (Int64(left), Double(right)) => compare_int_to_double(left, right),
            (Double(left), Int64(right)) => compare_int_to_double(right, left).reverse(),
            (left, Double(right)) => left.to_decimal().compare_to_double(right),
            (Double(left), right) => right.to_decimal().compare_to_double(left).reverse(),
            (left, right) => left.to_decimal().compare(right.to_decimal()),
        }
    }
}

fn double_to_exact_i64(number: f64) -> Option<i64> {
    let in_range = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    (in_range && number.fract() == 0.0).then_some(number as i64)
}

/// Doubles in MongoDB's order: NaN first, the zeros equal.
pub fn compare_doubles(left: f64, right: f64) -> Ordering {
    match left.partial_cmp(&right) {
        Some(ordering) => ordering,
        None => right.is_nan().cmp(&left.is_nan()),
    }
}

fn compare_int_to_double(int: i64, double: f64) -> Ordering {
    if double.is_nan() || double < -9_223_372_036_854_775_808.0 {
        return Ordering::Greater;
    }
    if double >= 9_223_372_036_854_775_808.0 {
        return Ordering::Less;
    }
    let whole = double.trunc();
    int.cmp(&(whole as i64))
        .then_with(|| compare_doubles(whole, double))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_across_types_exactly() {
        let big = 9_007_199_254_740_993_i64;
        assert_eq!(
            Number::Int64(big).compare(Number::Double(9_007_199_254_740_992.0)),
            Ordering::Greater
        );
        assert_eq!(
            Number::Double(f64::NAN).compare(Number::Int32(i32::MIN)),
            Ordering::Less
        );
        assert_eq!(
            Number::Double(f64::NAN).compare(Number::Double(f64::NAN)),
            Ordering::Equal
        );
        assert_eq!(
            Number::Double(-0.0).compare(Number::Int64(0)),
            Ordering::Equal
        );
        assert_eq!(
            Number::Int64(-3).compare(Number::Double(-2.5)),
            Ordering::Less
        );
        assert_eq!(
            Number::Int64(-2).compare(Number::Double(-2.5)),
            Ordering::Greater
        );
    }
}
