//! `$median`: the 50th percentile of the numbers.
//!
//! Follows the manual's "$median (accumulator)" page.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use crate::bson::{Value, ValueRef};
use crate::env::{Env, NoEnv};
use crate::expr::form::Names;
use crate::expr::statistics::percentiles::check_method;
use crate::expr::statistics::state::Percentiles;
use crate::expr::{CompileContext, compile as compile_expression};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "method"],
    missing: &[40414, 40414],
    not_object: 7_436_100,
    unknown: 40415,
};

#[derive(Default)]
struct State {
    numbers: Percentiles,
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<AccumulatorPlan> {
    let parts = NAMES.split(name, argument)?;
    check_method(parts[1], name)?;
    Ok(AccumulatorPlan {
        name,
        argument: compile_expression(parts[0], context)?,
        specification: argument.to_value(),
        start: Box::new(|| Box::new(State::default())),
    })
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        self.numbers.add(value);
        Ok(8)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        self.finish(&NoEnv)
    }

    fn finish(&mut self, env: &dyn Env) -> Result<Value<'static>> {
        self.numbers.value(0.5, env)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn takes_the_lower_middle() {
        accumulates(
            "{$median: {input: '$x', method: 'approximate'}}",
            "[{x: 4}, {x: 1}, {x: 'q'}, {x: 3}, {x: 2}]",
            "2.0",
        );
        refuses("{$median: {input: '$x', method: 'exact'}}", "[]", 2);
    }
}
