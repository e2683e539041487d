//! The bounds of a predicate on a hashed field: single hashes only.
//!
//! Follows the manual's "Hashed Indexes" page. Invariant: different values may hash alike, so the document decides.

use super::rules::{FieldFacts, FieldRules, LeafBounds, Tightness};
use crate::bson::{Value, ValueRef};
use crate::catalog::index::hashed::element_hash::element_hash;
use crate::plan::{Interval, Intervals};
use crate::query::MatchNode;
use crate::query::predicate::comparison::ComparisonKind;

/// The rules of components that are hashes.
pub struct Hash;

impl FieldRules for Hash {
    fn bounds(&self, node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
        bounds(node, facts)
    }

    fn compared(&self, name: &str, value: ValueRef<'_>, _facts: FieldFacts) -> Option<Interval> {
        (name == "$eq").then(|| Interval::point(element_hash(value).into()))
    }

    fn gives_order(&self) -> bool {
        false
    }
}

/// The bounds, or `None` when hashes are no help.
fn bounds(node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
    let intervals = match node {
        MatchNode::Compare(test) if test.kind == ComparisonKind::Equal => {
            Intervals::one(point(test.operand.as_ref(), facts)?)
        }
        MatchNode::In(test) if test.regexes.is_empty() => {
            let points: Option<Vec<Interval>> = test
                .values
                .iter()
                .map(|value| point(value.as_ref(), facts))
                .collect();
            Intervals::union_of(points?)
        }
        MatchNode::Exists(_) => Intervals::full(),
        MatchNode::Not(child) if matches!(**child, MatchNode::Exists(_)) => {
            Intervals::one(point(ValueRef::Null, facts)?)
        }
        _ => return None,
    };
    Some(LeafBounds {
        intervals,
        tightness: Tightness::Fetch,
    })
}

fn point(value: ValueRef<'_>, facts: FieldFacts) -> Option<Interval> {
    match value {
        // No such index holds an array, and a sparse one leaves out documents without the field.
        ValueRef::Array(_) => None,
        ValueRef::Null if facts.is_sparse => None,
        value => Some(Interval::point(Value::from(element_hash(value)))),
    }
}
