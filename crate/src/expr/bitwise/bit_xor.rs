//! `$bitXor`: the bitwise xor of integers.
//!
//! Follows the manual's "$bitXor" page.

use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::combining::combine;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    combine(arguments, call, 0, |a, b| a ^ b)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn combines_bits() {
        evaluates("{$bitXor: [6, 3]}", "{}", "5");
        fails("{$bitXor: ['x']}", "{}", 14);
    }
}
