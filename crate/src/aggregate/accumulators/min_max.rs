//! `$min` and `$max`: the least and the greatest value that is not null, by the order of all values.
//!
//! Follows the manual's "$min (accumulator)" and "$max (accumulator)" pages.

use super::accumulator::{Accumulator, Form, Result};
use super::several::Kept;
use crate::bson::{Value, ValueRef};
use crate::collation::Collation;
use std::cmp::Ordering;

/// How `$min` takes its argument.
pub const MIN: Form = Form::Single(|collation| State::start(Ordering::Less, collation));

/// How `$max` takes its argument.
pub const MAX: Form = Form::Single(|collation| State::start(Ordering::Greater, collation));

struct State {
    best: Kept,
    /// How a value compares with the best so far when it is the new best.
    wins: Ordering,
    collation: Collation,
}

impl State {
    fn start(wins: Ordering, collation: &Collation) -> Box<dyn Accumulator> {
        Box::new(Self {
            best: Kept::default(),
            wins,
            collation: collation.clone(),
        })
    }
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        let wins = match &self.best.value {
            None => true,
            Some(best) => self.collation.compare(value, best.as_ref()) == self.wins,
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
        let numbers = "[{x: 1}, {x: 3}, {x: null}, {}, {x: 2}]";
        accumulates("{$min: '$x'}", numbers, "1");
        accumulates("{$max: '$x'}", numbers, "3");
        for name in ["$min", "$max"] {
            accumulates(&format!("{{{name}: '$x'}}"), "[{}]", "null");
        }
        accumulates("{$min: '$x'}", "[{x: 5}, {x: 'a'}]", "5");
        accumulates("{$max: '$x'}", "[{x: 5}, {x: 'a'}]", "'a'");
    }
}
