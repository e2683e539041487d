//! `$subtract`: the difference of numbers, of dates, or of a date and milliseconds.
//!
//! Follows the manual's "$subtract" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::numeric::{date_overflow, subtract, value_of, whole_millis};
use crate::bson::{Value, ValueRef};
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    difference(arguments[0].as_ref(), arguments[1].as_ref())
}

/// The value of `$subtract` for two values.
///
/// # Errors
/// 14 for values that cannot be subtracted, 15 for dates beyond their range.
pub fn difference(left: ValueRef<'_>, right: ValueRef<'_>) -> Result<Value<'static>> {
    if let (Some(left), Some(right)) = (left.as_number(), right.as_number()) {
        return Ok(value_of(subtract(left, right)));
    }
    if left.is_nullish() || right.is_nullish() {
        return Ok(Value::NULL);
    }
    let overflow = || date_overflow("$subtract");
    match (left, right) {
        (ValueRef::DateTime(left), ValueRef::DateTime(right)) => {
            Ok(Value::from(left.checked_sub(right).ok_or_else(overflow)?))
        }
        (ValueRef::DateTime(left), right) if let Some(number) = right.as_number() => {
            let millis = whole_millis(number, "$subtract")?;
            let result = left.checked_sub(millis).ok_or_else(overflow)?;
            Ok(Value::Borrowed(ValueRef::DateTime(result)))
        }
        (left, right) => Err(error(
            Code::TypeMismatch as i32,
            format!(
                "can't $subtract {} from {}",
                right.type_name(),
                left.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn subtracts_numbers_and_dates() {
        evaluates("{$subtract: [5, 7]}", "{}", "-2");
        evaluates("{$subtract: [5, 0.5]}", "{}", "4.5");
        evaluates("{$subtract: [Date(10), Date(4)]}", "{}", "NumberLong(6)");
        evaluates("{$subtract: [Date(10), 4]}", "{}", "Date(6)");
        evaluates("{$subtract: [1, '$x']}", "{}", "null");
        fails("{$subtract: [1, Date(4)]}", "{}", 14);
        fails("{$subtract: ['a', 4]}", "{}", 14);
    }
}
