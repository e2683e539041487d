//! `$avg` as an expression: the mean of numbers.
//!
//! Follows the manual's "$avg" page.

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
    Ok(state.mean())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$avg: '$a'}", "{a: [1, 2]}", "1.5");
        evaluates("{$avg: ['$q', 'x']}", "{}", "null");
        evaluates("{$avg: [Decimal('1'), 2]}", "{}", "Decimal('1.5')");
    }
}
