//! `$stdDevPop` and `$stdDevSamp`: the standard deviation of a population and of a sample; null without enough numbers.
//!
//! Follows the manual's "$stdDevPop (accumulator)" and "$stdDevSamp (accumulator)" pages.

use super::accumulator::{Accumulator, Form, Result};
use crate::bson::{Value, ValueRef};
use crate::env::Env;
use crate::expr::statistics::state::Deviation;

/// How `$stdDevPop` takes its argument.
pub const POPULATION: Form = Form::Single(|_| State::start(false));

/// How `$stdDevSamp` takes its argument.
pub const SAMPLE: Form = Form::Single(|_| State::start(true));

struct State {
    deviation: Deviation,
    is_sample: bool,
}

impl State {
    fn start(is_sample: bool) -> Box<dyn Accumulator> {
        Box::new(Self {
            deviation: Deviation::default(),
            is_sample,
        })
    }
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        self.deviation.add(value);
        Ok(0)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.deviation.value(self.is_sample))
    }

    fn finish_moving(&mut self, _: &dyn Env) -> Result<Value<'static>> {
        Ok(self.deviation.moving_value(self.is_sample))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn deviates() {
        let pair = "[{x: 1}, {x: 3}]";
        accumulates("{$stdDevPop: '$x'}", pair, "1.0");
        accumulates("{$stdDevSamp: '$x'}", pair, "1.4142135623730951");
        accumulates("{$stdDevPop: '$x'}", "[{x: 1}]", "0.0");
        accumulates("{$stdDevSamp: '$x'}", "[{x: 1}]", "null");
    }
}
