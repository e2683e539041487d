//! `$stdDevSamp` as an expression: the standard deviation of a sample.
//!
//! Follows the manual's "$stdDevSamp" page.

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
    Ok(state.value(true))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$stdDevSamp: '$a'}", "{a: [1, 3]}", "1.4142135623730951");
        evaluates("{$stdDevSamp: [1]}", "{}", "null");
    }
}
