//! `$atanh`: the inverse hyperbolic tangent.
//!
//! Follows the manual's "$atanh" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::apply;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, (-1.0, 1.0), f64::atanh, |x| {
        transcendental::apply(Function::Atanh, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$atanh: 0}", "{}", "0.0");
        fails("{$atanh: 2}", "{}", 50989);
    }
}
