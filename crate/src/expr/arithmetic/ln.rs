//! `$ln`: the natural logarithm of a positive number.
//!
//! Follows the manual's "$ln" page.

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
        return Ok(function_result(double.ln(), &[number], &|| {
            transcendental::apply(Function::Ln, number.to_decimal())
        }));
    }
    Err(error(
        28766,
        format!(
            "$ln's argument must be a positive number, but is {}",
            Plain(double)
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn refuses_what_is_not_positive() {
        evaluates("{$ln: 1}", "{}", "0.0");
        evaluates("{$ln: null}", "{}", "null");
        fails("{$ln: 0}", "{}", 28766);
        fails("{$ln: 'x'}", "{}", 28765);
    }
}
