//! The accumulators that take the items of arrays in: each is another accumulator that gets the items one by one.
//!
//! Invariant: a document without the array adds nothing; any other value than an array is refused, null too.

use super::accumulator::{Accumulator, Result};
use crate::bson::{Value, ValueRef};
use crate::error::{Code, CommandError};

/// The state: an accumulator of single values, under the name of the one that takes arrays.
pub struct Spreading<A> {
    pub name: &'static str,
    pub items: A,
}

impl<A: Accumulator> Accumulator for Spreading<A> {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        let array = match value {
            ValueRef::Missing => return Ok(0),
            ValueRef::Array(array) => array,
            other => {
                let (name, kind) = (self.name, other.type_name());
                return Err(CommandError::new(
                    Code::TypeMismatch,
                    format!("{name} requires array inputs, but input {other} is of type {kind}"),
                ));
            }
        };
        let mut grown = 0;
        for item in array.iter() {
            grown += self.items.add(item)?;
        }
        Ok(grown)
    }

    fn value(&mut self) -> Result<Value<'static>> {
        self.items.value()
    }
}
