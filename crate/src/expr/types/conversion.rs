//! Conversions between types, shared by `$convert` and its shorthands.
//!
//! Follows the tables of the manual's "$convert" page. Invariant: every refusal of a value has code
//! 241, so that `onError` can catch it.

use super::super::arguments::error;
use super::super::date::date_from_string::read;
use super::super::date::instant::instant;
use super::super::date::zone::Zone;
use super::super::node::Result;
use super::super::string::text::number_or_date;
use super::binary::{self, Format};
use crate::algorithms::hexadecimal;
use crate::bson::{BsonType, Decimal, Number, Value, ValueRef, float};
use crate::env::Env;
use crate::error::{Code, CommandError};

fn failure(reason: impl Into<String>) -> CommandError {
    error(Code::ConversionFailure as i32, reason)
}

/// The type that a value is converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    pub to: BsonType,
    /// The subtype, of binary targets.
    pub subtype: u8,
}

/// Converts a value that is not null; `format` is asked for by conversions between text and bytes.
pub fn convert(
    value: ValueRef<'_>,
    target: Target,
    format: Option<Format>,
    env: &dyn Env,
) -> Result<Value<'static>> {
    let to = target.to;
    if to == BsonType::Boolean {
        return Ok(Value::from(value.is_truthy()));
    }
    match (value, to) {
        (ValueRef::Binary { subtype, bytes }, BsonType::Binary) => {
            return binary::keep(subtype, bytes, target.subtype);
        }
        (ValueRef::Binary { subtype, bytes }, BsonType::String) => {
            let format = Format::required(format, "binData", "string")?;
            return binary::to_text(subtype, bytes, format);
        }
        (ValueRef::String(text), BsonType::Binary) => {
            let format = Format::required(format, "string", "binData")?;
            return binary::from_text(text, format, target.subtype);
        }
        (value, to) if value.bson_type() == to => return Ok(value.to_value()),
        _ => {}
    }
    let unsupported = || {
        failure(format!(
            "Unsupported conversion from {} to {} in $convert with no onError value",
            value.type_name(),
            to.alias()
        ))
    };
    match to {
        BsonType::Double => to_double(value),
        BsonType::Decimal128 => to_decimal(value),
        BsonType::Int32 => match to_integer(value)? {
            Some(number) => i32::try_from(number)
                .map(Value::from)
                .map_err(|_| overflow()),
            None => Err(unsupported()),
        }
        .map(Some),
        BsonType::Int64 if matches!(value, ValueRef::DateTime(_)) => {
            Ok(instant(value).map(Value::from))
        }
        BsonType::Int64 => Ok(to_integer(value)?.map(Value::from)),
        BsonType::String => Ok(to_text(value)),
        BsonType::ObjectId => to_object_id(value),
        BsonType::DateTime => to_date(value, env),
        _ => Ok(None),
    }?
    .ok_or_else(unsupported)
}

fn overflow() -> CommandError {
    failure("Conversion would overflow target type in $convert with no onError value")
}

fn to_double(value: ValueRef<'_>) -> Result<Option<Value<'static>>> {
    Ok(Some(Value::from(match value {
        ValueRef::Boolean(flag) => f64::from(u8::from(flag)),
        ValueRef::DateTime(millis) => millis as f64,
        ValueRef::String(text) => parse_double(text)?,
        other => match other.as_number() {
            Some(number) => {
                let double = number.to_f64();
                if let Number::Decimal128(decimal) = number
                    && double.is_infinite()
                    && matches!(Decimal::from_bits(decimal), Decimal::Finite { .. })
                {
                    return Err(overflow());
                }
                double
            }
            None => return Ok(None),
        },
    })))
}

fn to_decimal(value: ValueRef<'_>) -> Result<Option<Value<'static>>> {
    let decimal = match value {
        ValueRef::Boolean(flag) => Decimal::from_i64(i64::from(flag)),
        ValueRef::DateTime(millis) => Decimal::from_i64(millis),
        ValueRef::String(text) => Decimal::parse(text).ok_or_else(|| unparsable(text))?,
        other => match other.as_number() {
            Some(number) => number.to_decimal(),
            None => return Ok(None),
        },
    };
    Ok(Some(Value::from(decimal.to_bits())))
}

fn unparsable(text: &str) -> CommandError {
    failure(format!(
        "Failed to parse number '{text}' in $convert with no onError value: Did not consume whole \
         string."
    ))
}

fn check_not_hexadecimal(text: &str) -> Result<()> {
    if text.starts_with("0x") {
        return Err(failure(format!(
            "Illegal hexadecimal input in $convert with no onError value: {text}"
        )));
    }
    Ok(())
}

fn parse_double(text: &str) -> Result<f64> {
    check_not_hexadecimal(text)?;
    if let Some(number) = float::parse_double(text) {
        return Ok(number);
    }
    match text.to_ascii_lowercase().as_str() {
        "nan" => Ok(f64::NAN),
        "inf" | "infinity" | "+inf" | "+infinity" => Ok(f64::INFINITY),
        "-inf" | "-infinity" => Ok(f64::NEG_INFINITY),
        _ => Err(unparsable(text)),
    }
}

/// The integer part; `None` for types that have none.
fn to_integer(value: ValueRef<'_>) -> Result<Option<i64>> {
    let number = match value {
        ValueRef::Boolean(flag) => return Ok(Some(i64::from(flag))),
        ValueRef::String(text) => {
            check_not_hexadecimal(text)?;
            return text.parse().map(Some).map_err(|_| unparsable(text));
        }
        other => match other.as_number() {
            Some(number) => number,
            None => return Ok(None),
        },
    };
    let finite = |infinite: bool| match infinite {
        true => failure(
            "Attempt to convert infinity value to integer type in $convert with no onError value",
        ),
        false => overflow(),
    };
    if number.is_nan() {
        return Err(failure(
            "Attempt to convert NaN value to integer type in $convert with no onError value",
        ));
    }
    match number {
        Number::Int32(number) => Ok(Some(i64::from(number))),
        Number::Int64(number) => Ok(Some(number)),
        Number::Double(number) => {
            let range = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
            if range.contains(&number) {
                Ok(Some(number as i64))
            } else {
                Err(finite(number.is_infinite()))
            }
        }
        Number::Decimal128(number) => {
            let decimal = Decimal::from_bits(number);
            match decimal.to_i64() {
                Some((whole, _)) => Ok(Some(whole)),
                None => Err(finite(matches!(decimal, Decimal::Infinity { .. }))),
            }
        }
    }
}

fn to_text(value: ValueRef<'_>) -> Option<Value<'static>> {
    match value {
        ValueRef::Boolean(flag) => Some(Value::from(flag.to_string())),
        ValueRef::ObjectId(id) => Some(Value::from(hexadecimal::to_text(&id))),
        other => number_or_date(other).map(Value::from),
    }
}

fn to_object_id(value: ValueRef<'_>) -> Result<Option<Value<'static>>> {
    let ValueRef::String(text) = value else {
        return Ok(None);
    };
    let bytes = hexadecimal::parse_exact(text);
    match bytes {
        Some(id) => Ok(Some(Value::Borrowed(ValueRef::ObjectId(id)))),
        None => Err(failure(format!(
            "Failed to parse objectId '{text}' in $convert with no onError value: Invalid string \
             length for parsing to OID, expected 24 but found {}",
            text.len()
        ))),
    }
}

fn to_date(value: ValueRef<'_>, env: &dyn Env) -> Result<Option<Value<'static>>> {
    let millis = match value {
        ValueRef::String(text) => read(text, None, &Zone::Fixed(0), env)?,
        ValueRef::Int64(_) | ValueRef::Double(_) | ValueRef::Decimal128(_) => {
            match to_integer(value)? {
                Some(millis) => millis,
                None => return Ok(None),
            }
        }
        other => match instant(other) {
            Some(millis) => millis,
            None => return Ok(None),
        },
    };
    Ok(Some(Value::Borrowed(ValueRef::DateTime(millis))))
}
