//! `$firstN`: the values of the first n documents.
//!
//! Follows the manual's "$firstN (accumulator)" page.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use super::several::{Limit, size, to_array};
use crate::bson::{Value, ValueRef};
use crate::env::Env;
use crate::expr::array::several::ENDS;
use crate::expr::{CompileContext, compile as compile_expression};
use std::rc::Rc;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(compile);

struct State {
    limit: Rc<Limit>,
    count: usize,
    values: Vec<Value<'static>>,
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
                values: Vec::new(),
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
        if self.values.len() >= self.count {
            return Ok(0);
        }
        self.values.push(value.to_value());
        Ok(size(value))
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
}
