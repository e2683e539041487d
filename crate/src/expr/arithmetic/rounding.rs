//! Rounding at a decimal place, shared by `$round` and `$trunc`.

use super::super::arguments::{coerced_long, error};
use super::super::node::{Invocation, Result};
use super::decimal;
use crate::bson::{Decimal, DecimalRounding, Number, Value, ValueRef};

/// Evaluates `$round` or `$trunc`.
pub fn evaluate<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    rounding: DecimalRounding,
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
        Some(place) => match (coerced_long(place)?, place.as_exact_i64()) {
            (_, None) => {
                return Err(error(
                    51082,
                    format!(
                        "precision argument to  {} must be a integral value",
                        call.name
                    ),
                ));
            }
            (place @ -20..=100, Some(_)) => place as i32,
            (place, Some(_)) => {
                return Err(error(
                    51083,
                    format!(
                        "cannot apply {} with precision value {place} value must be in [-20, 100]",
                        call.name
                    ),
                ));
            }
        },
    };
    match number {
        Number::Decimal128(_) => Ok(decimal::quantize(number, place, rounding)),
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

fn round_integer(number: i64, place: i32, rounding: DecimalRounding) -> Option<i64> {
    let step = 10_i128.pow(place.unsigned_abs());
    let number = i128::from(number);
    let whole = number / step * step;
    let rest = number - whole;
    let up = match rounding {
        DecimalRounding::TowardZero | DecimalRounding::Floor | DecimalRounding::Ceiling => false,
        DecimalRounding::HalfEven => {
            let twice = rest.abs() * 2;
            twice > step || (twice == step && (whole / step) % 2 != 0)
        }
    };
    let rounded = whole + if up { step * rest.signum() } else { 0 };
    i64::try_from(rounded).ok()
}

fn round_double(number: f64, place: i32, rounding: DecimalRounding) -> f64 {
    if place != 0 {
        return decimal::round_double(number, place, rounding);
    }
    match rounding {
        DecimalRounding::HalfEven => number.round_ties_even(),
        DecimalRounding::TowardZero => number.trunc(),
        DecimalRounding::Floor => number.floor(),
        DecimalRounding::Ceiling => number.ceil(),
    }
}

/// Evaluates `$ceil` or `$floor`.
pub fn whole<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    rounding: DecimalRounding,
) -> Result<Value<'v>> {
    Ok(match super::numeric::one_number(arguments, call.name)? {
        None => Value::NULL,
        Some(Number::Double(number)) => Value::from(round_double(number, 0, rounding)),
        Some(number @ Number::Decimal128(_)) => whole_decimal(number, rounding),
        Some(number) => Value::Borrowed(ValueRef::from(number)),
    })
}

/// Not a number where the whole number has no room for its digits, or is infinite.
fn whole_decimal(number: Number, rounding: DecimalRounding) -> Value<'static> {
    let whole = match number.to_decimal() {
        Decimal::Infinity { .. } => Decimal::NaN,
        decimal => decimal.quantize(0, rounding),
    };
    Value::from(whole.to_bits())
}

impl From<Number> for ValueRef<'static> {
    fn from(number: Number) -> Self {
        number.to_value()
    }
}
