//! `$unset`: removes a field.

use super::{Argument, Change, Compiled, DeadEnd, Operator, Place};
use crate::bson::ValueRef;
use crate::error::CommandError;

struct Unset;

/// Compiles `{$unset: {path: anything}}`.
pub(in super::super) fn compile(_argument: &Argument<'_>) -> Compiled {
    Ok(Box::new(Unset))
}

impl Operator for Unset {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        _place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        Ok(match current {
            ValueRef::Missing => Change::Same,
            _ => Change::Remove,
        })
    }

    fn dead_end(&self, _is_insert: bool) -> DeadEnd {
        DeadEnd::Tolerated
    }
}
