//! `$in`: whether a value is an item of an array.
//!
//! Follows the manual's "$in (aggregation)" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let ValueRef::Array(array) = arguments[1].as_ref() else {
        return Err(error(
            40081,
            format!(
                "$in requires an array as a second argument, found: {}",
                arguments[1].as_ref().type_name()
            ),
        ));
    };
    let wanted = arguments[0].as_ref();
    Ok(Value::from(
        array.iter().any(|item| call.collation.equal(item, wanted)),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn looks_for_an_equal_item() {
        evaluates("{$in: [2, [1, 2.0]]}", "{}", "true");
        evaluates("{$in: ['$x', [1, null]]}", "{}", "false");
        evaluates("{$in: [[1], [[1]]]}", "{}", "true");
        fails("{$in: [1, '$x']}", "{}", 40081);
    }
}
