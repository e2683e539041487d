//! Bitwise operators of any number of integers.

use super::super::arguments::error;
use super::super::arithmetic::numeric::integer_result;
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// Combines the arguments, from the operation's neutral element on. Arguments are looked at up to the first that is
/// null or missing, which makes the result null.
pub fn combine(
    arguments: &[Value<'_>],
    call: Invocation<'_>,
    neutral: i64,
    operation: fn(i64, i64) -> i64,
) -> Result<Value<'static>> {
    let mut result = neutral;
    let mut long = false;
    for argument in arguments {
        match argument.as_ref() {
            ValueRef::Int32(number) => result = operation(result, i64::from(number)),
            ValueRef::Int64(number) => {
                long = true;
                result = operation(result, number);
            }
            value if value.is_nullish() => return Ok(Value::NULL),
            _ => {
                return Err(error(
                    14,
                    format!("{} only supports int and long operands.", call.name),
                ));
            }
        }
    }
    Ok(integer_result(result, long))
}
