//! `$toObject`: an object from its JSON text.
//!
//! Follows the manual's "$toObject" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::Document)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_json() {
        evaluates("{$toObject: '{\"a\": [1, null]}'}", "{}", "{a: [1, null]}");
        evaluates("{$toObject: '$q'}", "{}", "null");
        fails("{$toObject: '[]'}", "{}", 241);
        fails("{$toObject: '1'}", "{}", 241);
    }
}
