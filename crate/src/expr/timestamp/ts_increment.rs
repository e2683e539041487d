//! `$tsIncrement`: the ordinal of a timestamp, as a long.
//!
//! Follows the manual's "$tsIncrement" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        ValueRef::Timestamp { increment, .. } => Ok(Value::from(i64::from(increment))),
        value if value.is_nullish() => Ok(Value::NULL),
        other => Err(error(
            5687302,
            format!(
                " Argument to $tsIncrement must be a timestamp, but is {}",
                other.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_a_part() {
        evaluates("{$tsIncrement: Timestamp(1, 2)}", "{}", "NumberLong(2)");
        evaluates("{$tsIncrement: null}", "{}", "null");
        fails("{$tsIncrement: 1}", "{}", 5687302);
    }
}
