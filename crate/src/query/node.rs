//! The tree that a filter compiles to, which the matcher evaluates and the planner reads.
//!
//! Invariants, after `optimise`: no `And` within an `And` nor `Or` within an `Or`; no list of one child; children
//! in the order in which the server sorts and prints them; a negated operator (`$ne`, `$nin`,
//! `$exists: false`) is a `Not` around its positive form. An empty `And` is the filter `{}`.

use super::path::QueryPath;
use super::predicate::bits::BitTest;
use super::predicate::bson_type::TypeTest;
use super::predicate::comparison::Comparison;
use super::predicate::elem_match::{ElemMatchObject, ElemMatchValue};
use super::predicate::expr::ExprTest;
use super::predicate::geo_shape::GeoTest;
use super::predicate::json_schema::SchemaTest;
use super::predicate::membership::Membership;
use super::predicate::modulo::ModTest;
use super::predicate::near::NearTest;
use super::predicate::regex::RegexTest;
use super::predicate::size::SizeTest;
use super::predicate::text::TextTest;
use super::predicate::where_function::WhereTest;
use std::fmt;

/// One predicate of a filter.
#[derive(Clone)]
pub enum MatchNode {
    AlwaysTrue,
    AlwaysFalse,
    /// All of them; the empty list is true.
    And(Vec<MatchNode>),
    /// At least one of them.
    Or(Vec<MatchNode>),
    /// None of them.
    Nor(Vec<MatchNode>),
    Not(Box<MatchNode>),
    /// `$eq`, `$lt`, `$lte`, `$gt`, `$gte`.
    Compare(Comparison),
    /// `$in`.
    In(Membership),
    /// `$exists: true`.
    Exists(QueryPath),
    Type(TypeTest),
    Regex(RegexTest),
    Mod(ModTest),
    Size(SizeTest),
    Bits(BitTest),
    /// `$geoWithin`, `$geoIntersects`.
    Geo(GeoTest),
    /// `$near`, `$nearSphere`: one of the conjuncts, if there is one.
    Near(NearTest),
    ElemMatchObject(ElemMatchObject),
    ElemMatchValue(ElemMatchValue),
    Expr(ExprTest),
    JsonSchema(SchemaTest),
    Where(WhereTest),
    /// `$text`, which an index answers.
    Text(TextTest),
    /// `$sampleRate`: true with that probability.
    SampleRate(f64),
}

impl MatchNode {
    /// The predicates that must all hold: `{a: 1, b: {$gt: 2}}` has two, the empty filter none.
    #[inline]
    pub fn conjuncts(&self) -> &[MatchNode] {
        match self {
            Self::And(children) => children,
            Self::AlwaysTrue => &[],
            other => std::slice::from_ref(other),
        }
    }

    /// The filter of these conjuncts; `None` of none.
    pub fn all_of<'n>(conjuncts: impl IntoIterator<Item = &'n MatchNode>) -> Option<Self> {
        let mut conjuncts: Vec<Self> = conjuncts.into_iter().cloned().collect();
        match conjuncts.len() {
            0 | 1 => conjuncts.pop(),
            _ => Some(Self::And(conjuncts)),
        }
    }

    /// The path of a predicate over one path; for `Not`, its child's.
    pub fn path(&self) -> Option<&QueryPath> {
        match self {
            Self::Compare(test) => Some(&test.path),
            Self::In(test) => Some(&test.path),
            Self::Exists(path) => Some(path),
            Self::Type(test) => Some(&test.path),
            Self::Regex(test) => Some(&test.path),
            Self::Mod(test) => Some(&test.path),
            Self::Size(test) => Some(&test.path),
            Self::Bits(test) => Some(&test.path),
            Self::Geo(test) => Some(&test.path),
            Self::Near(test) => Some(&test.near.path),
            Self::ElemMatchObject(test) => Some(&test.path),
            Self::ElemMatchValue(test) => Some(&test.path),
            Self::Not(child) => child.path(),
            Self::AlwaysTrue
            | Self::AlwaysFalse
            | Self::And(_)
            | Self::Or(_)
            | Self::Nor(_)
            | Self::Expr(_)
            | Self::JsonSchema(_)
            | Self::Where(_)
            | Self::Text(_)
            | Self::SampleRate(_) => None,
        }
    }

    /// The children of a logical node (one for `Not`); empty for the rest, `$elemMatch` included.
    pub fn children(&self) -> &[MatchNode] {
        match self {
            Self::And(children) | Self::Or(children) | Self::Nor(children) => children,
            Self::Not(child) => std::slice::from_ref(child),
            _ => &[],
        }
    }

    /// How often the tree asks for documents by their distance.
    pub(super) fn count_near(&self) -> usize {
        match self {
            Self::Near(_) => 1,
            Self::ElemMatchObject(test) => test.filter.count_near(),
            Self::ElemMatchValue(test) => test.predicates.iter().map(Self::count_near).sum(),
            other => other.children().iter().map(Self::count_near).sum(),
        }
    }

    /// How many searches in texts there are in the node.
    pub fn texts(&self) -> usize {
        match self {
            Self::Text(_) => 1,
            other => other.children().iter().map(Self::texts).sum(),
        }
    }

    /// Whether the node is true of every document: the filter `{}`, or `$alwaysTrue`.
    pub fn is_trivially_true(&self) -> bool {
        match self {
            Self::AlwaysTrue => true,
            Self::And(children) => children.is_empty(),
            _ => false,
        }
    }

    /// Whether an index on the path's field could serve this node without looking at its siblings.
    pub fn is_leaf(&self) -> bool {
        self.path().is_some() && !matches!(self, Self::Not(_))
    }

    /// Adds every path the node looks at to `paths` (`$elemMatch` counts as its own path);
    /// `false` when the node may look at any field (`$expr` over `$$ROOT`).
    pub fn collect_paths<'n>(&'n self, paths: &mut Vec<&'n str>) -> bool {
        if let Self::Expr(test) = self {
            return test.collect_paths(paths);
        }
        if let Self::Where(_) | Self::JsonSchema(_) | Self::Text(_) = self {
            return false;
        }
        if let Some(path) = self.path() {
            paths.push(path.dotted());
            return true;
        }
        let mut known = true;
        for child in self.children() {
            known &= child.collect_paths(paths);
        }
        known
    }
}

impl fmt::Debug for MatchNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_bson().as_document(), f)
    }
}
