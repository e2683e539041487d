//! Functions of one number that may be defined on a range only.

use super::super::arguments::error;
use super::super::arithmetic::decimal::function_result;
use super::super::arithmetic::numeric::one_number;
use super::super::node::{Invocation, Result};
use crate::bson::wording::Plain;
use crate::bson::{Decimal, Value};

/// Applies a function within its bounds; NaN is within any. `exact` computes decimals where it can.
pub fn apply<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    (least, most): (f64, f64),
    function: fn(f64) -> f64,
    exact: fn(Decimal) -> Option<Decimal>,
) -> Result<Value<'v>> {
    let Some(number) = one_number(arguments, call.name)? else {
        return Ok(Value::NULL);
    };
    let double = number.to_f64();
    if double < least || double > most {
        let bounds = if (least, most) == FINITE {
            "(-inf,inf)".to_owned()
        } else {
            format!("[{},{}]", Plain(least), Plain(most))
        };
        return Err(error(
            50989,
            format!(
                "cannot apply {} to {}, value must in {bounds}",
                call.name,
                Plain(double)
            ),
        ));
    }
    Ok(function_result(function(double), &[number], &|| {
        exact(number.to_decimal())
    }))
}

/// Every number.
pub const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
/// Every number that is finite.
pub const FINITE: (f64, f64) = (f64::MIN, f64::MAX);
