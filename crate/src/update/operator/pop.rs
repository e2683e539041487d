//! `$pop`: removes the first or last item of an array.

use super::super::errors::fail;
use super::{Argument, Change, Compiled, DeadEnd, Operator, Place};
use crate::bson::{ArrayBuilder, Value, ValueRef};
use crate::error::{Code, CommandError};

struct Pop {
    first: bool,
}

/// Compiles `{$pop: {path: 1 | -1}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    if argument.value.as_number().is_none() {
        return fail(
            Code::FailedToParse,
            format!(
                "Expected a number in: {}: {}",
                argument.path, argument.value
            ),
        );
    }
    match argument.value.as_exact_i64() {
        Some(1) => Ok(Box::new(Pop { first: false })),
        Some(-1) => Ok(Box::new(Pop { first: true })),
        Some(other) => fail(
            Code::FailedToParse,
            format!("$pop expects 1 or -1, found: {other}"),
        ),
        None => fail(
            Code::FailedToParse,
            format!("Expected an integer: {}: {}", argument.path, argument.value),
        ),
    }
}

impl Operator for Pop {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let array = match current {
            ValueRef::Missing => return Ok(Change::Same),
            ValueRef::Array(array) if array.is_empty() => return Ok(Change::Same),
            ValueRef::Array(array) => array,
            other => {
                return fail(
                    Code::TypeMismatch,
                    format!(
                        "Path '{}' contains an element of non-array type '{}'",
                        place.path,
                        other.type_name()
                    ),
                );
            }
        };
        let keep = array.len() - 1;
        let mut items = ArrayBuilder::new();
        for item in array.iter().skip(usize::from(self.first)).take(keep) {
            items.push(item);
        }
        Ok(Change::Set(Value::Array(items.finish())))
    }
    fn dead_end(&self, _is_insert: bool) -> DeadEnd {
        DeadEnd::NotTraversed
    }
}
