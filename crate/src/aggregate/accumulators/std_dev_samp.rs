//! `$stdDevSamp`: the standard deviation of a sample; null without enough numbers.
//!
//! Follows the manual's "$stdDevSamp (accumulator)" page.

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
        Ok(self.deviation.value(true))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn deviates() {
        accumulates(
            "{$stdDevSamp: '$x'}",
            "[{x: 1}, {x: 3}]",
            "1.4142135623730951",
        );
        accumulates("{$stdDevSamp: '$x'}", "[{x: 1}]", "null");
    }
}
