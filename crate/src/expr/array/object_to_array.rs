//! `$objectToArray`: a document's fields as `{k, v}` documents.
//!
//! Follows the manual's "$objectToArray" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::growth::allow_array;
use super::super::node::{Invocation, Result};
use crate::bson::{ArrayBuilder, DocumentBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let document = match arguments[0].as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::Document(document) => document,
        other => {
            return Err(error(
                40390,
                format!(
                    "$objectToArray requires a document input, found: {}",
                    other.type_name()
                ),
            ));
        }
    };
    let mut pairs = ArrayBuilder::new();
    for field in document.iter() {
        let mut pair = DocumentBuilder::new();
        pair.append("k", field.name).append("v", field.value);
        pairs.push(&pair.finish());
        allow_array(call.env, call.name, pairs.byte_len())?;
    }
    Ok(Value::Array(pairs.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn lists_the_fields() {
        evaluates(
            "{$objectToArray: '$a'}",
            "{a: {x: 1, y: [2]}}",
            "[{k: 'x', v: 1}, {k: 'y', v: [2]}]",
        );
        evaluates("{$objectToArray: '$b'}", "{}", "null");
        fails("{$objectToArray: [1]}", "{}", 40390);
    }
}
