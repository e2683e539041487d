//! `$add`: the sum of numbers, or of a date and numbers.
//!
//! Follows the manual's "$add (expression operator)" page.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, lazy};
use super::super::node::{Call, Result};
use super::numeric::Sum;
use crate::bson::{Value, ValueRef};
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = lazy(evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let mut sum = Sum::default();
    for node in &call.arguments {
        let value = node.evaluate(scope)?;
        let value = value.as_ref();
        if value.is_nullish() {
            return Ok(Value::NULL);
        }
        match (value, value.as_number()) {
            (_, Some(number)) => sum.add(number)?,
            (ValueRef::DateTime(millis), None) => sum.add_date(millis)?,
            _ => {
                return Err(error(
                    Code::TypeMismatch as i32,
                    format!(
                        "$add only supports numeric or date types, not {}",
                        value.type_name()
                    ),
                ));
            }
        }
    }
    Ok(sum.finish())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn widens_and_overflows() {
        evaluates("{$add: [1, 2]}", "{}", "3");
        evaluates(
            "{$add: ['$a', 1]}",
            "{a: 2147483647}",
            "NumberLong(2147483648)",
        );
        evaluates(
            "{$add: [NumberLong(9223372036854775807), 1]}",
            "{}",
            "9223372036854775808.0",
        );
        evaluates("{$add: [1, 2.5]}", "{}", "3.5");
        evaluates("{$add: [Date(1000), 5]}", "{}", "Date(1005)");
        evaluates("{$add: [Date(1000), 5.6]}", "{}", "Date(1006)");
        // Behind a date each number moves it by whole milliseconds; those before it are summed first.
        evaluates("{$add: [Date(0), 0.5, 0.5]}", "{}", "Date(2)");
        evaluates("{$add: [0.5, 0.5, Date(0)]}", "{}", "Date(1)");
        evaluates("{$add: [1, null]}", "{}", "null");
        evaluates("{$add: []}", "{}", "0");
        fails("{$add: [1, 'x']}", "{}", 14);
        fails("{$add: [Date(1), Date(2)]}", "{}", 16612);
    }
}
