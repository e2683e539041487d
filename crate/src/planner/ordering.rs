//! Which sort orders an index scan provides by itself. With the filter `{a: 5}` the index `{a: 1, b: 1}` provides that
//! of `b`.
//!
//! Invariant: fields bound to one single value are constant over the scan: they may stand anywhere in the sort or be
//! left out of it. A field with arrays is never constant, since a document has other values there too; bound to one
//! value it is no part of the order and breaks none, and otherwise it provides an order only if its bounds are
//! everything.

use super::kinds::rules;
use crate::catalog::FieldKind;
use crate::plan::{Direction, IndexScanPlan};
use crate::query::predicate::comparison::ComparisonKind;
use crate::query::{MatchNode, Matcher, SortPattern};

/// The direction in which the scan gives the sort's order, if it does.
pub fn provides(scan: &IndexScanPlan, sort: &SortPattern, matcher: &Matcher) -> Option<Direction> {
    let index = &scan.index;
    let is_collated_alike = index.collation == *sort.collation();
    let is_constant = |path: &str| {
        let fields = index.fields.iter().zip(&scan.bounds.fields);
        fields.enumerate().any(|(position, ((name, _), bounds))| {
            name == path
                && bounds.intervals.is_single_point()
                && (index.holds_value(position)
                    || is_one_value(index.kinds[position], path, matcher))
        })
    };
    let parts = sort.parts().iter();
    let mut wanted = parts
        .filter(|part| !is_constant(part.path.dotted()))
        .peekable();
    let mut direction: Option<Direction> = None;
    for (position, (name, descending)) in index.fields.iter().enumerate() {
        let Some(part) = wanted.peek() else { break };
        let bounds = scan.bounds.fields.get(position)?;
        if bounds.intervals.is_single_point() {
            continue;
        }
        let is_ordered = rules::of(index.kinds[position]).gives_order();
        if part.path.dotted() != name.as_str() || !is_ordered || !orders(scan, position) {
            return None;
        }
        // Strings are in the order of the index's own collation.
        if !is_collated_alike && bounds.intervals.may_hold_strings() {
            return None;
        }
        let needed = if part.descending == *descending {
            Direction::Forward
        } else {
            Direction::Backward
        };
        if direction.is_some_and(|found| found != needed) {
            return None;
        }
        direction = Some(needed);
        wanted.next();
    }
    match wanted.next() {
        Some(_) => None,
        None => Some(direction.unwrap_or(Direction::Forward)),
    }
}

/// Whether the filter lets one value only through of a field whose component is not its value: values of one hash may
/// differ.
fn is_one_value(kind: FieldKind, path: &str, matcher: &Matcher) -> bool {
    !kind.is_value()
        && matcher.root().conjuncts().iter().any(|part| {
            matches!(part, MatchNode::Compare(test)
                if test.kind == ComparisonKind::Equal && test.path.dotted() == path)
        })
}

/// Whether the keys of a field are in the order that a sort by it asks for: a document with an array comes by its least
/// or greatest item, so that none of its keys may be passed over.
fn orders(scan: &IndexScanPlan, position: usize) -> bool {
    let index = &scan.index;
    let is_array = |field: usize| {
        let prefixes = index.multikey_paths.get(field);
        prefixes.is_some_and(|all| !all.is_empty())
    };
    if !is_array(position) {
        return true;
    }
    let first = |field: usize| {
        let (name, _) = index.fields.get(field)?;
        name.split('.').next()
    };
    // Bounds of another field of the same array choose among its items, too.
    let mut bounds = scan.bounds.fields.iter().enumerate();
    bounds.all(|(field, bounds)| {
        bounds.intervals.is_full()
            || (field != position && !(is_array(field) && first(field) == first(position)))
    })
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
