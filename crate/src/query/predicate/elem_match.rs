//! `$elemMatch`: one item of an array satisfies everything at once.
//!
//! Follows the manual's "$elemMatch (query)" page. With operators (`{$gt: 1, $lt: 5}`) it tests the items
//! themselves, with fields (`{b: 1}`) the items that are documents or arrays.

use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand, bad_value, is_operators};
use crate::query::node::MatchNode;
use crate::query::path::QueryPath;
use crate::query::predicate::{self, Parse};

/// `$elemMatch` over items that are documents (or arrays, whose positions are the field names).
#[derive(Clone)]
pub struct ElemMatchObject {
    pub path: QueryPath,
    pub filter: Box<MatchNode>,
}

/// `$elemMatch` over items of any kind; the predicates' paths are empty.
#[derive(Clone)]
pub struct ElemMatchValue {
    pub path: QueryPath,
    /// All must hold of one item.
    pub predicates: Vec<MatchNode>,
}

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let Some(argument) = operand.value.as_document() else {
        return Err(bad_value("$elemMatch needs an Object"));
    };
    let inside = compiler.inside();
    let path = operand.path.clone();
    let first = argument.iter().next();
    let over_values =
        is_operators(operand.value, true) && first.is_some_and(|first| !is_top_level(first.name));
    Ok(Some(if over_values {
        let mut predicates = Vec::new();
        inside.operators(&QueryPath::new(""), argument, &mut predicates)?;
        MatchNode::ElemMatchValue(ElemMatchValue { path, predicates })
    } else {
        MatchNode::ElemMatchObject(ElemMatchObject {
            path,
            filter: Box::new(inside.filter(argument)?),
        })
    }))
}

fn is_top_level(name: &str) -> bool {
    matches!(predicate::find(name), Some(Parse::TopLevel(_)))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn one_document_satisfies_all() {
        assert!(matches(
            "{a: {$elemMatch: {b: 1, c: 2}}}",
            "{a: [{b: 1, c: 2}]}"
        ));
        assert!(!matches(
            "{a: {$elemMatch: {b: 1, c: 2}}}",
            "{a: [{b: 1}, {c: 2}]}"
        ));
        assert!(!matches("{a: {$elemMatch: {b: 1}}}", "{a: {b: 1}}"));
        assert!(matches("{a: {$elemMatch: {b: null}}}", "{a: [{c: 1}]}"));
        assert!(!matches("{a: {$elemMatch: {b: null}}}", "{a: [1]}"));
        assert!(matches("{a: {$elemMatch: {}}}", "{a: [{}]}"));
        assert!(matches("{a: {$elemMatch: {\"0\": 7}}}", "{a: [[7]]}"));
        assert!(matches(
            "{a: {$elemMatch: {$or: [{b: 1}, {b: 2}]}}}",
            "{a: [{b: 2}]}"
        ));
        assert!(matches(
            "{\"a.b\": {$elemMatch: {c: 1}}}",
            "{a: [{b: [{c: 1}]}]}"
        ));
    }

    #[test]
    fn one_value_satisfies_all() {
        assert!(matches(
            "{a: {$elemMatch: {$gt: 1, $lt: 3}}}",
            "{a: [0, 2]}"
        ));
        assert!(!matches(
            "{a: {$elemMatch: {$gt: 1, $lt: 3}}}",
            "{a: [0, 9]}"
        ));
        assert!(matches(
            "{a: {$elemMatch: {$not: {$gt: 1}}}}",
            "{a: [0, 9]}"
        ));
        assert!(matches("{a: {$elemMatch: {$ne: 1}}}", "{a: [1, 2]}"));
        assert!(matches(
            "{a: {$elemMatch: {$elemMatch: {$gt: 4}}}}",
            "{a: [[1, 5]]}"
        ));
        assert!(matches("{a: {$elemMatch: {$in: [5, 6]}}}", "{a: [6]}"));
        assert!(!matches("{a: {$elemMatch: {$eq: 5}}}", "{a: [[5]]}"));
    }

    #[test]
    fn bad_operands_are_refused() {
        assert_eq!(
            refusal("{a: {$elemMatch: 5}}"),
            "2: $elemMatch needs an Object"
        );
        assert_eq!(
            refusal("{a: {$elemMatch: {$foo: 5}}}"),
            "2: unknown operator: $foo"
        );
    }
}
