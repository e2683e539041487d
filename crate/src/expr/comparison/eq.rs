//! `$eq`: whether two values are equal.
//!
//! Follows the manual's "$eq" page; values of different types compare by type.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let ordering = call
        .collation
        .compare(arguments[0].as_ref(), arguments[1].as_ref());
    Ok(Value::from(ordering.is_eq()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn compares_across_types() {
        evaluates("{$eq: [1, 1.0]}", "{}", "true");
        evaluates("{$eq: ['$x', null]}", "{}", "false");
        evaluates(
            "{$eq: ['$x', '$y']}",
            "{x: [1, {a: 2}], y: [1, {a: 2}]}",
            "true",
        );
    }
}
