//! `$last`: the value of the last document; null when it has none.
//!
//! Follows the manual's "$last (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use super::several::Kept;
use crate::bson::{Value, ValueRef};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    last: Kept,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        Ok(self.last.set(value))
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.last.get())
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
