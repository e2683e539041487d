//! Arrays as sets: order and repetition do not count.

use super::super::node::{Invocation, Result};
use crate::algorithms::sorting;
use crate::bson::{Array, ValueRef};

/// Adds the items of an array to others.
pub fn gather<'a>(
    items: &mut Vec<ValueRef<'a>>,
    array: Array<'a>,
    call: Invocation<'_>,
) -> Result<()> {
    for item in array.iter() {
        call.env.checkpoint()?;
        items.push(item);
    }
    Ok(())
}

/// The distinct items of an array, sorted.
pub fn distinct<'a>(array: Array<'a>, call: Invocation<'_>) -> Result<Vec<ValueRef<'a>>> {
    let mut items = Vec::new();
    gather(&mut items, array, call)?;
    sort(&mut items, call)?;
    Ok(items)
}

/// Sorts items and drops repetitions.
pub fn sort(items: &mut Vec<ValueRef<'_>>, call: Invocation<'_>) -> Result<()> {
    sorting::sort_distinct(call.env, items, &mut |a, b| call.collation.compare(*a, *b))
}

/// Whether a sorted set holds a value.
pub fn holds(set: &[ValueRef<'_>], value: ValueRef<'_>, call: Invocation<'_>) -> Result<bool> {
    call.env.checkpoint()?;
    let found = set.binary_search_by(|held| call.collation.compare(*held, value));
    Ok(found.is_ok())
}
