//! `$in`: whether a value is an item of an array.
//!
//! Follows the manual's "$in (aggregation)" page.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, fixed_lazy};
use super::super::item_index::first_position;
use super::super::node::{Call, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed_lazy(2, evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let wanted = call.argument(0, scope)?;
    let list = call.argument(1, scope)?;
    let ValueRef::Array(array) = list.as_ref() else {
        return Err(error(
            40081,
            format!(
                "$in requires an array as a second argument, found: {}",
                list.as_ref().type_name()
            ),
        ));
    };
    let found = first_position(call, 1, array, wanted.as_ref(), scope)?;
    Ok(Value::from(found.is_some()))
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
