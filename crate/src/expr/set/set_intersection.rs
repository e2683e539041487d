//! `$setIntersection`: the distinct items that every array has, sorted.
//!
//! Follows the manual's "$setIntersection" page.

use super::super::arguments::array;
use super::super::array::several::collect;
use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::members::{distinct, holds};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let mut common: Option<Vec<ValueRef<'_>>> = None;
    for argument in arguments {
        if argument.as_ref().is_nullish() {
            return Ok(Value::NULL);
        }
        let what = "All operands of $setIntersection must be arrays. One argument is of type: ";
        let set = distinct(array(argument, 17047, what)?, call)?;
        let Some(before) = common.take() else {
            common = Some(set);
            continue;
        };
        // What stays is the first array's, in type too.
        let kept = common.insert(Vec::new());
        for item in before {
            if holds(&set, item, call)? {
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
        let types = "{$setIntersection: [[Decimal('1.0'), 2], [2.0, 1], [NumberLong(1), 2]]}";
        evaluates(types, "{}", "[Decimal('1.0'), 2]");
        evaluates("{$setIntersection: [null, 1]}", "{}", "null");
        fails("{$setIntersection: [1, null]}", "{}", 17047);
        fails("{$setIntersection: [[1], 1]}", "{}", 17047);
    }
}
