//! Which sort orders an index scan provides by itself.
//!
//! Invariant: fields bound to one single value are constant over the scan, so they may stand
//! anywhere in the sort or be left out of it. A field with arrays provides no order unless its
//! bounds are everything, and those of the other fields of that array; bound to one value it has
//! at most one key for each document, and is left out as a constant is.

use crate::plan::{Direction, IndexScanPlan, KeyKind};
use crate::query::SortPattern;

/// The direction in which the scan gives the sort's order, if it does.
pub fn provides(scan: &IndexScanPlan, sort: &SortPattern) -> Option<Direction> {
    // Strings are in the order of the index's own collation.
    if scan.index.collation != *sort.collation() {
        return None;
    }
    let parts = sort.parts();
    let mut wanted = parts.iter().peekable();
    let mut direction: Option<Direction> = None;
    let mut is_array_bound = false;
    for (position, (name, descending)) in scan.index.fields.iter().enumerate() {
        let bounds = scan.bounds.fields.get(position)?;
        let is_array = scan
            .index
            .multikey_paths
            .get(position)
            .is_some_and(|all| !all.is_empty());
        let Some(part) = wanted.peek() else { break };
        let is_point = bounds.intervals.is_single_point();
        if part.path.dotted() == name.as_str() {
            if scan.index.kind == KeyKind::Hashed(position) {
                return None;
            }
            if is_array && (is_array_bound || !bounds.intervals.is_full()) {
                return None;
            }
            if !is_point {
                let needed = if part.descending == *descending {
                    Direction::Forward
                } else {
                    Direction::Backward
                };
                if direction.is_some_and(|found| found != needed) {
                    return None;
                }
                direction = Some(needed);
            }
            wanted.next();
        } else if !is_point {
            break;
        }
        is_array_bound |= is_array && !bounds.intervals.is_full();
    }
    // The rest of the sort may only name constant fields.
    for part in wanted {
        let constant = scan
            .index
            .fields
            .iter()
            .zip(&scan.bounds.fields)
            .enumerate()
            .any(|(position, ((name, _), bounds))| {
                name.as_str() == part.path.dotted()
                    && bounds.intervals.is_single_point()
                    && scan.index.holds_value(position)
            });
        if !constant {
            return None;
        }
    }
    Some(direction.unwrap_or(Direction::Forward))
}

/// Whether every field of the sort is a field of the index without arrays, so that the sort key
/// can be made from the index key.
pub fn covers(scan: &IndexScanPlan, sort: &SortPattern) -> bool {
    scan.index.reads_as_document
        && sort.collation().is_simple()
        && sort.parts().iter().all(|part| {
            let mut fields = scan.index.plain_fields();
            fields.any(|name| name == part.path.dotted())
        })
}
