//! What the planner asks of the kinds of index: the bounds of a predicate on a component of a key, the scans that an
//! index is good for, and the orders that its keys give.
//!
//! **Invariant:** the planner tells kinds apart here alone. A component's rules are those of its `FieldKind`, so that a
//! compound index of a hash and a value has both.

use super::geo::Place;
use super::hashed::Hash;
use super::text::OfTerm;
use super::value::Plain;
use super::wildcard::{AtPath, Path};
use crate::bson::ValueRef;
use crate::catalog::FieldKind;
use crate::catalog::index::GeoKind;
use crate::plan::{Interval, Intervals};
use crate::query::MatchNode;

/// How much of a predicate its bounds decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tightness {
    /// All of it: `{$gt: 5}`.
    Exact,
    /// The rest can be decided on the key: `/^a.*z/`, whose bounds are those of `a`.
    Covered,
    /// The rest needs the document: `null`, which a missing field satisfies too.
    Fetch,
}

/// The bounds of a predicate on an indexed field.
pub struct LeafBounds {
    pub intervals: Intervals,
    pub tightness: Tightness,
}

/// Facts about the index and the field.
#[derive(Debug, Clone, Copy)]
pub struct FieldFacts {
    /// Some document has an array on the field's path.
    pub is_array: bool,
    /// Documents without the indexed fields are not in the index.
    pub is_sparse: bool,
    /// The index has no other field.
    pub is_only_field: bool,
    /// The path names an array's position: items that lack it as a field count as null to a filter
    /// but have no key.
    pub has_position: bool,
    pub kind: FieldKind,
    /// The options of a geospatial index.
    pub geo: Option<GeoKind>,
}

/// What the planner asks of one component of a key.
pub trait FieldRules {
    /// The bounds of a predicate on the field, or `None` when they are no help with it.
    fn bounds(&self, node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds>;

    /// The interval of a comparison inside `$expr` (`$eq`, `$gt`, …) of the field with a value.
    fn compared(&self, name: &str, value: ValueRef<'_>, facts: FieldFacts) -> Option<Interval>;

    /// Whether the component's order is the order of the field's values.
    fn gives_order(&self) -> bool;
}

/// The rules of a kind of component.
pub fn of(kind: FieldKind) -> &'static dyn FieldRules {
    match kind {
        FieldKind::Value => &Plain,
        FieldKind::Flat | FieldKind::Sphere => &Place,
        FieldKind::Hashed => &Hash,
        FieldKind::Path => &Path,
        FieldKind::Wildcard => &AtPath,
        FieldKind::Term | FieldKind::Score => &OfTerm,
    }
}

/// The bounds of a predicate, or `None` when an index is no help with it.
pub fn bounds(node: &MatchNode, facts: FieldFacts) -> Option<LeafBounds> {
    of(facts.kind).bounds(node, facts)
}
