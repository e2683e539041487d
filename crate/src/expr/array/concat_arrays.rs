//! `$concatArrays`: arrays one after another.
//!
//! Follows the manual's "$concatArrays" page.

use super::super::arguments::error;
use super::super::form::{Form, joining};
use super::super::growth::{Growing, allow_array};
use super::super::node::{Invocation, Result};
use crate::bson::{ArrayBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = joining(evaluate, append);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let mut joined = ArrayBuilder::new();
    Ok(match join(&mut joined, arguments, call)? {
        true => Value::Array(joined.finish()),
        false => Value::NULL,
    })
}

fn append(
    value: &mut Growing,
    arguments: &[Value<'static>],
    call: Invocation<'_>,
) -> Result<Option<Value<'static>>> {
    match value.items() {
        Some(items) => Ok((!join(items, arguments, call)?).then_some(Value::NULL)),
        // The first argument alone decides the result: null, or an error.
        None => value
            .lend(|first| evaluate(&[first.into()], call).map(|value| Some(value.into_owned()))),
    }
}

/// Appends the items of arrays; false where one of the arrays is null.
fn join(joined: &mut ArrayBuilder, arguments: &[Value<'_>], call: Invocation<'_>) -> Result<bool> {
    for argument in arguments {
        match argument.as_ref() {
            ValueRef::Array(array) => {
                for item in array.iter() {
                    joined.push(item);
                    allow_array(call.env, call.name, joined.byte_len())?;
                }
            }
            value if value.is_nullish() => return Ok(false),
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
    Ok(true)
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
