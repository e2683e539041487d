//! `$percentile` as an expression: percentiles of an array's numbers.
//!
//! Follows the manual's "$percentile" page.

use super::super::array::several::collect;
use super::super::form::{Form, Names, named};
use super::super::node::{Invocation, Result};
use super::inputs::each_value;
use super::percentiles::{check_method, shares};
use super::state::Percentiles;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["input", "p", "method"],
    missing: &[40414, 40414, 40414],
    not_object: 7_436_200,
    unknown: 40415,
};

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let shares = shares(arguments[1].as_ref())?;
    check_method(arguments[2].as_ref(), "$percentile")?;
    let mut state = Percentiles::default();
    each_value(&arguments[..1], &mut |value| state.add(value));
    let values: Vec<_> = shares.into_iter().map(|share| state.value(share)).collect();
    Ok(collect(values.iter().map(Value::as_ref)))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_several() {
        evaluates(
            "{$percentile: {input: '$a', p: [0, 0.5, 0.9, 1], method: 'approximate'}}",
            "{a: [4, 1, 3, 2]}",
            "[1.0, 2.0, 4.0, 4.0]",
        );
        fails(
            "{$percentile: {input: '$a', p: [2], method: 'approximate'}}",
            "{a: 1}",
            7750303,
        );
    }
}
