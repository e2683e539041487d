//! Which indexes a command used, and which collections it scanned: `$indexStats` and `$collStats` count them.
//!
//! Manual: reference/operator/aggregation/indexStats. Invariant: one query counts each index once, however many scans
//! of it the plan has; explaining a plan counts nothing.

use crate::catalog::Collection;
use crate::plan::Plan;
use crate::storage::Accounting;

/// Notes the indexes that a run of a plan uses, and its collection scans.
pub fn note(plan: &Plan, collection: &Collection, accounting: &Accounting) {
    let mut seen: Vec<usize> = Vec::new();
    walk(plan, collection, accounting, &mut seen);
}

/// Notes one look-up in the index at a position.
pub fn note_index(collection: &Collection, position: usize, accounting: &Accounting) {
    if let Some(index) = collection.indexes.get(position) {
        accounting.note_use(&index.definition.uses);
    }
}

fn walk(plan: &Plan, collection: &Collection, accounting: &Accounting, seen: &mut Vec<usize>) {
    let position = match plan {
        Plan::CollectionScan { tailable, .. } => {
            accounting.note_use(&collection.scans.total);
            if !tailable {
                accounting.note_use(&collection.scans.non_tailable);
            }
            return;
        }
        Plan::IndexScan(scan) | Plan::CountScan(scan) | Plan::DistinctScan { scan, .. } => {
            scan.index.position
        }
        Plan::GeoNear(near) => near.scan.index.position,
        Plan::Express { index, .. } | Plan::IdLookUp { index, .. } => index.position,
        other => {
            for input in other.inputs() {
                walk(input, collection, accounting, seen);
            }
            return;
        }
    };
    if !seen.contains(&position) {
        seen.push(position);
        note_index(collection, position, accounting);
    }
}
