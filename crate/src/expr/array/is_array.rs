//! `$isArray`: whether a value is an array.
//!
//! Follows the manual's "$isArray" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let is_array = matches!(arguments[0].as_ref(), ValueRef::Array(_));
    Ok(Value::from(is_array))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn tells_arrays_apart() {
        evaluates("{$isArray: ['$a']}", "{a: [1]}", "true");
        evaluates("{$isArray: '$a'}", "{a: 1}", "false");
        evaluates("{$isArray: [[1]]}", "{}", "true");
    }
}
