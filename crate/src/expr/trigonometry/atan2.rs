//! `$atan2`: the inverse tangent of y / x in radians.
//!
//! Follows the manual's "$atan2" page.

use super::super::arguments::{any_nullish, error};
use super::super::arithmetic::decimal::function_result;
use super::super::arithmetic::transcendental;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    if any_nullish(arguments) {
        return Ok(Value::NULL);
    }
    let number = |position: usize, code: i32| {
        let value: &Value<'v> = &arguments[position];
        value.as_ref().as_number().ok_or_else(|| {
            error(
                code,
                format!(
                    "$atan2 only supports numeric types, not {}",
                    value.as_ref().type_name()
                ),
            )
        })
    };
    let (y, x) = (number(0, 51044)?, number(1, 51045)?);
    Ok(function_result(
        y.to_f64().atan2(x.to_f64()),
        &[y, x],
        &|| transcendental::angle_of(y.to_decimal(), x.to_decimal()),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn computes() {
        evaluates("{$atan2: [0, 1]}", "{}", "0.0");
        evaluates("{$atan2: [null, 1]}", "{}", "null");
        fails("{$atan2: ['x', 1]}", "{}", 51044);
    }
}
