//! `$pullAll`: removes all items that equal one of some values.

use super::super::errors::bad_value;
use super::pull::remove_items;
use super::{Argument, Change, Compiled, DeadEnd, Operator, Place};
use crate::algorithms::sorting;
use crate::bson::{Value, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;

struct PullAll {
    /// Distinct, in order.
    values: Vec<Value<'static>>,
    collation: Collation,
}

/// Compiles `{$pullAll: {path: [values]}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    match argument.value {
        ValueRef::Array(values) => {
            let collation = argument.context.collation.clone();
            let mut values = values.iter().map(ValueRef::to_value).collect();
            sorting::sort_distinct(argument.context.env, &mut values, &mut |a, b| {
                collation.compare(a.as_ref(), b.as_ref())
            })?;
            Ok(Box::new(PullAll { values, collation }))
        }
        other => Err(bad_value(format!(
            "$pullAll requires an array argument but was given a {}",
            other.type_name()
        ))),
    }
}

impl Operator for PullAll {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        remove_items(current, place, &mut |item| {
            let found = self
                .values
                .binary_search_by(|value| self.collation.compare(value.as_ref(), item));
            Ok(found.is_ok())
        })
    }
    fn dead_end(&self, _is_insert: bool) -> DeadEnd {
        DeadEnd::NotTraversed
    }
}
