//! `$lte`: whether the first value is not greater.
//!
//! Follows the manual's "$lte" page; values of different types compare by type.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let ordering = call
        .collation
        .compare(arguments[0].as_ref(), arguments[1].as_ref());
    Ok(Value::from(ordering.is_le()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn compares_across_types() {
        evaluates("{$lte: [1, 1]}", "{}", "true");
        evaluates("{$lte: [2, 1]}", "{}", "false");
    }
}
