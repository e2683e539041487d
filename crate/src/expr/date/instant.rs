//! The types that date expressions take for a date, and the arguments they share.

use super::super::arguments::error;
use super::super::node::Result;
use crate::bson::ValueRef;

/// The instant of a date, a timestamp or an ObjectId; `None` for other types.
pub fn instant(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::DateTime(millis) => Some(millis),
        ValueRef::Timestamp { time, .. } => Some(i64::from(time) * 1000),
        ValueRef::ObjectId([a, b, c, d, ..]) => {
            Some(i64::from(u32::from_be_bytes([a, b, c, d])) * 1000)
        }
        _ => None,
    }
}

/// The instant, or the refusal of operators that coerce.
pub fn coerce(value: ValueRef<'_>) -> Result<i64> {
    instant(value).ok_or_else(|| {
        error(
            16006,
            format!("can't convert from BSON type {} to Date", value.type_name()),
        )
    })
}
