//! `$acosh`: the inverse hyperbolic cosine.
//!
//! Follows the manual's "$acosh" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::apply;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, (1.0, f64::INFINITY), f64::acosh, |x| {
        transcendental::apply(Function::Acosh, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$acosh: 1}", "{}", "0.0");
        fails("{$acosh: 0}", "{}", 50989);
    }
}
