//! `$concatArrays`: arrays one after another.
//!
//! Follows the manual's "$concatArrays" page.

use super::super::arguments::error;
use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use crate::bson::{ArrayBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let mut builder = ArrayBuilder::new();
    for argument in arguments {
        match argument.as_ref() {
            ValueRef::Array(array) => array.iter().for_each(|item| {
                builder.push(item);
            }),
            value if value.is_nullish() => return Ok(Value::NULL),
            other => {
                return Err(error(
                    28664,
                    format!(
                        "$concatArrays only supports arrays, not {}",
                        other.type_name()
                    ),
                ));
            }
        }
    }
    Ok(Value::Array(builder.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn joins() {
        evaluates("{$concatArrays: [[1], ['$a'], []]}", "{a: [2]}", "[1, [2]]");
        evaluates("{$concatArrays: []}", "{}", "[]");
        evaluates("{$concatArrays: [[1], '$x']}", "{}", "null");
        fails("{$concatArrays: [[1], 5]}", "{}", 28664);
    }
}
