//! `$tsSecond`: the seconds of a timestamp, as a long.
//!
//! Follows the manual's "$tsSecond" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        ValueRef::Timestamp { time, .. } => Ok(Value::from(i64::from(time))),
        value if value.is_nullish() => Ok(Value::NULL),
        other => Err(error(
            5687301,
            format!(
                " Argument to $tsSecond must be a timestamp, but is {}",
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
        evaluates("{$tsSecond: Timestamp(1, 2)}", "{}", "NumberLong(1)");
        evaluates("{$tsSecond: null}", "{}", "null");
        fails("{$tsSecond: 1}", "{}", 5687301);
    }
}
