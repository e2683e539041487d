//! `$bit`: bitwise and, or and exclusive or of integers.

use super::super::errors::{bad_value, id_text};
use super::{Argument, Change, Compiled, Operator, Place};
use crate::bson::{Number, Value, ValueRef};
use crate::error::CommandError;

type Operation = fn(i64, i64) -> i64;

struct Bit(Vec<(Operation, Number)>);

/// Compiles `{$bit: {path: {and | or | xor: integer}}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    let ValueRef::Document(operations) = argument.value else {
        return Err(bad_value(format!(
            "The $bit modifier is not compatible with a {}. You must pass in an embedded document: \
             {{$bit: {{field: {{and/or/xor: #}}}}",
            argument.value.type_name()
        )));
    };
    let mut compiled = Vec::new();
    for element in operations.iter() {
        let operation: Operation = match element.name {
            "and" => |a, b| a & b,
            "or" => |a, b| a | b,
            "xor" => |a, b| a ^ b,
            other => {
                return Err(bad_value(format!(
                    "The $bit modifier only supports 'and', 'or', and 'xor', not '{other}' which is an \
                     unknown operator: {{{other}: {}}}",
                    element.value
                )));
            }
        };
        match element.value.as_number() {
            Some(operand @ (Number::Int32(_) | Number::Int64(_))) => {
                compiled.push((operation, operand));
            }
            _ => {
                return Err(bad_value(format!(
                    "The $bit modifier field must be an Integer(32/64 bit); a '{}' is not supported here: \
                     {{{}: {}}}",
                    element.value.type_name(),
                    element.name,
                    element.value
                )));
            }
        }
    }
    if compiled.is_empty() {
        return Err(bad_value(
            "You must pass in at least one bitwise operation. The format is: \
             {$bit: {field: {and/or/xor: #}}",
        ));
    }
    Ok(Box::new(Bit(compiled)))
}

impl Operator for Bit {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let (mut bits, mut long) = match current {
            ValueRef::Missing => (0, false),
            ValueRef::Int32(number) => (i64::from(number), false),
            ValueRef::Int64(number) => (number, true),
            other => {
                return Err(bad_value(format!(
                    "Cannot apply $bit to a value of non-integral type.{} has the field {} of non-integer \
                     type {}",
                    id_text(place.document),
                    place.path.rsplit('.').next().unwrap_or(""),
                    other.type_name()
                )));
            }
        };
        let before = (bits, long);
        for (operation, operand) in &self.0 {
            long |= matches!(operand, Number::Int64(_));
            bits = operation(bits, operand.to_i64_saturating());
        }
        if (bits, long) == before && !current.is_missing() {
            return Ok(Change::Same);
        }
        Ok(Change::Set(Value::Borrowed(match long {
            true => ValueRef::Int64(bits),
            false => ValueRef::Int32(bits as i32),
        })))
    }
}
