//! `$firstN` and `$lastN`: the values of the first and of the last n documents.
//!
//! Follows the manual's "$firstN (accumulator)" and "$lastN (accumulator)" pages.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use super::several::{Limit, size, to_array};
use crate::bson::{Value, ValueRef};
use crate::env::Env;
use crate::expr::array::several::ENDS;
use crate::expr::{CompileContext, compile as compile_expression};
use std::collections::VecDeque;
use std::rc::Rc;

/// How `$firstN` takes its argument.
pub const FIRST: Form =
    Form::Custom(|name, argument, context| compile(name, argument, context, false));

/// How `$lastN` takes its argument.
pub const LAST: Form =
    Form::Custom(|name, argument, context| compile(name, argument, context, true));

struct State {
    limit: Rc<Limit>,
    count: usize,
    /// Whether a value that comes when there are enough takes the place of the oldest.
    keeps_last: bool,
    values: VecDeque<Value<'static>>,
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
    keeps_last: bool,
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
                keeps_last,
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
        let mut freed = 0;
        if self.values.len() >= self.count {
            if !self.keeps_last {
                return Ok(0);
            }
            let oldest = self.values.pop_front();
            freed = oldest.map_or(0, |oldest| size(oldest.as_ref()));
        }
        self.values.push_back(value.to_value());
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
    fn keeps_the_first() {
        accumulates(
            "{$firstN: {n: 2, input: '$x'}}",
            "[{x: 1}, {}, {x: 3}]",
            "[1, null]",
        );
        refuses("{$firstN: {n: 0, input: '$x'}}", "[]", 5787908);
        refuses("{$firstN: {n: '$q', input: '$x'}}", "[{x: 1}]", 5787902);
        refuses("{$firstN: {n: 1}}", "[]", 5787907);
    }

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
