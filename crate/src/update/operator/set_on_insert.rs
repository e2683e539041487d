//! `$setOnInsert`: gives a field a value when the update inserts the document.

use super::{Argument, Change, Compiled, DeadEnd, Operator, Place};
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

    fn dead_end(&self, is_insert: bool) -> DeadEnd {
        match is_insert {
            true => DeadEnd::NotCreated,
            false => DeadEnd::Tolerated,
        }
    }
}
