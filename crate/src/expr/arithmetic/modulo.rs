//! `$mod`: the remainder of a division, with the sign of the dividend.
//!
//! Follows the manual's "$mod (expression operator)" page.

use super::super::arguments::{any_nullish, error};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::numeric::{modulo, value_of};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let (left, right) = (arguments[0].as_ref(), arguments[1].as_ref());
    match (left.as_number(), right.as_number()) {
        (Some(left), Some(right)) => Ok(value_of(modulo(left, right)?)),
        _ if any_nullish(arguments) => Ok(Value::NULL),
        _ => Err(error(
            16611,
            format!(
                "$mod only supports numeric types, not {} and {}",
                left.type_name(),
                right.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_the_dividends_sign() {
        evaluates("{$mod: [7, 3]}", "{}", "1");
        evaluates("{$mod: [-7, 3]}", "{}", "-1");
        evaluates("{$mod: [7, 3.0]}", "{}", "1.0");
        evaluates("{$mod: [NumberLong(7), 3.0]}", "{}", "1.0");
        evaluates("{$mod: [7.5, 2]}", "{}", "1.5");
        evaluates("{$mod: [NumberLong(7), 3]}", "{}", "NumberLong(1)");
        evaluates("{$mod: ['$a', 3]}", "{}", "null");
        fails("{$mod: [7, 0]}", "{}", 16610);
        fails("{$mod: [7, 'x']}", "{}", 16611);
    }
}
