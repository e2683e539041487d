//! `$toDate`: a value as date.
//!
//! Follows the manual's "$toDate" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::DateTime)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates("{$toDate: '2021-03-07'}", "{}", "Date(1615075200000)");
        evaluates("{$toDate: NumberLong(5)}", "{}", "Date(5)");
        evaluates(
            "{$toDate: ObjectId('5f5e10000000000000000000')}",
            "{}",
            "Date(1600000000000)",
        );
        fails("{$toDate: 5}", "{}", 241);
        fails("{$toDate: 'x'}", "{}", 241);
    }
}
