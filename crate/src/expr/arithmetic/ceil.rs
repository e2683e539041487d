//! `$ceil`: the nearest integer not below, in the number's own type.
//!
//! Follows the manual's "$ceil" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::rounding::whole;
use crate::bson::{DecimalRounding, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    whole(arguments, call, DecimalRounding::Ceiling)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_the_type() {
        evaluates("{$ceil: 2.1}", "{}", "3.0");
        evaluates("{$ceil: -2.9}", "{}", "-2.0");
        evaluates("{$ceil: 5}", "{}", "5");
        evaluates("{$ceil: '$a'}", "{}", "null");
        fails("{$ceil: 'x'}", "{}", 28765);
    }
}
