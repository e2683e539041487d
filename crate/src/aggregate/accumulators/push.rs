//! `$push`: every value, in an array.
//!
//! Follows the manual's "$push (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result, check_list};
use crate::bson::{ArrayBuilder, Value, ValueRef};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::of("$push")));

/// The values so far.
pub(super) struct State {
    /// The accumulator's name, for its errors.
    name: &'static str,
    items: ArrayBuilder,
}

impl State {
    /// A new state of the accumulator with this name.
    pub(super) fn of(name: &'static str) -> Self {
        Self {
            name,
            items: ArrayBuilder::new(),
        }
    }
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        if value.is_missing() {
            return Ok(0);
        }
        let before = self.items.byte_len();
        self.items.push(value);
        check_list(self.name, self.items.len(), self.items.byte_len())?;
        Ok(self.items.byte_len() - before)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(Value::Array(self.items.clone().finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn keeps_all() {
        accumulates(
            "{$push: '$x'}",
            "[{x: 1}, {}, {x: null}, {x: [2]}]",
            "[1, null, [2]]",
        );
        accumulates("{$push: {a: '$x', b: '$y'}}", "[{x: 1}]", "[{a: 1}]");
        accumulates("{$push: '$x'}", "[]", "[]");
    }
}
