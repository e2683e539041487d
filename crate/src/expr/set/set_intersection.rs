//! `$setIntersection`: the distinct items that every array has, sorted.
//!
//! Follows the manual's "$setIntersection" page.

use super::super::arguments::{any_nullish, array};
use super::super::array::several::collect;
use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::members::{distinct, holds};
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
        let set = distinct(array(argument, 17047, what)?, call)?;
        let Some(before) = common.replace(Vec::new()) else {
            common = Some(set);
            continue;
        };
        let kept = common.get_or_insert_default();
        for item in set {
            if holds(&before, item, call)? {
                kept.push(item);
            }
        }
    }
    collect(common.unwrap_or_default().into_iter(), call)
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
