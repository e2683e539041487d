//! Functions of one number that may be defined on a range only.

use super::super::arguments::error;
use super::super::arithmetic::decimal::function_result;
use super::super::arithmetic::numeric::one_number;
use super::super::node::{Invocation, Result};
use crate::bson::Value;
use crate::bson::wording::Plain;

/// Applies a function within its bounds; NaN is within any.
pub fn apply<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    (least, most): (f64, f64),
    function: fn(f64) -> f64,
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
    Ok(function_result(function(double), &[number]))
}

/// Every number.
pub const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
/// Every number that is finite.
pub const FINITE: (f64, f64) = (f64::MIN, f64::MAX);
