//! Reading the arguments of operators, and wording their refusals, as many operators do it.

use super::node::Result;
use crate::bson::wording::Plain;
use crate::bson::{DecimalRounding, Number, Text, Value, ValueRef};
use crate::error::CommandError;

/// An error with a code of any kind.
pub fn error(code: i32, message: impl Into<String>) -> CommandError {
    CommandError::location(code, message)
}

/// Whether any argument is null, undefined or missing.
pub fn any_nullish(arguments: &[Value<'_>]) -> bool {
    arguments.iter().any(|value| value.as_ref().is_nullish())
}

/// Takes a part of a value: borrowed where the value is borrowed, copied where it was computed.
pub fn part_of<'v>(
    value: &Value<'v>,
    part: &dyn for<'a> Fn(ValueRef<'a>) -> ValueRef<'a>,
) -> Value<'v> {
    match value {
        Value::Borrowed(value) => Value::Borrowed(part(*value)),
        computed => part(computed.as_ref()).to_value(),
    }
}

/// The value as a 32-bit integer when it is a number that is exactly one.
pub fn exact_i32(value: ValueRef<'_>) -> Option<i32> {
    value
        .as_exact_i64()
        .and_then(|number| i32::try_from(number).ok())
}

/// A number as a long: doubles lose their fraction, decimals are rounded half to even, and a decimal that is no long
/// becomes the least one.
///
/// # Errors
/// 16004 for a value that is no number, 31109 for a double that is no long.
pub fn coerced_long(value: ValueRef<'_>) -> Result<i64> {
    let Some(number) = value.as_number() else {
        return Err(error(
            16004,
            format!("can't convert from BSON type {} to long", value.type_name()),
        ));
    };
    match number {
        Number::Int32(number) => Ok(i64::from(number)),
        Number::Int64(number) => Ok(number),
        Number::Double(number) => {
            let range = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
            match range.contains(&number) {
                true => Ok(number as i64),
                false => Err(error(
                    31109,
                    format!("Can't coerce out of range value {} to long", Plain(number)),
                )),
            }
        }
        Number::Decimal128(_) => {
            let rounded = (number.to_decimal()).quantize(0, DecimalRounding::HalfEven);
            Ok(rounded.to_i64().map_or(i64::MIN, |(whole, _)| whole))
        }
    }
}

/// An integer as the narrowest of int and long.
pub fn int_or_long(number: i64) -> Value<'static> {
    match i32::try_from(number) {
        Ok(small) => Value::from(small),
        Err(_) => Value::from(number),
    }
}

/// A length as an int.
pub fn length(count: usize) -> Value<'static> {
    int_or_long(i64::try_from(count).unwrap_or(i64::MAX))
}

/// A string argument, or an error of that code and wording.
pub fn string<'a>(value: &'a Value<'_>, code: i32, what: &str) -> Result<Text<'a>> {
    value.as_ref().as_text().ok_or_else(|| {
        error(
            code,
            format!("{what}, found: {}", value.as_ref().type_name()),
        )
    })
}

/// An array argument, or an error of that code and wording.
pub fn array<'a>(value: &'a Value<'_>, code: i32, what: &str) -> Result<crate::bson::Array<'a>> {
    value
        .as_ref()
        .as_array()
        .ok_or_else(|| error(code, format!("{what}{}", value.as_ref().type_name())))
}
