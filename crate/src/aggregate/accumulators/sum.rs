//! `$sum` and `$avg`: the sum of the numbers, and their mean; the mean of none is null.
//!
//! Follows the manual's "$sum (accumulator)" and "$avg (accumulator)" pages.

use super::accumulator::{Accumulator, Form, Result};
use crate::bson::{Value, ValueRef};
use crate::expr::statistics::state::Sum;

/// How `$sum` takes its argument.
pub const SUM: Form = Form::Single(|_| State::start(Sum::value));

/// How `$avg` takes its argument.
pub const AVG: Form = Form::Single(|_| State::start(Sum::mean));

/// A sum under way.
pub(super) struct State {
    sum: Sum,
    /// Makes the accumulator's value from the sum: the sum itself, or the mean.
    result: fn(&Sum) -> Value<'static>,
}

impl State {
    pub(super) fn start(result: fn(&Sum) -> Value<'static>) -> Box<dyn Accumulator> {
        Box::new(Self {
            sum: Sum::default(),
            result,
        })
    }
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        self.sum.add(value);
        Ok(0)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok((self.result)(&self.sum))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn adds_numbers() {
        accumulates("{$sum: '$x'}", "[{x: 1}, {x: 2.5}, {x: 'z'}, {}]", "3.5");
        accumulates("{$sum: 1}", "[{}, {}]", "2");
        accumulates(
            "{$sum: '$x'}",
            "[{x: 2147483647}, {x: 1}]",
            "NumberLong(2147483648)",
        );
        accumulates("{$sum: '$x'}", "[{}]", "0");
    }

    #[test]
    fn takes_the_mean() {
        accumulates("{$avg: '$x'}", "[{x: 1}, {x: 2}, {x: 'z'}]", "1.5");
        accumulates("{$avg: '$x'}", "[{}]", "null");
    }
}
