//! `$tan`: the tangent of radians.
//!
//! Follows the manual's "$tan" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::{FINITE, apply};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, FINITE, f64::tan, |x| {
        transcendental::apply(Function::Tan, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$tan: 0}", "{}", "0.0");
        fails("{$tan: Infinity}", "{}", 50989);
    }
}
