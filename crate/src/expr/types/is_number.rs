//! `$isNumber`: whether a value is a number.
//!
//! Follows the manual's "$isNumber" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    Ok(Value::from(arguments[0].as_ref().as_number().is_some()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn tells_numbers_apart() {
        evaluates("{$isNumber: 1.5}", "{}", "true");
        evaluates("{$isNumber: Decimal('1')}", "{}", "true");
        evaluates("{$isNumber: '1'}", "{}", "false");
        evaluates("{$isNumber: '$q'}", "{}", "false");
    }
}
