//! `$and`: whether every argument is true; evaluation stops as soon as it is known.
//!
//! Follows the manual's "$and (expression operator)" page.

use super::super::context::Scope;
use super::super::form::{Form, lazy};
use super::super::node::{Call, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = lazy(evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    for node in &call.arguments {
        if !node.evaluate(scope)?.as_ref().is_truthy() {
            return Ok(Value::from(false));
        }
    }
    Ok(Value::from(true))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn stops_early() {
        evaluates("{$and: [1, 'x', true]}", "{}", "true");
        evaluates("{$and: []}", "{}", "true");
        evaluates("{$and: ['$a', {$divide: [1, 0]}]}", "{a: 0}", "false");
        evaluates("{$and: [1, null]}", "{}", "false");
    }
}
