//! `$indexOfBytes`: the position of a string in another, in bytes, or -1.
//!
//! Follows the manual's "$indexOfBytes" page.

use super::super::arguments::{error, length};
use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::positions::position_argument;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = range(2, 4, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let refuse = |code, which: &str, value: ValueRef<'_>| {
        error(
            code,
            format!(
                "{} requires a string as the {which} argument, found: {}",
                call.name,
                value.type_name()
            ),
        )
    };
    let text = match arguments[0].as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::String(text) => text,
        other => return Err(refuse(40091, "first", other)),
    };
    let ValueRef::String(token) = arguments[1].as_ref() else {
        return Err(refuse(40092, "second", arguments[1].as_ref()));
    };
    let start = match arguments.get(2) {
        Some(start) => position_argument(start.as_ref(), call.name, "starting index")?,
        None => 0,
    };
    let end = match arguments.get(3) {
        Some(end) => position_argument(end.as_ref(), call.name, "ending index")?,
        None => usize::MAX,
    };
    let end = end.min(text.len());
    if start > text.len() || end < start {
        return Ok(Value::from(-1));
    }
    let found = (start..=end).find(|at| text.as_bytes()[*at..end].starts_with(token.as_bytes()));
    Ok(match found {
        Some(position) => length(position),
        None => Value::from(-1),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_bytes() {
        evaluates("{$indexOfBytes: ['foobar', 'o']}", "{}", "1");
        evaluates("{$indexOfBytes: ['foobar', 'o', 2]}", "{}", "2");
        evaluates("{$indexOfBytes: ['foobar', 'r', 1, 3]}", "{}", "-1");
        evaluates("{$indexOfBytes: ['fü1', '1']}", "{}", "3");
        evaluates("{$indexOfBytes: ['', '']}", "{}", "0");
        evaluates("{$indexOfBytes: [null, 'a']}", "{}", "null");
        fails("{$indexOfBytes: [1, 'a']}", "{}", 40091);
        fails("{$indexOfBytes: ['a', 1]}", "{}", 40092);
        fails("{$indexOfBytes: ['a', 'a', -1]}", "{}", 40097);
    }
}
