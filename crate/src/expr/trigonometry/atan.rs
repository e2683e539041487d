//! `$atan`: the inverse tangent in radians.
//!
//! Follows the manual's "$atan" page.

use super::super::arithmetic::transcendental::{self, Function};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::bounded::{ALL, apply};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    apply(arguments, call, ALL, f64::atan, |x| {
        transcendental::apply(Function::Atan, x)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$atan: 0}", "{}", "0.0");
        fails("{$atan: 'x'}", "{}", 28765);
    }
}
