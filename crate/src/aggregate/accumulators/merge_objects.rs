//! `$mergeObjects`: the documents combined; the last of a name wins.
//!
//! Follows the manual's "$mergeObjects (accumulator)" page.

use super::accumulator::{Accumulator, Form, Result};
use super::several::size;
use crate::bson::{Document, Value, ValueRef};
use crate::env::{Env, NoEnv};
use crate::error::CommandError;
use crate::expr::growth::allow_document;
use crate::expr::object::merging::Merged;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| Box::new(State::default()));

#[derive(Default)]
struct State {
    merged: Merged<'static>,
    /// About how many bytes the fields take.
    bytes: usize,
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
        let before = self.bytes;
        for field in document.iter() {
            let freed = self.merged.keep(field.name, field.value);
            let freed = freed.map_or(0, |value| size(value.as_ref()) + field.name.len());
            self.bytes += size(field.value) + field.name.len();
            self.bytes = self.bytes.saturating_sub(freed);
            allow_document(env, self.bytes)?;
        }
        Ok(self.bytes.saturating_sub(before))
    }

    fn value(&mut self) -> Result<Value<'static>> {
        self.finish(&NoEnv)
    }

    fn finish(&mut self, env: &dyn Env) -> Result<Value<'static>> {
        Ok(Value::Document(self.merged.finish(env)?))
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
