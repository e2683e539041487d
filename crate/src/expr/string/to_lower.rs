//! `$toLower`: a string with its ASCII letters in lower case.
//!
//! Follows the manual's "$toLower" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::text::coerce;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let text = coerce(arguments[0].as_ref())?.to_ascii_lowercase();
    Ok(Value::String(text.into()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn changes_ascii_letters() {
        evaluates("{$toLower: 'AbÜ'}", "{}", "'abÜ'");
        evaluates("{$toLower: '$q'}", "{}", "''");
        evaluates("{$toLower: 5}", "{}", "'5'");
        fails("{$toLower: [['a']]}", "{}", 16007);
    }
}
