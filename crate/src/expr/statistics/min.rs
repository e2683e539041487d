//! `$min` as an expression: the least value that is not null.
//!
//! Follows the manual's "$min" page.

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
            best.as_ref().is_nullish() || call.collation.compare(value, best.as_ref()).is_lt();
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
        evaluates("{$min: ['$a', 2, null]}", "{a: 1}", "1");
        evaluates("{$min: '$a'}", "{a: []}", "null");
    }
}
