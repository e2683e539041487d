//! What `$firstN`, `$lastN`, `$minN`, `$maxN`, `$topN` and `$bottomN` share: a count and a bounded list.

use super::accumulator::Result;
use crate::bson::{ArrayBuilder, Value, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::array::several::count;
use crate::expr::{CompileContext, compile};

/// The `n` argument. Deviation: it must be a constant; MongoDB also takes expressions of the key.
pub fn constant_count(value: ValueRef<'_>, context: &CompileContext<'_>) -> Result<usize> {
    match compile(value, context)?.as_constant() {
        Some(constant) => count(constant.as_ref()),
        None => Err(CommandError::new(
            Code::NotImplemented,
            "an 'n' that is not a constant is not implemented",
        )),
    }
}

/// Values as an array.
pub fn to_array<'a>(values: impl Iterator<Item = &'a Value<'static>>) -> Value<'static> {
    let mut builder = ArrayBuilder::new();
    for value in values {
        builder.push(value.as_ref());
    }
    Value::Array(builder.finish())
}

/// About how many bytes a value takes.
pub fn size(value: ValueRef<'_>) -> usize {
    48 + match value {
        ValueRef::String(text) => text.len(),
        ValueRef::Document(document) => document.as_bytes().len(),
        ValueRef::Array(array) => array.as_bytes().len(),
        ValueRef::Binary { bytes, .. } => bytes.len(),
        _ => 0,
    }
}
