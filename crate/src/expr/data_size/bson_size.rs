//! `$bsonSize`: the bytes of a document.
//!
//! Follows the manual's "$bsonSize" page.

use super::super::arguments::{error, length};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        ValueRef::Document(document) => Ok(length(document.as_bytes().len())),
        value if value.is_nullish() => Ok(Value::NULL),
        other => Err(error(
            31393,
            format!(
                "$bsonSize requires a document input, found: {}",
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
        evaluates("{$bsonSize: '$$ROOT'}", "{a: 1}", "12");
        evaluates("{$bsonSize: '$q'}", "{}", "null");
        fails("{$bsonSize: 1}", "{}", 31393);
    }
}
