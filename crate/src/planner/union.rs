//! Branches of an `$or` that ask the same field of the same index: one scan over the union of their bounds. The
//! branches `{a: 1}` and `{a: {$gt: 5}}` become `a: [1, 1], (5, inf]`.
//!
//! Follows the manual's `$or` page and the explains shown there. Invariant: only branches of one predicate each are put
//! together, so that the union holds exactly the values of the branches.

use super::access::Access;
use crate::plan::IndexScanPlan;
use crate::plan::Intervals;
use crate::plan::{FieldBounds, IndexBounds};
use crate::query::{MatchNode, Matcher};
use std::rc::Rc;

/// Puts accesses together where that is possible; `nodes` are the branches that `found` are the accesses of.
pub fn merge(nodes: &[MatchNode], found: Vec<Access>) -> Vec<Access> {
    let mut merged: Vec<(Access, Vec<MatchNode>)> = Vec::with_capacity(found.len());
    for (node, access) in nodes.iter().zip(found) {
        let joined = merged
            .iter_mut()
            .any(|before| join(before, node, &access).is_some());
        if !joined {
            merged.push((access, vec![node.clone()]));
        }
    }
    merged.into_iter().map(|(access, _)| access).collect()
}

/// The scan of a branch of one predicate, which bounds the first field of an ordered index and nothing else, and
/// the residual filter on documents.
fn lone_scan<'a>(
    node: &MatchNode,
    access: &'a Access,
) -> Option<(&'a IndexScanPlan, Option<&'a MatchNode>)> {
    let Access::Index { scan, residual } = access else {
        return None;
    };
    let (first, others) = scan.bounds.fields.split_first()?;
    let is_lone = !matches!(node, MatchNode::And(_) | MatchNode::Or(_))
        && scan.index.is_ordered()
        && scan.bounds.range.is_none()
        && !first.intervals.is_full()
        && others.iter().all(|field| field.intervals.is_full());
    is_lone.then_some((scan, residual.as_ref()))
}

/// Widens a union by one more branch; `None` when the two do not go together.
fn join(before: &mut (Access, Vec<MatchNode>), node: &MatchNode, access: &Access) -> Option<()> {
    let (one, nodes) = before;
    let (scan, residual) = lone_scan(nodes.first()?, one)?;
    let (other, other_residual) = lone_scan(node, access)?;
    if scan.index.position != other.index.position {
        return None;
    }
    nodes.push(node.clone());
    let mut fields: Vec<FieldBounds> = scan.bounds.fields.clone();
    let intervals = std::mem::replace(&mut fields[0].intervals, Intervals::full());
    fields[0].intervals = intervals.union(other.bounds.fields[0].intervals.clone());
    let any = || MatchNode::Or(nodes.clone());
    let needs_documents = residual.is_some() || other_residual.is_some();
    let needs_keys = !needs_documents && (scan.filter.is_some() || other.filter.is_some());
    *one = Access::Index {
        scan: IndexScanPlan {
            bounds: Rc::new(IndexBounds {
                fields,
                range: None,
            }),
            filter: needs_keys.then(|| Rc::new(Matcher::from_node(any()))),
            ..scan.clone()
        },
        residual: needs_documents.then(any),
    };
    Some(())
}
