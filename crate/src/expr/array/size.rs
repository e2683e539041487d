//! `$size`: the number of items.
//!
//! Follows the manual's "$size (aggregation)" page.

use super::super::arguments::{error, length};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        ValueRef::Array(array) => Ok(length(array.len())),
        other => Err(error(
            17124,
            format!(
                "The argument to $size must be an array, but was of type: {}",
                other.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_items() {
        evaluates("{$size: '$a'}", "{a: [1, [2], 3]}", "3");
        evaluates("{$size: [[]]}", "{}", "0");
        fails("{$size: '$a'}", "{}", 17124);
    }
}
