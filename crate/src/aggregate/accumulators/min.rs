//! `$min`: the least value that is not null, by the order of all values.
//!
//! Follows the manual's "$min (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use super::several::Kept;
use crate::bson::{Value, ValueRef};
use crate::collation::Collation;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|collation| {
    Box::new(State {
        best: Kept::default(),
        collation: collation.clone(),
    })
});

struct State {
    best: Kept,
    collation: Collation,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        let wins = match &self.best.value {
            None => true,
            Some(best) => self.collation.compare(value, best.as_ref()).is_lt(),
        };
        Ok(match wins && !value.is_nullish() {
            true => self.best.set(value),
            false => 0,
        })
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(self.best.get())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn compares_all_types() {
        accumulates(
            "{$min: '$x'}",
            "[{x: 1}, {x: 3}, {x: null}, {}, {x: 2}]",
            "1",
        );
        accumulates("{$min: '$x'}", "[{}]", "null");
        accumulates("{$min: '$x'}", "[{x: 5}, {x: 'a'}]", "5");
    }
}
