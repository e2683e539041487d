//! `$split`: the parts of a string between separators.
//!
//! Follows the manual's "$split" page.

use super::super::arguments::{any_nullish, error};
use super::super::form::{Form, fixed};
use super::super::growth::allow_array;
use super::super::node::{Invocation, Result};
use super::finding::each_place;
use crate::bson::{ArrayBuilder, Text, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    if any_nullish(arguments) {
        return Ok(Value::NULL);
    }
    let refuse = |code, which: &str, value: ValueRef<'_>| {
        error(
            code,
            format!(
                "$split requires an expression that evaluates to a string as a {which} argument, \
                 found: {}",
                value.type_name()
            ),
        )
    };
    let (text, separator) = match (arguments[0].as_ref(), arguments[1].as_ref()) {
        (ValueRef::String(text), ValueRef::String(separator)) => (text, separator),
        (ValueRef::String(_), other) => return Err(refuse(10_503_900, "second", other)),
        (other, _) => return Err(refuse(40085, "first", other)),
    };
    if separator.is_empty() {
        return Err(error(40087, "$split requires a non-empty separator"));
    }
    let mut parts = ArrayBuilder::new();
    let bytes = text.as_bytes();
    let mut rest = 0;
    each_place(text, separator, call.env, &mut |at| {
        parts.push(Text(&bytes[rest..at]));
        rest = at + separator.len();
        allow_array(call.env, call.name, parts.byte_len())?;
        Ok(true)
    })?;
    parts.push(Text(&bytes[rest..]));
    allow_array(call.env, call.name, parts.byte_len())?;
    Ok(Value::Array(parts.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn splits() {
        evaluates("{$split: ['a-b--c', '-']}", "{}", "['a', 'b', '', 'c']");
        evaluates("{$split: ['a', '$q']}", "{}", "null");
        fails("{$split: [1, '-']}", "{}", 40085);
        fails("{$split: ['a', 1]}", "{}", 10503900);
        fails("{$split: ['a', '']}", "{}", 40087);
    }
}
