//! `$subtype`: the subtype of binary data.
//!
//! Follows the manual's "$subtype" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        ValueRef::Binary { subtype, .. } => Ok(Value::from(i32::from(subtype))),
        value if value.is_nullish() => Ok(Value::NULL),
        other => Err(error(
            10_389_300,
            format!(
                "$subtype requires a BinData argument, found: {}",
                other.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn tells_the_subtype() {
        evaluates("{$subtype: Binary('ab')}", "{}", "0");
        evaluates("{$subtype: '$q'}", "{}", "null");
        fails("{$subtype: 'ab'}", "{}", 10389300);
    }
}
