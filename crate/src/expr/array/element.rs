//! Access to one item of an array, shared by `$arrayElemAt`, `$first` and `$last`.

use super::super::arguments::{error, part_of};
use super::super::node::Result;
use crate::bson::{Value, ValueRef};

/// The item at a position, from the end when negative; missing when out of range.
pub fn at<'v>(array: &Value<'v>, position: i64, name: &str, which: &str) -> Result<Value<'v>> {
    let ValueRef::Array(items) = array.as_ref() else {
        return Err(error(
            28689,
            format!(
                "{name}'s {which} must be an array, but is {}",
                array.as_ref().type_name()
            ),
        ));
    };
    let position = if position < 0 {
        position + items.len() as i64
    } else {
        position
    };
    let Ok(position) = usize::try_from(position) else {
        return Ok(Value::MISSING);
    };
    Ok(part_of(array, &|value| match value {
        ValueRef::Array(items) => items.get(position),
        _ => ValueRef::Missing,
    }))
}

/// Evaluates `$first` or `$last`.
pub fn end<'v>(arguments: &[Value<'v>], position: i64, name: &str) -> Result<Value<'v>> {
    if arguments[0].as_ref().is_nullish() {
        return Ok(Value::NULL);
    }
    at(&arguments[0], position, name, "argument")
}
