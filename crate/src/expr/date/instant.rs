//! The types that date expressions take for a date, and the arguments they share.

use super::super::arguments::error;
use super::super::node::Result;
use crate::bson::ValueRef;

/// The instant of a date, a timestamp or an ObjectId, whose seconds are signed; `None` for other types.
pub fn instant(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::DateTime(millis) => Some(millis),
        ValueRef::Timestamp { time, .. } => Some(i64::from(time) * 1000),
        ValueRef::ObjectId([a, b, c, d, ..]) => {
            Some(i64::from(i32::from_be_bytes([a, b, c, d])) * 1000)
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

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn seconds_of_ids_are_signed() {
        let id = "ObjectId('800000000000000000000000')";
        evaluates(&format!("{{$year: {id}}}"), "{}", "1901");
        evaluates(&format!("{{$toDate: {id}}}"), "{}", "Date(-2147483648000)");
        evaluates(
            "{$year: ObjectId('7fffffff0000000000000000')}",
            "{}",
            "2038",
        );
    }
}
