//! `$setIntersection`: the distinct items that every array has, sorted.
//!
//! Follows the manual's "$setIntersection" page.

use super::super::arguments::{any_nullish, array};
use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::members::{distinct, holds, to_value};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    if any_nullish(arguments) {
        return Ok(Value::NULL);
    }
    let mut common = None;
    for argument in arguments {
        let what = "All operands of $setIntersection must be arrays. One argument is of type: ";
        let mut set = distinct(array(argument, 17047, what)?.iter(), call.collation);
        if let Some(before) = &common {
            let before: &Vec<_> = before;
            set.retain(|item| holds(before, *item, call.collation));
        }
        common = Some(set);
    }
    Ok(to_value(common.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_common_items() {
        evaluates("{$setIntersection: [[3, 1, 2], [2, 3, 3]]}", "{}", "[2, 3]");
        evaluates("{$setIntersection: []}", "{}", "[]");
        evaluates("{$setIntersection: [[1], null]}", "{}", "null");
        fails("{$setIntersection: [[1], 1]}", "{}", 17047);
    }
}
