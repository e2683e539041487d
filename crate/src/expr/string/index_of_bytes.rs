//! `$indexOfBytes`: the position of a string in another, in bytes, or -1.
//!
//! Follows the manual's "$indexOfBytes" page.

use super::super::arguments::length;
use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::finding::each_place;
use super::positions::Search;
use crate::bson::{Text, Value};

/// How the operator takes its arguments.
pub const FORM: Form = range(2, 4, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let Some(search) = Search::read(arguments, call, [40091, 40092])? else {
        return Ok(Value::NULL);
    };
    let Search {
        text,
        token,
        start,
        end,
    } = search;
    let end = end.min(text.len());
    if start > text.len() || end < start {
        return Ok(Value::from(-1));
    }
    if token.is_empty() {
        return Ok(length(start));
    }
    let searched = Text(&text.as_bytes()[start..end]);
    let mut place = None;
    each_place(searched, token, call.env, &mut |at| {
        place = Some(start + at);
        Ok(false)
    })?;
    Ok(place.map_or(Value::from(-1), length))
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
        evaluates("{$indexOfBytes: ['fü1', '1', 2]}", "{}", "3");
        evaluates("{$indexOfBytes: ['fü1', 'ü', 0, 2]}", "{}", "-1");
        evaluates("{$indexOfBytes: ['ü', 'ü', 1, 1]}", "{}", "-1");
        evaluates("{$indexOfBytes: ['fü1', '', 2]}", "{}", "2");
        evaluates("{$indexOfBytes: ['', '']}", "{}", "0");
        evaluates("{$indexOfBytes: [null, 'a']}", "{}", "null");
        fails("{$indexOfBytes: [1, 'a']}", "{}", 40091);
        fails("{$indexOfBytes: ['a', 1]}", "{}", 40092);
        fails("{$indexOfBytes: ['a', 'a', -1]}", "{}", 40097);
    }
}
