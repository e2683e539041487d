//! `$replaceAll`: a string with every occurrence of another replaced.
//!
//! Follows the manual's "$replaceAll" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::replacing::{NAMES, replace};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    replace(arguments, call, usize::MAX)
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
