//! `$setOnInsert`: gives a field a value when the update inserts the document.

use super::{Argument, Change, Compiled, Operator, Place};
use crate::bson::{Value, ValueRef};
use crate::error::CommandError;

struct SetOnInsert(Value<'static>);

/// Compiles `{$setOnInsert: {path: value}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    Ok(Box::new(SetOnInsert(argument.value.to_value())))
}

impl Operator for SetOnInsert {
    fn apply<'v>(
        &'v self,
        _current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        Ok(match place.context.is_insert {
            true => Change::Set(Value::Borrowed(self.0.as_ref())),
            false => Change::Same,
        })
    }

    fn tolerates_dead_ends(&self, is_insert: bool) -> bool {
        !is_insert
    }
}
