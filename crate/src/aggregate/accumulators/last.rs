//! `$last`: the value of the last document; null when it has none.
//!
//! Follows the manual's "$last (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use crate::bson::{Value, ValueRef};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    last: Option<Value<'static>>,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        self.last = Some(value.to_value());
        Ok(0)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.last.clone().unwrap_or(Value::NULL))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn keeps_the_last() {
        accumulates("{$last: '$x'}", "[{x: 1}, {x: 2}]", "2");
        accumulates("{$last: '$x'}", "[{x: 2}, {}]", "null");
    }
}
