//! Rounding at a decimal place, shared by `$round` and `$trunc`.

use super::super::arguments::error;
use super::super::node::{Invocation, Result};
use super::decimal;
use crate::bson::{Number, Value, ValueRef};

/// How to round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    HalfEven,
    TowardZero,
    Floor,
    Ceiling,
}

/// Evaluates `$round` or `$trunc`.
pub fn evaluate<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    rounding: Rounding,
) -> Result<Value<'v>> {
    let value = arguments[0].as_ref();
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(number) = value.as_number() else {
        return Err(error(
            51081,
            format!(
                "{} only supports numeric types, not {}",
                call.name,
                value.type_name()
            ),
        ));
    };
    let place = match arguments.get(1).map(Value::as_ref) {
        None => 0,
        Some(place) if place.is_nullish() => return Ok(Value::NULL),
        Some(place) => match place.as_exact_i64() {
            Some(place @ -20..=100) => place as i32,
            Some(place) => {
                return Err(error(
                    51083,
                    format!(
                        "cannot apply {} with precision value {place} value must be in [-20, 100]",
                        call.name
                    ),
                ));
            }
            None => {
                return Err(error(
                    51082,
                    format!(
                        "precision argument to  {} must be a integral value",
                        call.name
                    ),
                ));
            }
        },
    };
    match number {
        Number::Decimal128(_) => decimal::quantize(number, place, rounding),
        Number::Double(double) => Ok(Value::from(round_double(double, place, rounding))),
        Number::Int32(_) | Number::Int64(_) if place >= 0 => Ok(Value::Borrowed(number.to_value())),
        Number::Int32(int) => {
            let rounded = round_integer(i64::from(int), place, rounding);
            Ok(super::super::arguments::int_or_long(rounded.unwrap_or(0)))
        }
        Number::Int64(long) => round_integer(long, place, rounding)
            .map(Value::from)
            .ok_or_else(|| {
                error(
                    51080,
                    format!(
                        "invalid conversion from Decimal128 result in {} resulting from \
                         arguments: [{long}, {place}]",
                        call.name
                    ),
                )
            }),
    }
}

fn round_integer(number: i64, place: i32, rounding: Rounding) -> Option<i64> {
    let step = 10_i128.pow(place.unsigned_abs());
    let number = i128::from(number);
    let whole = number / step * step;
    let rest = number - whole;
    let up = match rounding {
        Rounding::TowardZero | Rounding::Floor | Rounding::Ceiling => false,
        Rounding::HalfEven => {
            let twice = rest.abs() * 2;
            twice > step || (twice == step && (whole / step) % 2 != 0)
        }
    };
    let rounded = whole + if up { step * rest.signum() } else { 0 };
    i64::try_from(rounded).ok()
}

/// Rounds the exact value of a double: decided on its decimal expansion, so that 2.675 rounds to
/// 2.67 (it lies below the tie) and 2.5 to 2.
fn round_double(number: f64, place: i32, rounding: Rounding) -> f64 {
    if !number.is_finite() {
        return number;
    }
    if place == 0 {
        return match rounding {
            Rounding::HalfEven => number.round_ties_even(),
            Rounding::TowardZero => number.trunc(),
            Rounding::Floor => number.floor(),
            Rounding::Ceiling => number.ceil(),
        };
    }
    if place < 0 {
        let step = 10_f64.powi(-place);
        return round_double(number / step, 0, rounding) * step;
    }
    let places = place.unsigned_abs() as usize;
    let text = match rounding {
        Rounding::HalfEven => format!("{number:.places$}"),
        _ => {
            let mut exact = format!("{number:.width$}", width = places + 40);
            exact.truncate(exact.len() - 40);
            exact
        }
    };
    text.parse().unwrap_or(number)
}

/// Evaluates `$ceil` or `$floor`.
pub fn whole<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    rounding: Rounding,
) -> Result<Value<'v>> {
    Ok(match super::numeric::one_number(arguments, call.name)? {
        None => Value::NULL,
        Some(Number::Double(number)) => Value::from(round_double(number, 0, rounding)),
        Some(number @ Number::Decimal128(_)) => return decimal::quantize(number, 0, rounding),
        Some(number) => Value::Borrowed(ValueRef::from(number)),
    })
}

impl From<Number> for ValueRef<'static> {
    fn from(number: Number) -> Self {
        number.to_value()
    }
}
