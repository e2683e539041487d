//! How values become text where an operator takes anything that can be written as a string.

use super::super::arguments::error;
use super::super::node::Result;
use crate::bson::{Decimal, ValueRef, float};
use std::borrow::Cow;

/// The value as text: null, undefined and missing are empty. Errors with 16007 for types that have no
/// text.
pub fn coerce(value: ValueRef<'_>) -> Result<Cow<'_, str>> {
    Ok(match value {
        ValueRef::Missing | ValueRef::Undefined | ValueRef::Null => Cow::Borrowed(""),
        ValueRef::String(text) | ValueRef::Symbol(text) | ValueRef::JavaScript(text) => {
            Cow::Borrowed(text)
        }
        ValueRef::Timestamp { time, increment } => {
            Cow::Owned(format!("Timestamp({time}, {increment})"))
        }
        other => match number_or_date(other) {
            Some(text) => Cow::Owned(text),
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

/// The text of a number or a date.
pub fn number_or_date(value: ValueRef<'_>) -> Option<String> {
    let mut text = String::new();
    match value {
        ValueRef::Int32(number) => text = number.to_string(),
        ValueRef::Int64(number) => text = number.to_string(),
        ValueRef::Double(number) => write_double(&mut text, number),
        ValueRef::Decimal128(number) => Decimal::from_bits(number).write(&mut text),
        ValueRef::DateTime(millis) => {
            super::super::date::format::iso(millis, &mut text);
        }
        _ => return None,
    }
    Some(text)
}

/// A double as MongoDB's `$toString` writes it: as JavaScript does, with the sign of zero.
pub fn write_double(text: &mut String, number: f64) {
    if number == 0.0 && number.is_sign_negative() {
        text.push('-');
    }
    float::write_double(text, number);
}
