//! `$mergeObjects`: documents combined; the last of a name wins, in the first's place.
//!
//! Follows the manual's "$mergeObjects" page.

use super::super::arguments::error;
use super::super::form::{Form, variadic};
use super::super::node::{Invocation, Result};
use super::merging::Merged;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = variadic(evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    // One argument may be an array of documents.
    let mut merged = Merged::default();
    for argument in arguments {
        match argument.as_ref() {
            ValueRef::Array(array) if arguments.len() == 1 => {
                for item in array.iter() {
                    call.env.checkpoint()?;
                    add(&mut merged, item, call)?;
                }
            }
            value => add(&mut merged, value, call)?,
        }
    }
    Ok(Value::Document(merged.finish(call.env)?))
}

fn add<'a>(merged: &mut Merged<'a>, value: ValueRef<'a>, call: Invocation<'_>) -> Result<()> {
    match value {
        ValueRef::Document(document) => merged.add(document, call.env)?,
        value if value.is_nullish() => {}
        other => {
            return Err(error(
                40400,
                format!(
                    "$mergeObjects requires object inputs, but input is of type {}",
                    other.type_name()
                ),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn the_last_wins() {
        evaluates(
            "{$mergeObjects: ['$a', {y: 2}]}",
            "{a: {x: 1, y: 1, z: 1}}",
            "{x: 1, y: 2, z: 1}",
        );
        evaluates("{$mergeObjects: ['$q', null]}", "{}", "{}");
        evaluates(
            "{$mergeObjects: '$a'}",
            "{a: [{x: 1}, {y: 2}]}",
            "{x: 1, y: 2}",
        );
        fails("{$mergeObjects: [1]}", "{}", 40400);
    }
}
