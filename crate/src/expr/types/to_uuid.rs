//! `$toUUID`: a UUID from its text.
//!
//! Follows the manual's "$toUUID" page.

use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::binary::{Format, UUID};
use super::conversion::{Target, Writing, convert};
use super::shorthand;
use crate::bson::{BsonType, Value};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        value if value.is_nullish() => Ok(Value::NULL),
        value => {
            let target = Target {
                to: BsonType::Binary,
                subtype: UUID,
            };
            convert(value, target, Writing::of(Format::Uuid), call.env)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_a_uuid() {
        evaluates(
            "{$toString: {$toUUID: '00112233-4455-6677-8899-aabbccddeeff'}}",
            "{}",
            "'00112233-4455-6677-8899-aabbccddeeff'",
        );
        fails("{$toUUID: 'x'}", "{}", 241);
    }
}
