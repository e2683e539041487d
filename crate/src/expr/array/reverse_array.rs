//! `$reverseArray`: the items in the opposite order.
//!
//! Follows the manual's "$reverseArray" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::several::{collect, list};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        value if value.is_nullish() => Ok(Value::NULL),
        ValueRef::Array(array) => {
            let items = list(array, call.env)?;
            collect(items.into_iter().rev(), call)
        }
        other => Err(error(
            34435,
            format!(
                "The argument to $reverseArray must be an array, but was of type: {}",
                other.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reverses() {
        evaluates("{$reverseArray: [[1, 2, 3]]}", "{}", "[3, 2, 1]");
        evaluates("{$reverseArray: '$x'}", "{}", "null");
        fails("{$reverseArray: 1}", "{}", 34435);
    }
}
