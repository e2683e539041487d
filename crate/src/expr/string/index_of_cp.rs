//! `$indexOfCP`: the position of a string in another, in code points, or -1.
//!
//! Follows the manual's "$indexOfCP" page.

use super::super::arguments::{error, length};
use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::positions::byte_of_character;
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
        other => return Err(refuse(40093, "first", other)),
    };
    let ValueRef::String(token) = arguments[1].as_ref() else {
        return Err(refuse(40094, "second", arguments[1].as_ref()));
    };
    let start = match arguments.get(2) {
        Some(start) => position_argument(start.as_ref(), call.name, "starting index")?,
        None => 0,
    };
    let end = match arguments.get(3) {
        Some(end) => position_argument(end.as_ref(), call.name, "ending index")?,
        None => usize::MAX,
    };
    let count = text.chars().count();
    let end = end.min(count);
    if start > count || end < start {
        return Ok(Value::from(-1));
    }
    let mut byte = byte_of_character(text, start);
    for position in start..=end {
        if position < end.max(1) && text[byte..].starts_with(token) {
            return Ok(length(position));
        }
        byte += text[byte..].chars().next().map_or(0, char::len_utf8);
    }
    Ok(Value::from(-1))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_code_points() {
        evaluates("{$indexOfCP: ['fü1', '1']}", "{}", "2");
        evaluates("{$indexOfCP: ['foobar', 'o', 2]}", "{}", "2");
        evaluates("{$indexOfCP: ['', '']}", "{}", "0");
        evaluates("{$indexOfCP: [null, 'a']}", "{}", "null");
        fails("{$indexOfCP: ['a', 1]}", "{}", 40094);
    }
}
