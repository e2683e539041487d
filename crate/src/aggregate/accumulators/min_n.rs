//! `$minN`: the n least, the least first; nulls left out.
//!
//! Follows the manual's "$minN (accumulator)" page.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use super::several::{Limit, size, to_array};
use crate::bson::{Value, ValueRef};
use crate::collation::Collation;
use crate::env::Env;
use crate::expr::array::several::EXTREMES;
use crate::expr::{CompileContext, compile as compile_expression};
use std::rc::Rc;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(compile);

struct State {
    limit: Rc<Limit>,
    count: usize,
    /// In the order of the result.
    values: Vec<Value<'static>>,
    collation: Collation,
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
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
                count: 0,
                values: Vec::new(),
                collation: collation.clone(),
            })
        }),
    })
}

impl Accumulator for State {
    fn begin(&mut self, group: ValueRef<'_>, env: &dyn Env) -> Result<()> {
        self.count = self.limit.of(group, env)?;
        Ok(())
    }

    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        if value.is_nullish() {
            return Ok(0);
        }
        let place = self
            .values
            .partition_point(|held| self.collation.compare(held.as_ref(), value).is_le());
        if place >= self.count {
            return Ok(0);
        }
        self.values.insert(place, value.to_value());
        let dropped = match self.values.len() > self.count {
            true => self.values.pop(),
            false => None,
        };
        let freed = dropped.map_or(0, |dropped| size(dropped.as_ref()));
        Ok(size(value).saturating_sub(freed))
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(to_array(self.values.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn keeps_the_extremes() {
        accumulates(
            "{$minN: {n: 2, input: '$x'}}",
            "[{x: 1}, {x: 3}, {x: null}, {x: 2}]",
            "[1, 2]",
        );
    }
}
