//! `$not`: the opposite of a value's truth.
//!
//! Follows the manual's "$not (expression operator)" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    Ok(Value::from(!arguments[0].as_ref().is_truthy()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn negates_truth() {
        evaluates("{$not: [0]}", "{}", "true");
        evaluates("{$not: ['$x']}", "{x: []}", "false");
        evaluates("{$not: '$gone'}", "{}", "true");
        evaluates("{$not: [[false]]}", "{}", "false");
    }
}
