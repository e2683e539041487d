//! `$binarySize`: the bytes of a string or binary value.
//!
//! Follows the manual's "$binarySize" page.

use super::super::arguments::{error, length};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        ValueRef::String(text) => Ok(length(text.len())),
        ValueRef::Binary { bytes, .. } => Ok(length(bytes.len())),
        value if value.is_nullish() => Ok(Value::NULL),
        other => Err(error(
            51276,
            format!(
                "$binarySize requires a string or BinData argument, found: {}",
                other.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_bytes() {
        evaluates("{$binarySize: 'fü'}", "{}", "3");
        evaluates("{$binarySize: Binary('ab')}", "{}", "2");
        evaluates("{$binarySize: null}", "{}", "null");
        fails("{$binarySize: 1}", "{}", 51276);
    }
}
