//! `$toUUID`: a UUID from its text.
//!
//! Follows the manual's "$toUUID" page.

use super::super::arguments::error;
use super::super::form::Form;
use super::super::node::{Invocation, Result};
use super::conversion::parse_hexadecimal;
use super::shorthand;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| shorthand::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let text = match arguments[0].as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        value @ ValueRef::Binary { subtype: 4, .. } => return Ok(value.to_value()),
        ValueRef::String(text) => text,
        other => {
            return Err(error(
                241,
                format!(
                    "Unsupported conversion from {} to binData in $convert with no onError value",
                    other.type_name()
                ),
            ));
        }
    };
    let hyphens = [8, 13, 18, 23];
    let well_formed = text.len() == 36
        && hyphens
            .iter()
            .all(|at| text.as_bytes().get(*at) == Some(&b'-'));
    let bytes = if well_formed {
        parse_hexadecimal(&text.replace('-', "")).filter(|bytes| bytes.len() == 16)
    } else {
        None
    };
    match bytes {
        Some(bytes) => Ok(ValueRef::Binary {
            subtype: 4,
            bytes: &bytes,
        }
        .to_value()),
        None => Err(error(
            241,
            format!("Input is not a valid UUID string in $convert with no onError value: {text}"),
        )),
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
