//! `$size`: an array has exactly so many items.
//!
//! Follows the manual's "$size" page.

use crate::bson::document::RawElement;
use crate::bson::{Array, BsonType, DocumentBuilder, ValueRef};
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, failed_to_parse};
use crate::query::integer::exact_integer;
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;

/// `path $size n`.
#[derive(Debug, Clone)]
pub struct SizeTest {
    pub path: QueryPath,
    /// Items; within 32 bits.
    pub size: i64,
}

impl SizeTest {
    /// Whether one value (or `MISSING`) satisfies the predicate.
    pub fn matches(&self, element: &RawElement<'_>) -> bool {
        element.kind == BsonType::Array
            && Array::from_valid_bytes(element.value_bytes).len() as i64 == self.size
    }

    /// Writes `{$size: 2}` into an open document.
    pub fn describe(&self, builder: &mut DocumentBuilder) {
        builder.append("$size", self.size as i32);
    }
}

pub(super) fn parse(
    _: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let size = size_of(operand.value)?;
    Ok(Some(MatchNode::Size(SizeTest {
        path: operand.path.clone(),
        size,
    })))
}

fn size_of(value: ValueRef<'_>) -> Result<i64, CommandError> {
    let fail = |reason: String| failed_to_parse(format!("Failed to parse $size. {reason}"));
    let size = exact_integer("$size", value).map_err(|error| fail(error.message.clone()))?;
    if i32::try_from(size).is_err() {
        return Err(fail(format!(
            "Cannot represent as a 32-bit integer: $size: {value}"
        )));
    }
    if size < 0 {
        return Err(fail(format!(
            "Expected a non-negative number in: $size: {value}"
        )));
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn counts_items() {
        assert!(matches("{a: {$size: 2}}", "{a: [1, [2, 3]]}"));
        assert!(matches("{a: {$size: 0}}", "{a: []}"));
        assert!(matches("{a: {$size: 2.0}}", "{a: [1, 2]}"));
        assert!(!matches("{a: {$size: 1}}", "{a: 5}"));
        assert!(!matches("{a: {$size: 0}}", "{}"));
        assert!(!matches("{a: {$size: 2}}", "{a: [[1, 2]]}"));
        assert!(matches("{\"a.b\": {$size: 1}}", "{a: [{b: []}, {b: [1]}]}"));
        assert!(matches("{\"a.0\": {$size: 2}}", "{a: [[1, 2]]}"));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(
            refusal("{a: {$size: -1}}"),
            "9: Failed to parse $size. Expected a non-negative number in: $size: -1"
        );
        assert_eq!(
            refusal("{a: {$size: \"x\"}}"),
            "9: Failed to parse $size. Expected a number in: $size: \"x\""
        );
        assert_eq!(
            refusal("{a: {$size: 1.5}}"),
            "9: Failed to parse $size. Expected an integer: $size: 1.5"
        );
    }
}
