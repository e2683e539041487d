//! Two indexes at once: the records that both hold for single values.
//!
//! Invariant: both scans are over one value of every field, so that their records come in ascending order.

use super::access::Access;
use crate::plan::IndexScanPlan;
use crate::query::MatchNode;

/// The most pairs that are tried, as on a server.
const MOST: usize = 3;

/// The pairs of these accesses that can be intersected, in their order; `parts` are the filter's conjuncts.
pub fn pairs(found: &[Access], parts: &[MatchNode]) -> Vec<Access> {
    let pointed: Vec<&IndexScanPlan> = found.iter().filter_map(pointed).collect();
    let mut pairs = Vec::new();
    for (position, one) in pointed.iter().enumerate() {
        for two in &pointed[position + 1..] {
            if pairs.len() < MOST && are_apart(one, two) {
                pairs.push(Access::And {
                    scans: vec![(*one).clone(), (*two).clone()],
                    // An array may give either scan a record by another item than the one that is asked for.
                    filter: MatchNode::all_of(parts),
                });
            }
        }
    }
    pairs
}

fn pointed(access: &Access) -> Option<&IndexScanPlan> {
    let scan = access.single_scan()?;
    let is_pointed = scan.index.wildcard_field().is_none()
        && !scan.index.is_clustered
        && scan.bounds.range.is_none()
        && scan
            .bounds
            .fields
            .iter()
            .all(|field| field.intervals.is_single_point());
    is_pointed.then_some(scan)
}

/// Whether two scans are over different fields.
fn are_apart(one: &IndexScanPlan, two: &IndexScanPlan) -> bool {
    let mut fields = one.index.fields.iter();
    fields.all(|(path, _)| two.index.fields.iter().all(|(other, _)| other != path))
}
