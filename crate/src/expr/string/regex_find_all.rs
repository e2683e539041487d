//! `$regexFindAll`: every match with its position and captures.
//!
//! Follows the manual's "$regexFindAll" page.

use super::super::form::{Form, named};
use super::super::growth::allow_array;
use super::super::node::{Invocation, Result};
use super::regex::{NAMES, code_points, describe, find, prepare};
use crate::bson::{ArrayBuilder, Value};

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let mut matches = ArrayBuilder::new();
    let Some((text, program)) = prepare(arguments, call)? else {
        return Ok(Value::Array(matches.finish()));
    };
    let mut start = 0;
    let (mut counted, mut before) = (0, 0);
    while let Some(found) = find(&program, text, start, call)? {
        before += code_points(text, counted, found.start);
        counted = found.start;
        matches.push(&describe(text, &found, before));
        allow_array(call.env, call.name, matches.byte_len())?;
        start = if found.end > found.start {
            found.end
        } else {
            // An empty match: go on behind the next character.
            let next = text.get(found.end..).and_then(|rest| rest.chars().next());
            found.end + next.map_or(1, char::len_utf8)
        };
        if start >= text.len() {
            break;
        }
    }
    Ok(Value::Array(matches.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn finds_all() {
        evaluates(
            "{$regexFindAll: {input: 'a1b2', regex: '[a-z]'}}",
            "{}",
            "[{match: 'a', idx: 0, captures: []}, {match: 'b', idx: 2, captures: []}]",
        );
        evaluates("{$regexFindAll: {input: '$q', regex: 'b'}}", "{}", "[]");
        evaluates(
            "{$regexFindAll: {input: 'ab', regex: ''}}",
            "{}",
            "[{match: '', idx: 0, captures: []}, {match: '', idx: 1, captures: []}]",
        );
        fails(
            "{$regexFindAll: {input: 'a', regex: Regex('a', 'i'), options: 'i'}}",
            "{}",
            51107,
        );
    }
}
