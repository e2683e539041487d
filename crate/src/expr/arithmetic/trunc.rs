//! `$trunc`: a number cut off at a decimal place.
//!
//! Follows the manual's "$trunc" page.

use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::rounding;
use crate::bson::{DecimalRounding, Value};

/// How the operator takes its arguments.
pub const FORM: Form = range(1, 2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    rounding::evaluate(arguments, call, DecimalRounding::TowardZero)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn works_at_any_place() {
        evaluates("{$trunc: 2.9}", "{}", "2.0");
        evaluates("{$trunc: -2.9}", "{}", "-2.0");
        evaluates("{$trunc: [19, -1]}", "{}", "10");
        evaluates("{$trunc: [1.29, 1]}", "{}", "1.2");
        evaluates("{$trunc: null}", "{}", "null");
        fails("{$trunc: 'x'}", "{}", 51081);
    }
}
