//! `$setUnion`: the distinct items of all arrays, sorted.
//!
//! Follows the manual's "$setUnion" page.

use super::super::arguments::array;
use super::super::array::several::collect;
use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::members::Union;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let mut union = Union::default();
    for argument in arguments {
        if argument.as_ref().is_nullish() {
            return Ok(Value::NULL);
        }
        let what = "All operands of $setUnion must be arrays. One argument is of type: ";
        union.add(array(argument, 17043, what)?, call)?;
    }
    collect(union.finish(call)?.into_iter(), call)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn joins_distinct_items() {
        evaluates("{$setUnion: [[3, 1], [2, 1]]}", "{}", "[1, 2, 3]");
        evaluates("{$setUnion: [[1], '$q']}", "{}", "null");
        evaluates("{$setUnion: ['$q', 1]}", "{}", "null");
        fails("{$setUnion: [1, '$q']}", "{}", 17043);
        fails("{$setUnion: [[1], 2]}", "{}", 17043);
    }
}
