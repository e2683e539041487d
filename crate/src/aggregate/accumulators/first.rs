//! `$first`: the value of the first document; null when it has none.
//!
//! Follows the manual's "$first (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use super::several::Kept;
use crate::bson::{Value, ValueRef};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    first: Kept,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        Ok(match self.first.value {
            None => self.first.set(value),
            Some(_) => 0,
        })
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.first.get())
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
