//! `$sin`: the sine of radians.
//!
//! Follows the manual's "$sin" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::{FINITE, apply};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, FINITE, f64::sin, |x| {
        transcendental::apply(Function::Sin, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$sin: 0}", "{}", "0.0");
        fails("{$sin: Infinity}", "{}", 50989);
    }
}
