//! `$mergeObjects`: the documents combined; the last of a name wins.
//!
//! Follows the manual's "$mergeObjects (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use crate::bson::{Document, DocumentBuf, Value, ValueRef};
use crate::env::{Env, NoEnv};
use crate::error::CommandError;
use crate::expr::object::merging::Merged;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    merged: DocumentBuf,
}

impl Accumulator for State {
    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        self.add_in(value, &NoEnv)
    }

    fn add_in(&mut self, value: ValueRef<'_>, env: &dyn Env) -> Result<usize> {
        let document: Document<'_> = match value {
            ValueRef::Document(document) => document,
            value if value.is_nullish() => return Ok(0),
            other => {
                return Err(CommandError::location(
                    40400,
                    format!(
                        "$mergeObjects requires object inputs, but input is of type {}",
                        other.type_name()
                    ),
                ));
            }
        };
        let before = self.merged.as_bytes().len();
        let mut merged = Merged::default();
        merged.add(self.merged.as_document());
        merged.add(document);
        let merged = merged.finish(env)?;
        self.merged = merged;
        Ok(self.merged.as_bytes().len().saturating_sub(before))
    }

    fn value(&mut self) -> Result<Value<'static>> {
        Ok(Value::Document(self.merged.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn the_last_wins() {
        accumulates(
            "{$mergeObjects: '$d'}",
            "[{d: {a: 1, b: 1}}, {}, {d: {b: 2}}]",
            "{a: 1, b: 2}",
        );
        refuses("{$mergeObjects: '$d'}", "[{d: 5}]", 40400);
    }
}
