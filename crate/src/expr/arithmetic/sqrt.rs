//! `$sqrt`: the square root of a number that is not negative.
//!
//! Follows the manual's "$sqrt" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::decimal::square_root;
use super::numeric::one_number;
use crate::bson::{Number, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let Some(number) = one_number(arguments, call.name)? else {
        return Ok(Value::NULL);
    };
    let double = number.to_f64();
    if double < 0.0 {
        return Err(error(
            28714,
            "$sqrt's argument must be greater than or equal to 0",
        ));
    }
    Ok(match number {
        Number::Decimal128(_) => Value::from(square_root(number.to_decimal()).to_bits()),
        _ => Value::from(double.sqrt()),
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
