//! `$strcasecmp`: -1, 0 or 1 by the order of two strings without regard to ASCII case.
//!
//! Follows the manual's "$strcasecmp" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::text::coerce;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let left = coerce(arguments[0].as_ref())?.to_ascii_uppercase();
    let right = coerce(arguments[1].as_ref())?.to_ascii_uppercase();
    Ok(Value::from(left.cmp(&right) as i32))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn ignores_case() {
        evaluates("{$strcasecmp: ['a', 'B']}", "{}", "-1");
        evaluates("{$strcasecmp: ['AB', 'ab']}", "{}", "0");
        evaluates("{$strcasecmp: ['b', '$q']}", "{}", "1");
        fails("{$strcasecmp: ['b', [1]]}", "{}", 16007);
    }
}
