//! `$stdDevPop` as an expression: the standard deviation of a population.
//!
//! Follows the manual's "$stdDevPop" page.

use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::inputs::each_value;
use super::state::Deviation;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let mut state = Deviation::default();
    each_value(arguments, &mut |value| state.add(value));
    Ok(state.value(false))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$stdDevPop: '$a'}", "{a: [2, 4, 4, 4, 5, 5, 7, 9]}", "2.0");
        evaluates("{$stdDevPop: '$q'}", "{}", "null");
    }
}
