//! `$sqrt`: the square root of a number that is not negative.
//!
//! Follows the manual's "$sqrt" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::numeric::one_number;
use crate::bson::{Decimal, Number, Value};
use std::cmp::Ordering;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let Some(number) = one_number(arguments, call.name)? else {
        return Ok(Value::NULL);
    };
    let is_negative = match number {
        Number::Decimal128(_) => number.to_decimal().compare(Decimal::ZERO) == Ordering::Less,
        _ => number.to_f64() < 0.0,
    };
    if is_negative && !number.is_nan() {
        return Err(error(
            28714,
            "$sqrt's argument must be greater than or equal to 0",
        ));
    }
    Ok(match number {
        Number::Decimal128(_) => Value::from(number.to_decimal().square_root().to_bits()),
        _ => Value::from(number.to_f64().sqrt()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn gives_a_double() {
        evaluates("{$sqrt: 9}", "{}", "3.0");
        evaluates("{$sqrt: NaN}", "{}", "NaN");
        evaluates("{$sqrt: null}", "{}", "null");
        evaluates(
            "{$sqrt: Decimal('2')}",
            "{}",
            "Decimal('1.414213562373095048801688724209698')",
        );
        fails("{$sqrt: -1}", "{}", 28714);
    }
}
