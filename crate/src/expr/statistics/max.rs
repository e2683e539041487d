//! `$max` as an expression: the greatest value that is not null.
//!
//! Follows the manual's "$max" page.

use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::inputs::each_value;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let mut best = Value::NULL;
    each_value(arguments, &mut |value| {
        let wins =
            best.as_ref().is_nullish() || call.collation.compare(value, best.as_ref()).is_gt();
        if !value.is_nullish() && wins {
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
        evaluates("{$max: ['$a', 2, null]}", "{a: 1}", "2");
        evaluates("{$max: '$a'}", "{a: [1, 'x']}", "'x'");
        evaluates("{$max: '$q'}", "{}", "null");
    }
}
