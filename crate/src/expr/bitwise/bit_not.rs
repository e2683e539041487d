//! `$bitNot`: the bitwise complement of an integer.
//!
//! Follows the manual's "$bitNot" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        ValueRef::Int32(number) => Ok(Value::from(!number)),
        ValueRef::Int64(number) => Ok(Value::from(!number)),
        value if value.is_nullish() => Ok(Value::NULL),
        other if other.as_number().is_some() => Err(error(
            14,
            format!(
                "$bitNot only supports int and long, not: {}.",
                other.type_name()
            ),
        )),
        other => Err(error(
            28765,
            format!(
                "$bitNot only supports numeric types, not {}",
                other.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn inverts() {
        evaluates("{$bitNot: 5}", "{}", "-6");
        evaluates("{$bitNot: NumberLong(0)}", "{}", "NumberLong(-1)");
        evaluates("{$bitNot: null}", "{}", "null");
        fails("{$bitNot: 1.5}", "{}", 14);
    }
}
