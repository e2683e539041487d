//! `$toUpper`: a string with its ASCII letters in upper case.
//!
//! Follows the manual's "$toUpper" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::text::coerce;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let text = coerce(arguments[0].as_ref())?.to_ascii_uppercase();
    Ok(Value::String(text.into()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn changes_ascii_letters() {
        evaluates("{$toUpper: 'abü'}", "{}", "'ABü'");
        evaluates("{$toUpper: null}", "{}", "''");
    }
}
