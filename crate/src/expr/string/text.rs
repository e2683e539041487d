//! How values become text: where an operator takes anything that can be written as a string, and in conversions.
//!
//! Invariant: conversions write all digits of a double, the other operators six, as the server's two ways of printing
//! do.

use super::super::arguments::error;
use super::super::date::calendar::Parts;
use super::super::date::format;
use super::super::node::Result;
use crate::bson::{Decimal, ValueRef, float};
use std::borrow::Cow;
use std::fmt::Write;

/// How many digits of a double the operators that are no conversions write.
const FEW_DIGITS: u32 = 6;
/// A number with more digits than these before its point is written with an exponent by a conversion.
const MOST_WHOLE_DIGITS: i32 = 16;

/// The value as a text's bytes: null, undefined and missing are empty. Errors with 16007 for types that have no
/// text.
pub fn coerce(value: ValueRef<'_>) -> Result<Cow<'_, [u8]>> {
    Ok(match value {
        ValueRef::Missing | ValueRef::Undefined | ValueRef::Null => Cow::Borrowed(b""),
        ValueRef::String(text) | ValueRef::Symbol(text) | ValueRef::JavaScript(text) => {
            Cow::Borrowed(text.as_bytes())
        }
        ValueRef::Timestamp { time, increment } => {
            Cow::Owned(timestamp(time, increment).into_bytes())
        }
        ValueRef::Double(number) => Cow::Owned(short_double(number).into_bytes()),
        other => match number_or_date(other)? {
            Some(text) => Cow::Owned(text.into_bytes()),
            None => {
                return Err(error(
                    16007,
                    format!(
                        "can't convert from BSON type {} to String",
                        other.type_name()
                    ),
                ));
            }
        },
    })
}

/// The text of a number or a date; `None` for other types.
///
/// # Errors
/// 18537 for a date of a year that has not four digits.
pub fn number_or_date(value: ValueRef<'_>) -> Result<Option<String>> {
    let mut text = String::new();
    match value {
        ValueRef::Int32(number) => text = number.to_string(),
        ValueRef::Int64(number) => text = number.to_string(),
        ValueRef::Double(number) => text = long_double(number),
        ValueRef::Decimal128(number) => Decimal::from_bits(number).write(&mut text),
        ValueRef::DateTime(millis) => format::write(format::ISO, millis, 0, &mut text)?,
        _ => return Ok(None),
    }
    Ok(Some(text))
}

/// A timestamp's time within its year, and its increment.
fn timestamp(time: u32, increment: u32) -> String {
    let local = i64::from(time) * 1000;
    let mut text = String::new();
    // The format is valid, and has no year.
    let _ = format::write("%b", local, 0, &mut text);
    let _ = write!(text, " {:>2} ", Parts::of(local).day);
    let _ = format::write("%H:%M:%S", local, 0, &mut text);
    let _ = write!(text, ":{increment}");
    text
}

/// A double with all its digits.
fn long_double(number: f64) -> String {
    match number.is_finite() {
        true => general(number, &float::shortest_digits, MOST_WHOLE_DIGITS),
        false => {
            let mut text = String::new();
            float::write_double(&mut text, number);
            text
        }
    }
}

/// A double with six digits.
pub fn short_double(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let digits = |number| float::rounded_digits(number, FEW_DIGITS);
    general(number, &digits, FEW_DIGITS as i32)
}

/// A finite double by its digits: with an exponent of two digits at least where it is below a ten-thousandth, or has
/// more than `most` digits before its point.
fn general(number: f64, digits: &dyn Fn(f64) -> (u64, i32), most: i32) -> String {
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number == 0.0 {
        return format!("{sign}0");
    }
    let (digits, exponent) = digits(number.abs());
    let mut text = digits.to_string();
    let count = text.len() as i32;
    let point = count + exponent;
    if point < -3 || point > most {
        if count > 1 {
            text.insert(1, '.');
        }
        let power = point - 1;
        let direction = if power < 0 { '-' } else { '+' };
        return format!("{sign}{text}e{direction}{:02}", power.unsigned_abs());
    }
    if point <= 0 {
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        return format!("{sign}0.{zeros}{text}");
    }
    if point < count {
        text.insert(point as usize, '.');
    }
    let zeros = "0".repeat((point - count).max(0) as usize);
    format!("{sign}{text}{zeros}")
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};
    use super::*;

    #[test]
    fn conversions_write_all_digits() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (9e-5, "9e-05"),
            (1.25e-7, "1.25e-07"),
            (123_456.789, "123456.789"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(long_double(number), text);
        }
    }

    #[test]
    fn other_operators_write_six_digits() {
        for (number, text) in [
            (-0.0, "-0"),
            (123_456.0, "123456"),
            (123_456.789, "123457"),
            (999_999.5, "1e+06"),
            (1_000_000.0, "1e+06"),
            (1.234_567, "1.23457"),
            (0.000_1, "0.0001"),
            (0.000_01, "1e-05"),
            (5e-324, "4.94066e-324"),
            (f64::MAX, "1.79769e+308"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(short_double(number), text);
        }
    }

    #[test]
    fn every_operator_of_text_takes_numbers_dates_and_timestamps() {
        evaluates("{$toLower: 1e20}", "{}", "'1e+20'");
        evaluates("{$toUpper: 1000000.0}", "{}", "'1E+06'");
        evaluates("{$substrBytes: [1000000.0, 0, -1]}", "{}", "'1e+06'");
        evaluates("{$substrCP: [0.00001, 0, 9]}", "{}", "'1e-05'");
        evaluates("{$strcasecmp: [1e20, '1E+20']}", "{}", "0");
        evaluates(
            "{$toLower: '$t'}",
            "{t: Timestamp(86401, 7)}",
            "'jan  2 00:00:01:7'",
        );
        fails("{$toLower: Date(253402300800000)}", "{}", 18537);
        fails("{$toString: Date(253402300800000)}", "{}", 18537);
        evaluates(
            "{$toString: Date(253402300799999)}",
            "{}",
            "'9999-12-31T23:59:59.999Z'",
        );
    }
}
