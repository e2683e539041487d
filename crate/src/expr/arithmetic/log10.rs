//! `$log10`: the decimal logarithm of a positive number.
//!
//! Follows the manual's "$log10" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::decimal::function_result;
use super::numeric::one_number;
use super::transcendental::{self, Function};
use crate::bson::Value;
use crate::bson::wording::Plain;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let Some(number) = one_number(arguments, call.name)? else {
        return Ok(Value::NULL);
    };
    let double = number.to_f64();
    if double > 0.0 || double.is_nan() {
        return Ok(function_result(double.log10(), &[number], &|| {
            transcendental::apply(Function::Log10, number.to_decimal())
        }));
    }
    Err(error(
        28761,
        format!(
            "$log10's argument must be a positive number, but is {}",
            Plain(double)
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn refuses_what_is_not_positive() {
        evaluates("{$log10: 100}", "{}", "2.0");
        evaluates("{$log10: null}", "{}", "null");
        fails("{$log10: -1}", "{}", 28761);
    }
}
