//! `$toObjectId`: a value as ObjectId.
//!
//! Follows the manual's "$toObjectId" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::ObjectId)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates(
            "{$toObjectId: '5f5e10000000000000000000'}",
            "{}",
            "ObjectId('5f5e10000000000000000000')",
        );
        fails("{$toObjectId: '5f'}", "{}", 241);
        fails("{$toObjectId: '+f5e10000000000000000000'}", "{}", 241);
        fails("{$toObjectId: 5}", "{}", 241);
    }
}
