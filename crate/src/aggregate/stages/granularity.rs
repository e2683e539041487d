//! The `granularity` of `$bucketAuto`: boundaries rounded to a series of preferred numbers or to powers of two.
//!
//! Follows the "Granularity" section of the manual's "$bucketAuto" page. Invariant: rounding up gives a greater number
//! and rounding down a lesser one, except that zero stays zero.

use crate::bson::{Decimal, Number, Value, ValueRef, compare};
use crate::error::CommandError;
use crate::expr::arithmetic::numeric::{divide, multiply, value_of};
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, CommandError>;

/// A series of preferred numbers over one power of ten.
type Series = &'static [u16];

const R5: Series = &[10, 16, 25, 40, 63];
const R10: Series = &[100, 125, 160, 200, 250, 315, 400, 500, 630, 800];
#[rustfmt::skip]
const R20: Series = &[
    100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710, 800, 900,
];
#[rustfmt::skip]
const R40: Series = &[
    100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212, 224, 236, 250, 265, 280, 300, 315, 355, 375,
    400, 425, 450, 475, 500, 530, 560, 600, 630, 670, 710, 750, 800, 850, 900, 950,
];
#[rustfmt::skip]
const R80: Series = &[
    103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218, 230, 243, 258, 272, 290, 307, 325, 345, 365,
    387, 412, 437, 462, 487, 515, 545, 575, 615, 650, 690, 730, 775, 825, 875, 925, 975,
];
const ONE_TWO_FIVE: Series = &[10, 20, 50];
const E6: Series = &[10, 15, 22, 33, 47, 68];
const E12: Series = &[10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82];
#[rustfmt::skip]
const E24: Series = &[
    10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91,
];
#[rustfmt::skip]
const E48: Series = &[
    100, 105, 110, 115, 121, 127, 133, 140, 147, 154, 162, 169, 178, 187, 196, 205, 215, 226, 237, 249, 261, 274, 287,
    301, 316, 332, 348, 365, 383, 402, 422, 442, 464, 487, 511, 536, 562, 590, 619, 649, 681, 715, 750, 787, 825, 866,
    909, 953,
];
#[rustfmt::skip]
const E96: Series = &[
    100, 102, 105, 107, 110, 113, 115, 118, 121, 124, 127, 130, 133, 137, 140, 143, 147, 150, 154, 158, 162, 165, 169,
    174, 178, 182, 187, 191, 196, 200, 205, 210, 215, 221, 226, 232, 237, 243, 249, 255, 261, 267, 274, 280, 287, 294,
    301, 309, 316, 324, 332, 340, 348, 357, 365, 374, 383, 392, 402, 412, 422, 432, 442, 453, 464, 475, 487, 499, 511,
    523, 536, 549, 562, 576, 590, 604, 619, 634, 649, 665, 681, 698, 715, 732, 750, 768, 787, 806, 825, 845, 866, 887,
    909, 931, 953, 976,
];
#[rustfmt::skip]
const E192: Series = &[
    100, 101, 102, 104, 105, 106, 107, 109, 110, 111, 113, 114, 115, 117, 118, 120, 121, 123, 124, 126, 127, 129, 130,
    132, 133, 135, 137, 138, 140, 142, 143, 145, 147, 149, 150, 152, 154, 156, 158, 160, 162, 164, 165, 167, 169, 172,
    174, 176, 178, 180, 182, 184, 187, 189, 191, 193, 196, 198, 200, 203, 205, 208, 210, 213, 215, 218, 221, 223, 226,
    229, 232, 234, 237, 240, 243, 246, 249, 252, 255, 258, 261, 264, 267, 271, 274, 277, 280, 284, 287, 291, 294, 298,
    301, 305, 309, 312, 316, 320, 324, 328, 332, 336, 340, 344, 348, 352, 357, 361, 365, 370, 374, 379, 383, 388, 392,
    397, 402, 407, 412, 417, 422, 427, 432, 437, 442, 448, 453, 459, 464, 470, 475, 481, 487, 493, 499, 505, 511, 517,
    523, 530, 536, 542, 549, 556, 562, 569, 576, 583, 590, 597, 604, 612, 619, 626, 634, 642, 649, 657, 665, 673, 681,
    690, 698, 706, 715, 723, 732, 741, 750, 759, 768, 777, 787, 796, 806, 816, 825, 835, 845, 856, 866, 876, 887, 898,
    909, 920, 931, 942, 953, 965, 976, 988,
];

/// How boundaries are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    Preferred(Series),
    PowersOfTwo,
}

/// No number is more powers of ten away from a series.
const MOST_STEPS: usize = 7000;

const NAMES: &[(&str, Granularity)] = &[
    ("1-2-5", Granularity::Preferred(ONE_TWO_FIVE)),
    ("E12", Granularity::Preferred(E12)),
    ("E192", Granularity::Preferred(E192)),
    ("E24", Granularity::Preferred(E24)),
    ("E48", Granularity::Preferred(E48)),
    ("E6", Granularity::Preferred(E6)),
    ("E96", Granularity::Preferred(E96)),
    ("POWERSOF2", Granularity::PowersOfTwo),
    ("R10", Granularity::Preferred(R10)),
    ("R20", Granularity::Preferred(R20)),
    ("R40", Granularity::Preferred(R40)),
    ("R5", Granularity::Preferred(R5)),
    ("R80", Granularity::Preferred(R80)),
];

impl Granularity {
    /// The granularity of a name.
    ///
    /// # Errors
    /// 40261 for another type than a string, 40257 for an unknown name.
    pub fn parse(value: ValueRef<'_>) -> Result<Self> {
        let ValueRef::String(name) = value else {
            return Err(CommandError::location(
                40261,
                format!(
                    "The $bucketAuto 'granularity' field must be a string, but found type: {}",
                    value.type_name()
                ),
            ));
        };
        match NAMES.iter().find(|(known, _)| name == *known) {
            Some((_, granularity)) => Ok(*granularity),
            None => Err(CommandError::location(
                40257,
                format!("Unknown rounding granularity '{name}'"),
            )),
        }
    }

    /// The first number of the series above a number.
    pub fn round_up(self, number: Number) -> Result<Number> {
        self.round(number, true)
    }

    /// The last number of the series below a number.
    pub fn round_down(self, number: Number) -> Result<Number> {
        self.round(number, false)
    }

    fn round(self, number: Number, up: bool) -> Result<Number> {
        let double = number.to_f64();
        if double == 0.0 || double.is_infinite() {
            return Ok(number);
        }
        match self {
            Self::PowersOfTwo => Ok(power_of_two(number, up)),
            Self::Preferred(series) => preferred(series, number, up),
        }
    }
}

/// Checks a value that is to be rounded.
///
/// # Errors
/// 40258 to 40260 for another value than a number of zero or more.
pub fn check(value: ValueRef<'_>) -> Result<Number> {
    let refuse = |code, what: &str| {
        Err(CommandError::location(
            code,
            format!("$bucketAuto can specify a 'granularity' with {what}"),
        ))
    };
    match value.as_number() {
        None => refuse(
            40258,
            &format!(
                "numeric boundaries only, but found a value with type: {}",
                value.type_name()
            ),
        ),
        Some(number) if number.is_nan() => {
            refuse(40259, "numeric boundaries only, but found a NaN")
        }
        Some(number) if number.to_f64() < 0.0 => refuse(
            40260,
            "non-negative numbers only, but found a negative number",
        ),
        Some(number) => Ok(number),
    }
}

fn power_of_two(number: Number, up: bool) -> Number {
    let log = number.to_f64().log2();
    let exponent = match up {
        true => log.floor() + 1.0,
        false => log.ceil() - 1.0,
    } as i32;
    let power = 2_f64.powi(exponent);
    match number {
        Number::Decimal128(_) => Number::Decimal128(Decimal::from_double(power).to_bits()),
        _ if (0..31).contains(&exponent) => Number::Int32(power as i32),
        _ if (31..63).contains(&exponent) => Number::Int64(power as i64),
        _ => Number::Double(power),
    }
}

fn compared(left: Number, right: Number) -> Ordering {
    compare(value_of(left).as_ref(), value_of(right).as_ref())
}

fn preferred(series: Series, number: Number, up: bool) -> Result<Number> {
    let is_decimal = matches!(number, Number::Decimal128(_));
    let of = |whole: i64| match is_decimal {
        true => Number::Decimal128(Decimal::from_i64(whole).to_bits()),
        false => Number::Double(whole as f64),
    };
    let ten = of(10);
    let mut scale = of(1);
    let at = |member: Option<&u16>, scale: Number| {
        multiply(of(i64::from(member.copied().unwrap_or(1))), scale)
    };
    let (low, high) = (series.first(), series.last());
    // Rounding up, a number equal to the least member belongs to the scale, and one equal to the greatest does not;
    // rounding down, it is the other way round.
    let above = |scale| match up {
        true => compared(number, at(high, scale)).is_ge(),
        false => compared(number, at(high, scale)).is_gt(),
    };
    let below = |scale| match up {
        true => compared(number, at(low, scale)).is_lt(),
        false => compared(number, at(low, scale)).is_le(),
    };
    for _ in 0..MOST_STEPS {
        let next = if above(scale) {
            multiply(scale, ten)
        } else if below(scale) {
            divide(scale, ten)?
        } else {
            break;
        };
        // Between the greatest of one scale and the least of the next there is no other member.
        if above(scale) && below(next) {
            return Ok(if up { at(low, next) } else { at(high, scale) });
        }
        if below(scale) && above(next) {
            return Ok(if up { at(low, scale) } else { at(high, next) });
        }
        scale = next;
    }
    let found = match up {
        true => series
            .iter()
            .find(|member| compared(at(Some(member), scale), number).is_gt()),
        false => series
            .iter()
            .rev()
            .find(|member| compared(at(Some(member), scale), number).is_lt()),
    };
    Ok(found.map_or(number, |member| at(Some(member), scale)))
}

/// A number as a value.
pub fn boundary(number: Number) -> Value<'static> {
    value_of(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(name: &str, number: f64) -> (f64, f64) {
        let granularity = Granularity::parse(ValueRef::from(name)).expect("a known name");
        let number = Number::Double(number);
        let rounded = |result: Result<Number>| result.expect("it can be rounded").to_f64();
        (
            rounded(granularity.round_down(number)),
            rounded(granularity.round_up(number)),
        )
    }

    #[test]
    fn rounds_to_the_neighbours() {
        assert_eq!(round("R5", 16.0), (10.0, 25.0));
        assert_eq!(round("1-2-5", 7.0), (5.0, 10.0));
        assert_eq!(round("E6", 0.8), (0.68, 1.0));
        assert_eq!(round("R20", 99.0), (90.0, 100.0));
        assert_eq!(round("R80", 100.0), (97.5, 103.0));
        assert_eq!(round("POWERSOF2", 8.0), (4.0, 16.0));
        assert_eq!(round("POWERSOF2", 0.3), (0.25, 0.5));
        assert_eq!(round("E192", 0.0), (0.0, 0.0));
        assert_eq!(round("E12", f64::INFINITY), (f64::INFINITY, f64::INFINITY));
        for name in NAMES.iter().map(|(name, _)| *name) {
            for number in [1e-300, 0.07, 1.0, 9.99, 12345.6, 1e300] {
                let (down, up) = round(name, number);
                assert!(
                    down <= number && number <= up,
                    "{name} {number}: {down}, {up}"
                );
            }
        }
    }

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
