//! `$toDouble`: a value as double.
//!
//! Follows the manual's "$toDouble" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::Double)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates("{$toDouble: '1.5e2'}", "{}", "150.0");
        evaluates("{$toDouble: true}", "{}", "1.0");
        evaluates("{$toDouble: Date(5)}", "{}", "5.0");
        fails("{$toDouble: '0x1'}", "{}", 241);
        fails("{$toDouble: {$literal: {}}}", "{}", 241);
    }
}
