//! `$replaceAll`: a string with every occurrence of another replaced.
//!
//! Follows the manual's "$replaceAll" page.

use super::super::form::{Form, named};
use super::super::growth::allow_text;
use super::super::node::{Invocation, Result};
use super::replacing::{NAMES, texts};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    Ok(match texts(arguments, call.name)? {
        None => Value::NULL,
        Some([input, find, replacement]) => {
            let mut replaced = String::new();
            let mut rest = 0;
            for (at, found) in input.match_indices(find) {
                for part in [&input[rest..at], replacement] {
                    allow_text(call.env, replaced.len() + part.len())?;
                    replaced.push_str(part);
                }
                rest = at + found.len();
            }
            allow_text(call.env, replaced.len() + input.len() - rest)?;
            replaced.push_str(&input[rest..]);
            Value::from(replaced)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn replaces() {
        evaluates(
            "{$replaceAll: {input: 'abcb', find: 'b', replacement: 'x'}}",
            "{}",
            "'axcx'",
        );
        evaluates(
            "{$replaceAll: {input: 'ab', find: '', replacement: '-'}}",
            "{}",
            "'-a-b-'",
        );
        evaluates(
            "{$replaceAll: {input: '$q', find: 'b', replacement: 'x'}}",
            "{}",
            "null",
        );
        fails(
            "{$replaceAll: {input: 1, find: 'b', replacement: 'x'}}",
            "{}",
            10503904,
        );
        fails("{$replaceAll: {input: 'a', find: 'b'}}", "{}", 51747);
    }
}
