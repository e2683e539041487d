//! `$bitOr`: the bitwise or of integers.
//!
//! Follows the manual's "$bitOr" page.

use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::combining::combine;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    combine(arguments, call, 0, |a, b| a | b)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn combines_bits() {
        evaluates("{$bitOr: [6, 3]}", "{}", "7");
        evaluates("{$bitOr: []}", "{}", "0");
    }
}
