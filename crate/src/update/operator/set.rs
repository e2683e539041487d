//! `$set`: gives a field a value.

use super::{Argument, Change, Compiled, Operator, Place};
use crate::bson::{Value, ValueRef, builder::write_value};
use crate::error::CommandError;

struct Set {
    value: Value<'static>,
    /// The value's bytes, to see at once whether a field holds it already.
    bytes: Vec<u8>,
}

/// Compiles `{$set: {path: value}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    Ok(Box::new(operator(argument.value)))
}

fn operator(value: ValueRef<'_>) -> Set {
    let mut bytes = Vec::new();
    write_value(&mut bytes, value);
    Set {
        value: value.to_value(),
        bytes,
    }
}

impl Operator for Set {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        _place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let value = self.value.as_ref();
        if current.bson_type() == value.bson_type() {
            let mut bytes = Vec::new();
            let same = match current {
                ValueRef::String(text) => matches!(value, ValueRef::String(own) if own == text),
                ValueRef::Document(document) => document.as_bytes() == self.bytes,
                ValueRef::Array(array) => array.as_bytes() == self.bytes,
                scalar => {
                    write_value(&mut bytes, scalar);
                    bytes == self.bytes
                }
            };
            if same {
                return Ok(Change::Same);
            }
        }
        Ok(Change::Set(Value::Borrowed(value)))
    }
}
