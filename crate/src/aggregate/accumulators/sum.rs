//! `$sum`: the sum of the numbers.
//!
//! Follows the manual's "$sum (accumulator)" page.

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
        Ok(self.sum.value())
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
}
