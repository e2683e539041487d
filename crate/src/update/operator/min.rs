//! `$min`: lowers a field to a value.

use super::{Argument, Change, Compiled, Operator, Place};
use crate::bson::{Value, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;
use std::cmp::Ordering;

/// Sets the field when `replaces` says so of how its value compares with the operand.
pub(super) struct Bound {
    pub(super) operand: Value<'static>,
    pub(super) replaces: Ordering,
    pub(super) collation: Collation,
}

/// Compiles `{$min: {path: value}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    Ok(Box::new(Bound {
        operand: argument.value.to_value(),
        replaces: Ordering::Greater,
        collation: argument.context.collation.clone(),
    }))
}

impl Operator for Bound {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        _place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let operand = self.operand.as_ref();
        Ok(match current {
            ValueRef::Missing => Change::Set(Value::Borrowed(operand)),
            _ if self.collation.compare(current, operand) == self.replaces => {
                Change::Set(Value::Borrowed(operand))
            }
            _ => Change::Same,
        })
    }
}
