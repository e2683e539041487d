//! `$max`: raises a field to a value.

use super::min::Bound;
use super::{Argument, Compiled};
use std::cmp::Ordering;

/// Compiles `{$max: {path: value}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    Ok(Box::new(Bound {
        operand: argument.value.to_value(),
        replaces: Ordering::Less,
        collation: argument.context.collation.clone(),
    }))
}
