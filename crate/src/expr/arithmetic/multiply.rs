//! `$multiply`: the product of numbers.
//!
//! Follows the manual's "$multiply" page.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, lazy};
use super::super::node::{Call, Result};
use super::numeric::{multiply, value_of};
use crate::bson::{Number, Value};
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = lazy(evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let mut product = Number::Int32(1);
    for node in &call.arguments {
        let value = node.evaluate(scope)?;
        let value = value.as_ref();
        if value.is_nullish() {
            return Ok(Value::NULL);
        }
        let Some(number) = value.as_number() else {
            return Err(error(
                Code::TypeMismatch as i32,
                format!(
                    "$multiply only supports numeric types, not {}",
                    value.type_name()
                ),
            ));
        };
        product = multiply(product, number);
    }
    Ok(value_of(product))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn widens_and_overflows() {
        evaluates("{$multiply: [3, '$a', 2]}", "{a: 4}", "24");
        evaluates(
            "{$multiply: [100000, 100000]}",
            "{}",
            "NumberLong(10000000000)",
        );
        evaluates(
            "{$multiply: [NumberLong(9223372036854775807), 2]}",
            "{}",
            "18446744073709551616.0",
        );
        evaluates("{$multiply: [2, 0.5]}", "{}", "1.0");
        evaluates("{$multiply: [null, 2]}", "{}", "null");
        evaluates("{$multiply: []}", "{}", "1");
        fails("{$multiply: [2, 'x']}", "{}", 14);
    }
}
