//! `$minN` and `$maxN`: the n least values, the least first, and the n greatest, the greatest first; nulls left out.
//!
//! Follows the manual's "$minN (accumulator)" and "$maxN (accumulator)" pages.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use super::ranked::Ranked;
use super::several::Limit;
use crate::bson::{Value, ValueRef};
use crate::collation::Collation;
use crate::env::{Env, NoEnv};
use crate::expr::array::several::EXTREMES;
use crate::expr::{CompileContext, compile as compile_expression};
use std::cmp::Ordering;
use std::rc::Rc;

/// How `$minN` takes its argument.
pub const MIN: Form =
    Form::Custom(|name, argument, context| compile(name, argument, context, false));

/// How `$maxN` takes its argument.
pub const MAX: Form =
    Form::Custom(|name, argument, context| compile(name, argument, context, true));

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
    greatest: bool,
) -> Result<AccumulatorPlan> {
    let parts = EXTREMES.split(name, argument)?;
    let limit = Limit::compile(parts[0], context)?;
    let collation = context.collation.clone();
    Ok(AccumulatorPlan {
        name,
        argument: compile_expression(parts[1], context)?,
        specification: argument.to_value(),
        start: Box::new(move || {
            Box::new(State {
                limit: Rc::clone(&limit),
                order: Order {
                    greatest,
                    collation: collation.clone(),
                },
                values: Ranked::new(false),
            })
        }),
    })
}

struct Order {
    greatest: bool,
    collation: Collation,
}

impl Order {
    fn rank(&self, left: ValueRef<'_>, right: ValueRef<'_>) -> Ordering {
        match self.greatest {
            true => self.collation.compare(right, left),
            false => self.collation.compare(left, right),
        }
    }
}

struct State {
    limit: Rc<Limit>,
    order: Order,
    values: Ranked,
}

impl Accumulator for State {
    fn begin(&mut self, group: ValueRef<'_>, env: &dyn Env) -> Result<()> {
        self.values.count = self.limit.of(group, env)?;
        Ok(())
    }

    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        if value.is_nullish() {
            return Ok(0);
        }
        let order = &self.order;
        let rank = |left: ValueRef<'_>, right: ValueRef<'_>| order.rank(left, right);
        Ok(self.values.offer(value, ValueRef::Missing, &rank))
    }

    fn value(&mut self) -> Result<Value<'static>> {
        self.finish(&NoEnv)
    }

    fn finish(&mut self, env: &dyn Env) -> Result<Value<'static>> {
        let rank = |left: ValueRef<'_>, right: ValueRef<'_>| self.order.rank(left, right);
        self.values.values(&rank, env)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn keeps_the_extremes() {
        let documents = "[{x: 1}, {x: 3}, {x: null}, {x: 2}]";
        accumulates("{$minN: {n: 2, input: '$x'}}", documents, "[1, 2]");
        accumulates("{$maxN: {n: 2, input: '$x'}}", documents, "[3, 2]");
    }
}
