//! `$abs`: the magnitude of a number.
//!
//! Invariant: the least int gives a long; the least long is refused.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::numeric::{integer_result, one_number};
use crate::bson::{Decimal128, Number, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    Ok(match one_number(arguments, call.name)? {
        None => Value::NULL,
        Some(Number::Double(number)) => Value::from(number.abs()),
        Some(Number::Decimal128(number)) => {
            // The sign is the highest bit of the highest byte.
            let mut bytes = number.bytes();
            bytes[15] &= 0x7f;
            Value::from(Decimal128::from_bytes(bytes))
        }
        Some(Number::Int32(number)) => integer_result(i64::from(number).abs(), false),
        Some(Number::Int64(number)) => match number.checked_abs() {
            Some(magnitude) => Value::from(magnitude),
            None => return Err(error(28680, "can't take $abs of long long min")),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_the_type() {
        evaluates("{$abs: -3}", "{}", "3");
        evaluates("{$abs: '$a'}", "{a: -2.5}", "2.5");
        evaluates("{$abs: '$a'}", "{a: NumberLong(-4)}", "NumberLong(4)");
        evaluates("{$abs: -2147483648}", "{}", "NumberLong(2147483648)");
        evaluates("{$abs: '$a'}", "{}", "null");
        fails("{$abs: 'x'}", "{}", 28765);
        fails("{$abs: NumberLong(-9223372036854775808)}", "{}", 28680);
    }
}
