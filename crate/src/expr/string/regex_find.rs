//! `$regexFind`: the first match with its position and captures, or null.
//!
//! Follows the manual's "$regexFind" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::regex::{NAMES, code_points, describe, find, prepare};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let Some((text, program)) = prepare(arguments, call)? else {
        return Ok(Value::NULL);
    };
    Ok(match find(&program, text, 0, call)? {
        Some(found) => Value::Document(describe(text, &found, code_points(text, 0, found.start))),
        None => Value::NULL,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn finds_the_first() {
        evaluates(
            "{$regexFind: {input: 'xüab12', regex: '([a-z])([0-9])(z)?'}}",
            "{}",
            "{match: 'b1', idx: 3, captures: ['b', '1', null]}",
        );
        evaluates("{$regexFind: {input: 'a', regex: 'b'}}", "{}", "null");
        evaluates("{$regexFind: {input: '$q', regex: 'b'}}", "{}", "null");
        fails("{$regexFind: {input: 1, regex: 'b'}}", "{}", 51104);
        fails("{$regexFind: {input: 'a', regex: 1}}", "{}", 51105);
        fails("{$regexFind: {input: 'a', regex: '('}}", "{}", 51111);
        fails("{$regexFind: {input: 'a'}}", "{}", 31023);
    }
}
