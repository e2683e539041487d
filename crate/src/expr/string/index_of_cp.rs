//! `$indexOfCP`: the position of a string in another, in code points, or -1.
//!
//! Follows the manual's "$indexOfCP" page.

use super::super::arguments::length;
use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::positions::{Search, byte_of_character};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = range(2, 4, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let Some(search) = Search::read(arguments, call, [40093, 40094])? else {
        return Ok(Value::NULL);
    };
    let Search {
        text,
        token,
        start,
        end,
    } = search;
    let count = text.chars().count();
    let search_end = end;
    let end = end.min(count);
    if start > count || end < start {
        return Ok(Value::from(-1));
    }
    let searched = &text[byte_of_character(text, start)..];
    let found = searched.find(token);
    let position = found.map(|byte| start + searched[..byte].chars().count());
    // The range says where a token may begin: it may end behind it. No token begins an empty text as well.
    let least = usize::from(text.is_empty() && search_end > 0);
    Ok(position
        .filter(|position| *position < end.max(least))
        .map_or(Value::from(-1), length))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_code_points() {
        evaluates("{$indexOfCP: ['fü1', '1']}", "{}", "2");
        evaluates("{$indexOfCP: ['foobar', 'o', 2]}", "{}", "2");
        evaluates("{$indexOfCP: ['foobar', 'bar', 0, 4]}", "{}", "3");
        evaluates("{$indexOfCP: ['foobar', 'bar', 0, 3]}", "{}", "-1");
        evaluates("{$indexOfCP: ['abc', '', 3]}", "{}", "-1");
        evaluates("{$indexOfCP: ['', '']}", "{}", "0");
        evaluates("{$indexOfCP: [null, 'a']}", "{}", "null");
        fails("{$indexOfCP: ['a', 1]}", "{}", 40094);
    }
}
