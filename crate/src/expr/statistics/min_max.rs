//! `$min` and `$max` as expressions: the least and the greatest value that is not null.
//!
//! Follows the manual's "$min" and "$max" pages.

use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::inputs::each_value;
use crate::bson::Value;
use std::cmp::Ordering;

/// How `$min` takes its arguments.
pub const MIN: Form = variadic(|arguments, call| best(arguments, Ordering::Less, call));

/// How `$max` takes its arguments.
pub const MAX: Form = variadic(|arguments, call| best(arguments, Ordering::Greater, call));

/// The value that compares so with all others.
fn best<'v>(arguments: &[Value<'v>], wins: Ordering, call: Invocation<'_>) -> Result<Value<'v>> {
    let mut best = Value::NULL;
    each_value(arguments, &mut |value| {
        let is_better =
            best.as_ref().is_nullish() || call.collation.compare(value, best.as_ref()) == wins;
        if !value.is_nullish() && is_better {
            best = value.to_value();
        }
    });
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn compares_all_types() {
        evaluates("{$min: ['$a', 2, null]}", "{a: 1}", "1");
        evaluates("{$min: '$a'}", "{a: []}", "null");
        evaluates("{$max: ['$a', 2, null]}", "{a: 1}", "2");
        evaluates("{$max: '$a'}", "{a: [1, 'x']}", "'x'");
        evaluates("{$max: '$q'}", "{}", "null");
    }
}
