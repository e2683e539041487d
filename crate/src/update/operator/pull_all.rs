//! `$pullAll`: removes all items that equal one of some values.

use super::super::errors::bad_value;
use super::pull::remove_items;
use super::{Argument, Change, Compiled, DeadEnd, Operator, Place};
use crate::bson::{ArrayBuf, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;

struct PullAll(ArrayBuf, Collation);

/// Compiles `{$pullAll: {path: [values]}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    match argument.value {
        ValueRef::Array(values) => Ok(Box::new(PullAll(
            values.to_buf(),
            argument.context.collation.clone(),
        ))),
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
        _place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let values = self.0.as_array();
        remove_items(current, &mut |item| {
            Ok(values.iter().any(|value| self.1.equal(item, value)))
        })
    }
    fn dead_end(&self, _is_insert: bool) -> DeadEnd {
        DeadEnd::NotTraversed
    }
}
