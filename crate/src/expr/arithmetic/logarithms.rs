//! `$ln` and `$log10`: the natural and the decimal logarithm of a positive number.
//!
//! Follows the manual's "$ln" and "$log10" pages.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::decimal::{function_result, is_not_positive};
use super::numeric::one_number;
use super::transcendental::{self, Function};
use crate::bson::wording::Plain;
use crate::bson::{DecimalRounding, Value};
use std::cmp::Ordering;

/// How `$ln` takes its argument.
pub const LN: Form = fixed(1, |arguments, call| {
    logarithm(arguments, call, 28766, f64::ln, Function::Ln)
});

/// How `$log10` takes its argument.
pub const LOG10: Form = fixed(1, |arguments, call| {
    logarithm(arguments, call, 28761, f64::log10, Function::Log10)
});

/// The logarithm of the only argument. A number that is not positive is refused with the operator's own code.
fn logarithm<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    code: i32,
    of_double: fn(f64) -> f64,
    of_decimal: Function,
) -> Result<Value<'v>> {
    let Some(number) = one_number(arguments, call.name)? else {
        return Ok(Value::NULL);
    };
    let double = number.to_f64();
    if !is_not_positive(number) {
        return Ok(function_result(of_double(double), &[number], &|| {
            let exact = transcendental::apply(of_decimal, number.to_decimal())?;
            // A whole logarithm is exact; any other goes on, in zeros too.
            Some(
                match exact
                    .quantize(0, DecimalRounding::TowardZero)
                    .compare(exact)
                {
                    Ordering::Equal => exact,
                    _ => exact.padded(),
                },
            )
        }));
    }
    let message = format!(
        "{}'s argument must be a positive number, but is {}",
        call.name,
        Plain(double)
    );
    Err(error(code, message))
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
        evaluates("{$log10: 100}", "{}", "2.0");
        evaluates("{$log10: null}", "{}", "null");
        evaluates("{$log10: Decimal('100')}", "{}", "Decimal('2')");
        let two = "Decimal('0.3010299956639811952137388947244930')";
        evaluates("{$log10: Decimal('2')}", "{}", two);
        evaluates("{$log10: Decimal('1E-6176')}", "{}", "Decimal('-6176')");
        fails("{$log10: -1}", "{}", 28761);
    }
}
