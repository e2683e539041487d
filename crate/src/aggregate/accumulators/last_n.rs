//! `$lastN`: the values of the last n documents.
//!
//! Follows the manual's "$lastN (accumulator)" page.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use super::several::{Limit, size, to_array};
use crate::bson::{Value, ValueRef};
use crate::env::Env;
use crate::expr::array::several::ENDS;
use crate::expr::{CompileContext, compile as compile_expression};
use std::collections::VecDeque;
use std::rc::Rc;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(compile);

struct State {
    limit: Rc<Limit>,
    count: usize,
    values: VecDeque<Value<'static>>,
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<AccumulatorPlan> {
    let parts = ENDS.split(name, argument)?;
    let limit = Limit::compile(parts[0], context)?;
    Ok(AccumulatorPlan {
        name,
        argument: compile_expression(parts[1], context)?,
        specification: argument.to_value(),
        start: Box::new(move || {
            Box::new(State {
                limit: Rc::clone(&limit),
                count: 0,
                values: VecDeque::new(),
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
        let dropped = match self.values.len() >= self.count {
            true => self.values.pop_front(),
            false => None,
        };
        self.values.push_back(value.to_value());
        let freed = dropped.map_or(0, |dropped| size(dropped.as_ref()));
        Ok(size(value).saturating_sub(freed))
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(to_array(self.values.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn keeps_the_last() {
        accumulates(
            "{$lastN: {n: 2, input: '$x'}}",
            "[{x: 1}, {x: 2}, {x: 3}]",
            "[2, 3]",
        );
        refuses("{$lastN: {n: 1.5, input: '$x'}}", "[]", 5787903);
    }
}
