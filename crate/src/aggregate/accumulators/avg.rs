//! `$avg`: the mean of the numbers; null without any.
//!
//! Follows the manual's "$avg (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use crate::bson::{Value, ValueRef};
use crate::expr::statistics::state::Sum;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    sum: Sum,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        self.sum.add(value);
        Ok(0)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.sum.mean())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn takes_the_mean() {
        accumulates("{$avg: '$x'}", "[{x: 1}, {x: 2}, {x: 'z'}]", "1.5");
        accumulates("{$avg: '$x'}", "[{}]", "null");
    }
}
