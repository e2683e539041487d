//! `$or`: whether any argument is true; evaluation stops as soon as it is known.
//!
//! Follows the manual's "$or (expression operator)" page.

use super::super::context::Scope;
use super::super::form::{Form, lazy};
use super::super::node::{Call, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = lazy(evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    for node in &call.arguments {
        if node.evaluate(scope)?.as_ref().is_truthy() {
            return Ok(Value::from(true));
        }
    }
    Ok(Value::from(false))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn stops_early() {
        evaluates("{$or: [0, null, 3]}", "{}", "true");
        evaluates("{$or: []}", "{}", "false");
        evaluates("{$or: ['$a', {$divide: [1, 0]}]}", "{a: 1}", "true");
        evaluates("{$or: ['$x', 0]}", "{}", "false");
    }
}
