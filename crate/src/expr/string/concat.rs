//! `$concat`: strings one after another.
//!
//! Follows the manual's "$concat" page.

use super::super::arguments::error;
use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let mut joined = String::new();
    for argument in arguments {
        match argument.as_ref() {
            ValueRef::String(text) => joined.push_str(text),
            value if value.is_nullish() => return Ok(Value::NULL),
            other => {
                return Err(error(
                    16702,
                    format!("$concat only supports strings, not {}", other.type_name()),
                ));
            }
        }
    }
    Ok(Value::from(joined))
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
}
