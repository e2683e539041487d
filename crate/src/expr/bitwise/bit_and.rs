//! `$bitAnd`: the bitwise and of integers.
//!
//! Follows the manual's "$bitAnd" page.

use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::combining::combine;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    combine(arguments, call, -1, |a, b| a & b)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn combines_bits() {
        evaluates("{$bitAnd: [6, 3]}", "{}", "2");
        evaluates("{$bitAnd: [6, NumberLong(3)]}", "{}", "NumberLong(2)");
        evaluates("{$bitAnd: []}", "{}", "-1");
        evaluates("{$bitAnd: [6, null]}", "{}", "null");
        fails("{$bitAnd: [6, 1.5]}", "{}", 14);
    }
}
