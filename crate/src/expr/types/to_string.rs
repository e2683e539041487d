//! `$toString`: a value as string.
//!
//! Follows the manual's "$toString" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::String)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn converts() {
        evaluates("{$toString: 1.5}", "{}", "'1.5'");
        evaluates("{$toString: 3.0}", "{}", "'3'");
        evaluates("{$toString: true}", "{}", "'true'");
        evaluates("{$toString: Date(0)}", "{}", "'1970-01-01T00:00:00.000Z'");
        evaluates(
            "{$toString: ObjectId('5f5e10000000000000000000')}",
            "{}",
            "'5f5e10000000000000000000'",
        );
        evaluates("{$toString: Decimal('1.50')}", "{}", "'1.50'");
        evaluates("{$toString: '$q'}", "{}", "null");
        evaluates("{$toString: [[1]]}", "{}", "'[1]'");
    }
}
