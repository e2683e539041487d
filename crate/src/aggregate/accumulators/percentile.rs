//! `$percentile`: percentiles of the numbers, in an array.
//!
//! Follows the manual's "$percentile (accumulator)" page.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use super::several::to_array;
use crate::bson::{Value, ValueRef};
use crate::env::{Env, NoEnv};
use crate::expr::form::Names;
use crate::expr::statistics::percentiles::{check_method, constant_shares};
use crate::expr::statistics::state::Percentiles;
use crate::expr::{CompileContext, compile as compile_expression};
use std::rc::Rc;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "p", "method"],
    missing: &[40414, 40414, 40414],
    not_object: 7_429_703,
    unknown: 40415,
};

struct State {
    numbers: Percentiles,
    shares: Rc<[f64]>,
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<AccumulatorPlan> {
    let parts = NAMES.split(name, argument)?;
    check_method(parts[2], name)?;
    let list = compile_expression(parts[1], context)?;
    let shares: Rc<[f64]> = constant_shares(list.as_constant(), parts[1])?.into();
    Ok(AccumulatorPlan {
        name,
        argument: compile_expression(parts[0], context)?,
        specification: argument.to_value(),
        start: Box::new(move || {
            Box::new(State {
                numbers: Percentiles::default(),
                shares: Rc::clone(&shares),
            })
        }),
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
        let shares = Rc::clone(&self.shares);
        let values = shares.iter().map(|share| self.numbers.value(*share, env));
        let values = values.collect::<Result<Vec<_>>>()?;
        Ok(to_array(values.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn takes_several() {
        accumulates(
            "{$percentile: {input: '$x', p: [0.5, 1], method: 'approximate'}}",
            "[{x: 4}, {x: 1}]",
            "[1.0, 4.0]",
        );
        refuses(
            "{$percentile: {input: '$x', p: [2], method: 'approximate'}}",
            "[]",
            7750303,
        );
    }
}
