//! `$toDecimal`: a value as decimal.
//!
//! Follows the manual's "$toDecimal" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    shorthand::evaluate(arguments, call, BsonType::Decimal128)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates("{$toDecimal: '1.50'}", "{}", "Decimal('1.50')");
        evaluates("{$toDecimal: 2}", "{}", "Decimal('2')");
        fails("{$toDecimal: 'x'}", "{}", 241);
    }
}
