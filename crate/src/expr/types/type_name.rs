//! `$type`: the name of a value's type.
//!
//! Follows the manual's "$type (aggregation)" page.

use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    Ok(Value::from(arguments[0].as_ref().type_name().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn names_types() {
        evaluates("{$type: 1}", "{}", "'int'");
        evaluates("{$type: '$q'}", "{}", "'missing'");
        evaluates("{$type: [[]]}", "{}", "'array'");
        evaluates("{$type: Date(1)}", "{}", "'date'");
    }
}
