//! `$allElementsTrue`: whether every item of an array is true.
//!
//! Follows the manual's "$allElementsTrue" page.

use super::super::arguments::array;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let what = format!("{}'s argument must be an array, but is ", call.name);
    let items = array(&arguments[0], 17040, &what)?;
    Ok(Value::from(
        items.iter().all(crate::bson::ValueRef::is_truthy),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn looks_at_items() {
        evaluates("{$allElementsTrue: [[1, true, 'x']]}", "{}", "true");
        evaluates("{$allElementsTrue: [[1, 0]]}", "{}", "false");
        evaluates("{$allElementsTrue: [[]]}", "{}", "true");
        fails("{$allElementsTrue: ['$q']}", "{}", 17040);
    }
}
