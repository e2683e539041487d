//! `$toInt`: a value as int.
//!
//! Follows the manual's "$toInt" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::Int32)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates("{$toInt: '-7'}", "{}", "-7");
        evaluates("{$toInt: 2.9}", "{}", "2");
        evaluates("{$toInt: NumberLong(5)}", "{}", "5");
        evaluates("{$toInt: Decimal('2.9')}", "{}", "2");
        fails("{$toInt: 3000000000}", "{}", 241);
        fails("{$toInt: NaN}", "{}", 241);
        fails("{$toInt: '1.5'}", "{}", 241);
        fails("{$toInt: Date(1)}", "{}", 241);
    }
}
