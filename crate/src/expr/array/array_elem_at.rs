//! `$arrayElemAt`: the item at a position, counted from the end when negative.
//!
//! Follows the manual's "$arrayElemAt" page; out of range gives missing.

use super::super::arguments::{any_nullish, error, exact_i32};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::element;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    if any_nullish(arguments) {
        return Ok(Value::NULL);
    }
    let index = arguments[1].as_ref();
    if index.as_number().is_none() {
        return Err(error(
            28690,
            format!(
                "{}'s second argument must be a numeric value, but is {}",
                call.name,
                index.type_name()
            ),
        ));
    }
    let Some(position) = exact_i32(index) else {
        return Err(error(
            28691,
            format!(
                "{}'s second argument must be representable as a 32-bit integer",
                call.name
            ),
        ));
    };
    element::at(
        &arguments[0],
        i64::from(position),
        call.name,
        "first argument",
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_from_either_end() {
        evaluates("{$arrayElemAt: [[1, 2, 3], 0]}", "{}", "1");
        evaluates("{$arrayElemAt: [[1, 2, 3], -1]}", "{}", "3");
        evaluates("{$arrayElemAt: ['$a', 5]}", "{a: [1]}", "missing");
        evaluates("{$arrayElemAt: ['$a', -2]}", "{a: [1]}", "missing");
        evaluates("{$arrayElemAt: ['$x', 0]}", "{}", "null");
        fails("{$arrayElemAt: [5, 0]}", "{}", 28689);
        fails("{$arrayElemAt: [[1], 'x']}", "{}", 28690);
        fails("{$arrayElemAt: [[1], 1.5]}", "{}", 28691);
    }
}
