//! `$exp`: e raised to a number.
//!
//! Follows the manual's "$exp" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::decimal::function_result;
use super::numeric::one_number;
use super::transcendental::{self, Function};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    Ok(match one_number(arguments, call.name)? {
        None => Value::NULL,
        Some(number) => function_result(number.to_f64().exp(), &[number], &|| {
            transcendental::apply(Function::Exp, number.to_decimal())
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn gives_a_double() {
        evaluates("{$exp: 0}", "{}", "1.0");
        evaluates("{$exp: '$x'}", "{}", "null");
        fails("{$exp: 'x'}", "{}", 28765);
    }
}
