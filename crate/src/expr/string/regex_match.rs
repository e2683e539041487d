//! `$regexMatch`: whether a regular expression matches.
//!
//! Follows the manual's "$regexMatch" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::regex::{NAMES, prepare, stopped};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let matches = match prepare(arguments, call)? {
        Some((text, program)) => program
            .is_match(text, call.env)
            .map_err(|reason| stopped(reason, call.name))?,
        None => false,
    };
    Ok(Value::from(matches))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn matches() {
        evaluates(
            "{$regexMatch: {input: 'ABC', regex: 'b', options: 'i'}}",
            "{}",
            "true",
        );
        evaluates(
            "{$regexMatch: {input: '$x', regex: Regex('b', '')}}",
            "{x: 'abc'}",
            "true",
        );
        evaluates("{$regexMatch: {input: null, regex: 'b'}}", "{}", "false");
        fails(
            "{$regexMatch: {input: 'a', regex: 'b', options: 'q'}}",
            "{}",
            51108,
        );
    }
}
