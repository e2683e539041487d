//! `$cmp`: -1, 0 or 1 by the order of two values.
//!
//! Follows the manual's "$cmp" page; values of different types compare by type.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let ordering = call
        .collation
        .compare(arguments[0].as_ref(), arguments[1].as_ref());
    Ok(Value::from(ordering as i32))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn compares_across_types() {
        evaluates("{$cmp: [1, 2]}", "{}", "-1");
        evaluates("{$cmp: ['a', 2]}", "{}", "1");
        evaluates("{$cmp: [2, 2.0]}", "{}", "0");
        evaluates("{$cmp: ['$x', null]}", "{}", "-1");
        fails("{$cmp: [1]}", "{}", 16020);
    }
}
