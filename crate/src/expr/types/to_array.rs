//! `$toArray`: an array from its JSON text.
//!
//! Follows the manual's "$toArray" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::Array)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_json() {
        evaluates("{$toArray: '[1, {\"a\": 2.5}]'}", "{}", "[1, {a: 2.5}]");
        evaluates("{$toArray: '$q'}", "{}", "null");
        fails("{$toArray: '{}'}", "{}", 241);
        fails("{$toArray: '1'}", "{}", 241);
    }
}
