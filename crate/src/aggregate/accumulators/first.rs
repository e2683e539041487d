//! `$first`: the value of the first document; null when it has none.
//!
//! Follows the manual's "$first (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use crate::bson::{Value, ValueRef};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    first: Option<Value<'static>>,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        if self.first.is_none() {
            self.first = Some(value.to_value());
        }
        Ok(0)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.first.clone().unwrap_or(Value::NULL))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn keeps_the_first() {
        accumulates("{$first: '$x'}", "[{x: 1}, {x: 2}]", "1");
        accumulates("{$first: '$x'}", "[{}, {x: 2}]", "null");
    }
}
