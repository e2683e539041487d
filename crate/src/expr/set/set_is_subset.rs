//! `$setIsSubset`: whether the second array has every item of the first.
//!
//! Follows the manual's "$setIsSubset" page.

use super::super::arguments::array;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::members::{distinct, holds};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let what = "both operands of $setIsSubset must be arrays. First argument is of type: ";
    let left = array(&arguments[0], 17046, what)?;
    let what = "both operands of $setIsSubset must be arrays. Second argument is of type: ";
    let right = distinct(array(&arguments[1], 17042, what)?, call)?;
    for item in left.iter() {
        if !holds(&right, item, call)? {
            return Ok(Value::from(false));
        }
    }
    Ok(Value::from(true))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn looks_for_every_item() {
        evaluates("{$setIsSubset: [[1, 1], [2, 1]]}", "{}", "true");
        evaluates("{$setIsSubset: [[3], [2, 1]]}", "{}", "false");
        fails("{$setIsSubset: ['$q', [1]]}", "{}", 17046);
        fails("{$setIsSubset: [[1], '$q']}", "{}", 17042);
    }
}
