//! `$setDifference`: the distinct items of the first array that the second lacks.
//!
//! Follows the manual's "$setDifference" page.

use super::super::arguments::{any_nullish, array};
use super::super::array::several::collect;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::members::{distinct, holds};
use crate::algorithms::sorting;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    if any_nullish(arguments) {
        return Ok(Value::NULL);
    }
    let what = "both operands of $setDifference must be arrays. First argument is of type: ";
    let left = array(&arguments[0], 17048, what)?;
    let what = "both operands of $setDifference must be arrays. Second argument is of type: ";
    let right = distinct(array(&arguments[1], 17049, what)?, call)?;
    let mut kept = Vec::new();
    for (position, item) in left.iter().enumerate() {
        if !holds(&right, item, call)? {
            kept.push((item, position));
        }
    }
    sorting::sort_distinct(call.env, &mut kept, &mut |(a, _), (b, _)| {
        call.collation.compare(*a, *b)
    })?;
    // Each item goes where its first equal stood.
    sorting::sort_asking(call.env, &mut kept, &mut |a, b| a.1.cmp(&b.1))?;
    collect(kept.into_iter().map(|(item, _)| item), call)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_the_first_arrays_order() {
        evaluates("{$setDifference: [[3, 1, 2, 3], [2]]}", "{}", "[3, 1]");
        evaluates("{$setDifference: [[1], '$q']}", "{}", "null");
        fails("{$setDifference: [1, [1]]}", "{}", 17048);
        fails("{$setDifference: [[1], 1]}", "{}", 17049);
    }
}
