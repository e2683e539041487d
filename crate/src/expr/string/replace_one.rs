//! `$replaceOne`: a string with the first occurrence of another replaced.
//!
//! Follows the manual's "$replaceOne" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::replacing::{NAMES, replace};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    replace(arguments, call, 1)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn replaces() {
        evaluates(
            "{$replaceOne: {input: 'abcb', find: 'b', replacement: 'x'}}",
            "{}",
            "'axcb'",
        );
        evaluates(
            "{$replaceOne: {input: 'abcb', find: '', replacement: 'x'}}",
            "{}",
            "'xabcb'",
        );
        fails(
            "{$replaceOne: {input: 'a', find: 1, replacement: 'x'}}",
            "{}",
            10503901,
        );
    }
}
