//! `$sum` as an expression: the sum of numbers.
//!
//! Follows the manual's "$sum" page.

use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::inputs::each_value;
use super::state::Sum;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let mut state = Sum::default();
    each_value(arguments, &mut |value| state.add(value));
    Ok(state.value())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$sum: ['$a', 2, 'x', 1.5]}", "{a: 1}", "4.5");
        evaluates("{$sum: '$a'}", "{a: [1, 2, [3]]}", "3");
        evaluates("{$sum: '$q'}", "{}", "0");
    }
}
