//! Terms and scores as the planner sees them: no predicate on a field bounds them, and they give no order.

use super::rules::{FieldFacts, FieldRules, LeafBounds};
use crate::bson::ValueRef;
use crate::plan::Interval;
use crate::query::MatchNode;

/// The rules of components that are terms of texts, or scores.
pub struct OfTerm;

impl FieldRules for OfTerm {
    fn bounds(&self, _: &MatchNode, _: FieldFacts) -> Option<LeafBounds> {
        None
    }

    fn compared(&self, _: &str, _: ValueRef<'_>, _: FieldFacts) -> Option<Interval> {
        None
    }

    fn gives_order(&self) -> bool {
        false
    }
}
