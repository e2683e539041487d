//! `$comment`: a note for the profiler and the log; it says nothing about documents.
//!
//! Follows the manual's "$comment" page: a value of any type stands at the top level of a filter.

use crate::bson::ValueRef;
use crate::error::CommandError;
use crate::query::compile::Compiler;
use crate::query::node::MatchNode;

pub(super) fn parse(
    _: &Compiler<'_>,
    _: &str,
    _: ValueRef<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matcher, matches};

    #[test]
    fn says_nothing() {
        assert!(matches("{$comment: \"why\"}", "{a: 1}"));
        assert!(!matches("{a: 2, $comment: {x: 1}}", "{a: 1}"));
        let matcher = matcher("{$comment: 5, a: 1}").expect("a valid filter");
        assert_eq!(format!("{:?}", matcher.root()), "{ a: { $eq: 1 } }");
    }
}
