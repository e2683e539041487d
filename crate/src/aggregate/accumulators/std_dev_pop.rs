//! `$stdDevPop`: the standard deviation of a population; null without enough numbers.
//!
//! Follows the manual's "$stdDevPop (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use crate::bson::{Value, ValueRef};
use crate::expr::statistics::state::Deviation;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    deviation: Deviation,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        self.deviation.add(value);
        Ok(0)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.deviation.value(false))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn deviates() {
        accumulates("{$stdDevPop: '$x'}", "[{x: 1}, {x: 3}]", "1.0");
        accumulates("{$stdDevPop: '$x'}", "[{x: 1}]", "0.0");
    }
}
