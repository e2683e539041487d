//! `$acos`: the inverse cosine in radians.
//!
//! Follows the manual's "$acos" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::apply;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, (-1.0, 1.0), f64::acos, |x| {
        transcendental::apply(Function::Acos, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$acos: 1}", "{}", "0.0");
        fails("{$acos: 2}", "{}", 50989);
    }
}
