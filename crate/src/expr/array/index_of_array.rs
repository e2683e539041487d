//! `$indexOfArray`: the position of the first equal item within a range, or -1.
//!
//! Follows the manual's "$indexOfArray" page.

use super::super::arguments::{error, length};
use super::super::context::Scope;
use super::super::form::Form;
use super::super::item_index::first_position;
use super::super::node::{Call, Function, Result};
use super::super::string::positions::positions;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Positional {
    least: 2,
    most: 4,
    function: Function::Lazy(evaluate),
};

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let mut arguments = Vec::with_capacity(call.arguments.len());
    for position in 0..call.arguments.len() {
        arguments.push(call.argument(position, scope)?);
    }
    let array = match arguments[0].as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::Array(array) => array,
        other => {
            return Err(error(
                40090,
                format!(
                    "$indexOfArray requires an array as a first argument, found: {}",
                    other.type_name()
                ),
            ));
        }
    };
    let (start, end) = positions(&arguments, call.name, [9_711_600, 9_711_601])?;
    let wanted = arguments[1].as_ref();
    if start == 0 {
        let found = first_position(call, 0, array, wanted, scope)?;
        return Ok(found
            .filter(|position| *position < end)
            .map_or(Value::from(-1), length));
    }
    for (position, item) in array.iter().enumerate().take(end).skip(start) {
        scope.env.checkpoint()?;
        if call.collation.equal(item, wanted) {
            return Ok(length(position));
        }
    }
    Ok(Value::from(-1))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn searches_a_range() {
        evaluates("{$indexOfArray: [['a', 'b', 'a'], 'a']}", "{}", "0");
        evaluates("{$indexOfArray: [['a', 'b', 'a'], 'a', 1]}", "{}", "2");
        evaluates("{$indexOfArray: [['a', 'b', 'a'], 'a', 1, 2]}", "{}", "-1");
        evaluates("{$indexOfArray: ['$x', 1]}", "{}", "null");
        fails("{$indexOfArray: [1, 1]}", "{}", 40090);
        fails("{$indexOfArray: [[1], 1, -1]}", "{}", 9711601);
        fails("{$indexOfArray: [[1], 1, 'x']}", "{}", 9711600);
    }
}
