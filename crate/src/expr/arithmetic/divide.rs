//! `$divide`: the quotient of two numbers, always a double or decimal.
//!
//! Follows the manual's "$divide" page.

use super::super::arguments::{any_nullish, error};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::numeric::{divide, value_of};
use crate::bson::Value;
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let (left, right) = (arguments[0].as_ref(), arguments[1].as_ref());
    match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => Ok(value_of(divide(left, right)?)),
        _ if any_nullish(arguments) => Ok(Value::NULL),
        _ => Err(error(
            Code::TypeMismatch as i32,
            format!(
                "$divide only supports numeric types, not {} and {}",
                left.type_name(),
                right.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn divides_as_doubles() {
        evaluates("{$divide: [4, 2]}", "{}", "2.0");
        evaluates("{$divide: [Decimal('1'), 4]}", "{}", "Decimal('0.25')");
        evaluates("{$divide: [1, 4]}", "{}", "0.25");
        evaluates("{$divide: [null, 0]}", "{}", "null");
        fails("{$divide: ['$a', 0]}", "{a: 1}", 2);
        fails("{$divide: ['x', 1]}", "{}", 14);
    }
}
