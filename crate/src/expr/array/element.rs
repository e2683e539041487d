//! Access to one item of an array, shared by `$arrayElemAt`, `$first` and `$last`.

use super::super::arguments::{error, part_of};
use super::super::context::Scope;
use super::super::node::{Call, Node, Result};
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

/// Evaluates `$first` or `$last`: of a path that leads through an array, without collecting the others.
pub fn end<'v>(call: &'v Call, last: bool, scope: &Scope<'v>) -> Result<Value<'v>> {
    if let Some(Node::Field(path)) = call.arguments.first()
        && let Some(found) = scope.end_of_field(path, last)
    {
        return Ok(found);
    }
    let array = call.argument(0, scope)?;
    if array.as_ref().is_nullish() {
        return Ok(Value::NULL);
    }
    at(&array, if last { -1 } else { 0 }, call.name, "argument")
}
