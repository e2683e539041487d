//! `$log`: the logarithm of a positive number to a base.
//!
//! Follows the manual's "$log" page.

use super::super::arguments::{any_nullish, error};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::decimal::{function_result, is_not_positive};
use super::transcendental;
use crate::bson::wording::Plain;
use crate::bson::{Number, Value};
use std::cmp::Ordering;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    if any_nullish(arguments) {
        return Ok(Value::NULL);
    }
    let refuse = |code, what: &str, kind: &str| {
        error(code, format!("$log's {what} must be numeric, not {kind}"))
    };
    let (value, base) = (arguments[0].as_ref(), arguments[1].as_ref());
    let number =
        { value.as_number() }.ok_or_else(|| refuse(28756, "argument", value.type_name()))?;
    let radix = { base.as_number() }.ok_or_else(|| refuse(28757, "base", base.type_name()))?;
    let (double, base) = (number.to_f64(), radix.to_f64());
    if is_not_positive(number) {
        return Err(error(
            28758,
            format!(
                "$log's argument must be a positive number, but is {}",
                Plain(double)
            ),
        ));
    }
    if is_not_positive(radix) || radix.compare(Number::Int32(1)) == Ordering::Equal {
        return Err(error(
            28759,
            format!(
                "$log's base must be a positive number not equal to 1, but is {}",
                Plain(base)
            ),
        ));
    }
    Ok(function_result(
        double.ln() / base.ln(),
        &[number, radix],
        &|| transcendental::logarithm(number.to_decimal(), radix.to_decimal()),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn checks_number_and_base() {
        evaluates("{$log: [8, 2]}", "{}", "3.0");
        evaluates("{$log: [null, 2]}", "{}", "null");
        fails("{$log: [0, 2]}", "{}", 28758);
        fails("{$log: [8, 1]}", "{}", 28759);
        fails("{$log: ['x', 1]}", "{}", 28756);
        fails("{$log: [1, 'x']}", "{}", 28757);
    }
}
