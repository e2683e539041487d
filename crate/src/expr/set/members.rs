//! Arrays as sets: order and repetition do not count.

use super::super::array::several::collect;
use crate::bson::{Value, ValueRef, order};
use crate::collation::Collation;
use std::cmp::Ordering;

/// The distinct items of an array, sorted.
pub fn distinct<'a>(
    items: impl Iterator<Item = ValueRef<'a>>,
    collation: &Collation,
) -> Vec<ValueRef<'a>> {
    let mut items: Vec<_> = items.collect();
    order::sort_by(&mut items, &mut |a, b| collation.compare(*a, *b));
    items.dedup_by(|a, b| collation.equal(*a, *b));
    items
}

/// Whether a sorted set holds a value.
pub fn holds(set: &[ValueRef<'_>], value: ValueRef<'_>, collation: &Collation) -> bool {
    let at = set.partition_point(|held| collation.compare(*held, value) == Ordering::Less);
    set.get(at)
        .is_some_and(|held| collation.equal(*held, value))
}

/// A sorted set as an array value.
pub fn to_value(set: Vec<ValueRef<'_>>) -> Value<'static> {
    collect(set.into_iter())
}
