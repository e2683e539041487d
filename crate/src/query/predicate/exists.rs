//! `$exists`: whether a field is there, with any value.
//!
//! Follows the manual's "$exists" page.

use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand};
use crate::query::node::MatchNode;

pub(super) fn parse(
    _: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let node = MatchNode::Exists(operand.path.clone());
    Ok(Some(if operand.value.is_truthy() {
        node
    } else {
        MatchNode::Not(Box::new(node))
    }))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::matches;

    #[test]
    fn sees_presence_not_value() {
        assert!(matches("{a: {$exists: true}}", "{a: null}"));
        assert!(matches("{a: {$exists: 1}}", "{a: undefined}"));
        assert!(matches("{a: {$exists: \"x\"}}", "{a: []}"));
        assert!(!matches("{a: {$exists: true}}", "{b: 1}"));
        assert!(matches("{a: {$exists: false}}", "{b: 1}"));
        assert!(matches("{a: {$exists: null}}", "{b: 1}"));
        assert!(!matches("{a: {$exists: 0}}", "{a: 1}"));
    }

    #[test]
    fn sees_through_arrays() {
        assert!(matches("{\"a.b\": {$exists: true}}", "{a: [{}, {b: 1}]}"));
        assert!(!matches("{\"a.b\": {$exists: false}}", "{a: [{}, {b: 1}]}"));
        assert!(matches("{\"a.b\": {$exists: false}}", "{a: [1, 2]}"));
        assert!(matches("{\"a.1\": {$exists: true}}", "{a: [1, 2]}"));
        assert!(!matches("{\"a.2\": {$exists: true}}", "{a: [1, 2]}"));
    }
}
