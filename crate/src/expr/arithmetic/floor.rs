//! `$floor`: the nearest integer not above, in the number's own type.
//!
//! Follows the manual's "$floor" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::rounding::whole;
use crate::bson::{DecimalRounding, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    whole(arguments, call, DecimalRounding::Floor)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_the_type() {
        evaluates("{$floor: 2.9}", "{}", "2.0");
        evaluates("{$floor: -2.1}", "{}", "-3.0");
        evaluates("{$floor: 5}", "{}", "5");
        evaluates("{$floor: null}", "{}", "null");
        fails("{$floor: 'x'}", "{}", 28765);
    }
}
