//! `$pow`: a number raised to an exponent.
//!
//! Invariant: integers stay integers while the result fits 64 bits and the exponent is not negative.

use super::super::arguments::{any_nullish, error};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::decimal::padded_result;
use super::numeric::integer_result;
use super::transcendental;
use crate::bson::{Number, Value};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    if any_nullish(arguments) {
        return Ok(Value::NULL);
    }
    let refuse = |code, what: &str, kind: &str| {
        error(code, format!("$pow's {what} must be numeric, not {kind}"))
    };
    let (left, right) = (arguments[0].as_ref(), arguments[1].as_ref());
    let base = { left.as_number() }.ok_or_else(|| refuse(28762, "base", left.type_name()))?;
    let exponent =
        { right.as_number() }.ok_or_else(|| refuse(28763, "exponent", right.type_name()))?;
    let (base_double, exponent_double) = (base.to_f64(), exponent.to_f64());
    if base_double == 0.0 && exponent_double < 0.0 {
        return Err(error(
            28764,
            "$pow cannot take a base of 0 and a negative exponent",
        ));
    }
    let power = base_double.powf(exponent_double);
    let integers = match (base, exponent) {
        (Number::Int32(base), Number::Int32(exponent)) => {
            Some((i64::from(base), i64::from(exponent), false))
        }
        (Number::Int32(base), Number::Int64(exponent)) => Some((i64::from(base), exponent, true)),
        (Number::Int64(base), Number::Int32(exponent)) => Some((base, i64::from(exponent), true)),
        (Number::Int64(base), Number::Int64(exponent)) => Some((base, exponent, true)),
        _ => None,
    };
    let Some((base, exponent, long)) = integers else {
        return Ok(padded_result(power, &[base, exponent], &|| {
            transcendental::power(base.to_decimal(), exponent.to_decimal())
        }));
    };
    let exact = match base {
        0 if exponent > 0 => Some(0),
        1 => Some(1),
        -1 => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => u32::try_from(exponent)
            .ok()
            .and_then(|exponent| base.checked_pow(exponent)),
    };
    Ok(match exact {
        Some(result) => integer_result(result, long),
        None => Value::from(power),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_integers_while_they_fit() {
        evaluates("{$pow: [2, 10]}", "{}", "1024");
        evaluates("{$pow: [2, 40]}", "{}", "NumberLong(1099511627776)");
        evaluates("{$pow: [2, 70]}", "{}", "1180591620717411303424.0");
        evaluates("{$pow: [2, -1]}", "{}", "0.5");
        evaluates("{$pow: [-1, -3]}", "{}", "-1");
        evaluates("{$pow: [2, 0.5]}", "{}", "1.4142135623730951");
        evaluates("{$pow: [null, 2]}", "{}", "null");
        fails("{$pow: [0, -1]}", "{}", 28764);
        fails("{$pow: ['x', -1]}", "{}", 28762);
    }
}
