//! `$toLong`: a value as long.
//!
//! Follows the manual's "$toLong" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::Int64)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates("{$toLong: '12'}", "{}", "NumberLong(12)");
        evaluates("{$toLong: Date(7)}", "{}", "NumberLong(7)");
        evaluates("{$toLong: true}", "{}", "NumberLong(1)");
        fails("{$toLong: Infinity}", "{}", 241);
        fails("{$toLong: 1e20}", "{}", 241);
    }
}
