//! `$asinh`: the inverse hyperbolic sine.
//!
//! Follows the manual's "$asinh" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::{ALL, apply};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, ALL, f64::asinh, |x| {
        transcendental::apply(Function::Asinh, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$asinh: 0}", "{}", "0.0");
        evaluates("{$asinh: null}", "{}", "null");
    }
}
