//! `$asin`: the inverse sine in radians.
//!
//! Follows the manual's "$asin" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::apply;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, (-1.0, 1.0), f64::asin, |x| {
        transcendental::apply(Function::Asin, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$asin: 0}", "{}", "0.0");
        fails("{$asin: 2}", "{}", 50989);
    }
}
