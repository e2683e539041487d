//! `$addToSet`: the distinct values, in an array, in the order they were first seen.
//!
//! Follows the manual's "$addToSet (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result, check_list};
use crate::bson::{ArrayBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::keycode::{self, TypeBits};
use crate::storage::KeyMap;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|collation| Box::new(State::of("$addToSet", collation)));

/// The distinct values so far.
#[derive(Default)]
pub(super) struct State {
    /// The accumulator's name, for its errors.
    name: &'static str,
    items: ArrayBuilder,
    seen: KeyMap,
    key: Vec<u8>,
    type_bits: TypeBits,
    collation: Collation,
}

impl State {
    /// A new state of the accumulator with this name.
    pub(super) fn of(name: &'static str, collation: &Collation) -> Self {
        Self {
            name,
            collation: collation.clone(),
            ..Self::default()
        }
    }
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        if value.is_missing() {
            return Ok(0);
        }
        self.key.clear();
        self.type_bits.clear();
        let key = self.collation.key_of(value);
        keycode::encode(key.as_ref(), false, &mut self.key, &mut self.type_bits);
        if !self.seen.find_or_insert(&self.key, 0).1 {
            return Ok(0);
        }
        let before = self.items.byte_len();
        self.items.push(value);
        let bytes = self.items.byte_len() + self.seen.bytes();
        check_list(self.name, self.items.len(), bytes)?;
        Ok(self.items.byte_len() - before + self.key.len() + 48)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(Value::Array(self.items.clone().finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn keeps_distinct_values() {
        accumulates(
            "{$addToSet: '$x'}",
            "[{x: 1}, {x: 1.0}, {x: 'a'}, {}, {x: 'a'}]",
            "[1, 'a']",
        );
    }
}
