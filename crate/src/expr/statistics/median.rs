//! `$median` as an expression: the 50th percentile of an array's numbers.
//!
//! Follows the manual's "$median" page.

use super::super::form::{Form, Names, named};
use super::super::node::{Invocation, Result};
use super::inputs::each_value;
use super::percentiles::check_method;
use super::state::Percentiles;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["input", "method"],
    missing: &[40414, 40414],
    not_object: 7_436_201,
    unknown: 40415,
};

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    check_method(arguments[1].as_ref(), "$median")?;
    let mut state = Percentiles::default();
    each_value(&arguments[..1], &mut |value| state.add(value));
    Ok(state.value(0.5))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_the_lower_middle() {
        evaluates(
            "{$median: {input: '$a', method: 'approximate'}}",
            "{a: [4, 1, 3, 2]}",
            "2.0",
        );
        evaluates(
            "{$median: {input: '$q', method: 'approximate'}}",
            "{}",
            "null",
        );
        fails("{$median: {input: '$a', method: 'exact'}}", "{a: 1}", 2);
        fails("{$median: {input: '$a'}}", "{}", 40414);
    }
}
