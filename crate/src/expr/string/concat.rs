//! `$concat`: strings one after another.
//!
//! Follows the manual's "$concat" page.

use super::super::arguments::error;
use super::super::form::{Form, joining};
use super::super::growth::{Growing, allow_text};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = joining(evaluate, append);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let mut joined = Vec::new();
    Ok(match join(&mut joined, arguments, call)? {
        true => Value::String(joined.into()),
        false => Value::NULL,
    })
}

fn append(
    value: &mut Growing,
    arguments: &[Value<'static>],
    call: Invocation<'_>,
) -> Result<Option<Value<'static>>> {
    match value.text() {
        Some(text) => Ok((!join(text, arguments, call)?).then_some(Value::NULL)),
        // The first argument alone decides the result: null, or an error.
        None => value
            .lend(|first| evaluate(&[first.into()], call).map(|value| Some(value.into_owned()))),
    }
}

/// Appends strings; false where one of them is null.
fn join(joined: &mut Vec<u8>, arguments: &[Value<'_>], call: Invocation<'_>) -> Result<bool> {
    for argument in arguments {
        match argument.as_ref() {
            ValueRef::String(text) => {
                allow_text(call.env, joined.len() + text.len())?;
                joined.extend_from_slice(text.as_bytes());
            }
            value if value.is_nullish() => return Ok(false),
            other => {
                return Err(error(
                    16702,
                    format!("$concat only supports strings, not {}", other.type_name()),
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
        evaluates("{$concat: ['a', '$b', 'c']}", "{b: 'x'}", "'axc'");
        evaluates("{$concat: ['a', '$b']}", "{}", "null");
        evaluates("{$concat: []}", "{}", "''");
        fails("{$concat: ['a', 1]}", "{}", 16702);
    }

    #[test]
    fn makes_no_string_as_long_as_a_document_may_be() {
        let half = format!("{{b: '{}'}}", "x".repeat(8 << 20));
        fails("{$concat: ['$b', '$b']}", &half, 16493);
        evaluates("{$strLenBytes: {$concat: ['$b', 'y']}}", &half, "8388609");
    }
}
