//! `$toBool`: a value as bool.
//!
//! Follows the manual's "$toBool" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::Boolean)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates("{$toBool: 'false'}", "{}", "true");
        evaluates("{$toBool: 0.0}", "{}", "false");
        evaluates("{$toBool: null}", "{}", "null");
        fails("{$toBool: [1, 2]}", "{}", 50723);
    }
}
