//! `$exp`: e raised to a number.
//!
//! Follows the manual's "$exp" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::decimal::function_result;
use super::numeric::one_number;
use super::transcendental::{self, Function};
use crate::bson::{Decimal, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    Ok(match one_number(arguments, call.name)? {
        None => Value::NULL,
        Some(number) => function_result(number.to_f64().exp(), &[number], &|| {
            let exact = transcendental::apply(Function::Exp, number.to_decimal());
            // A power beyond the least decimal is zero with the least exponent.
            exact.or_else(|| (number.to_f64() < 0.0).then(|| Decimal::ZERO.padded()))
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
        evaluates("{$exp: Decimal('-1E+40')}", "{}", "Decimal('0E-6176')");
        fails("{$exp: 'x'}", "{}", 28765);
    }
}
