//! Where the items of an array are, for an operator that looks for one value after another in the same array.
//!
//! Invariant: an index is used for the array that it was made of and for no other. Bytes that a scope or a frame holds
//! cannot change or move while that scope or frame lives, so its serial number and an address name an array; the serial
//! number of a later holder is another one.

use super::context::Scope;
use super::node::{Call, Result};
use crate::algorithms::sorting;
use crate::bson::{Array, ValueRef};

/// Arrays of fewer bytes are walked.
const FEW_BYTES: usize = 256;
/// The serial number of an array that is a constant of the expression.
const EXPRESSION: u64 = 0;

/// The array a call saw last.
pub struct ItemIndex {
    holder: u64,
    address: usize,
    /// Once the call sees the array again: its distinct items in order, each the first of its equals, as where its
    /// element begins in the array's bytes and which position it has.
    places: Option<Vec<(u32, u32)>>,
}

/// The position of the first item that equals a value, of the array that an argument of the call gave.
///
/// # Errors
/// Errors of `Env::checkpoint`.
pub fn first_position(
    call: &Call,
    argument: usize,
    array: Array<'_>,
    wanted: ValueRef<'_>,
    scope: &Scope<'_>,
) -> Result<Option<usize>> {
    let bytes = array.as_bytes();
    let holder = match call.arguments.get(argument) {
        _ if bytes.len() < FEW_BYTES => None,
        Some(node) if node.as_constant().is_some() => Some(EXPRESSION),
        _ => scope.holder_of(bytes),
    };
    let address = bytes.as_ptr() as usize;
    let mut seen = call.index.borrow_mut();
    let Some(holder) = holder else {
        return walk(call, array, wanted, scope);
    };
    let index = match seen.as_deref_mut() {
        Some(index) if (index.holder, index.address) == (holder, address) => index,
        _ => {
            *seen = Some(Box::new(ItemIndex {
                holder,
                address,
                places: None,
            }));
            return walk(call, array, wanted, scope);
        }
    };
    if index.places.is_none() {
        index.places = Some(places_of(call, array, scope)?);
    }
    let places = index.places.as_deref().unwrap_or_default();
    let found = places.binary_search_by(|(start, _)| {
        call.collation
            .compare(array.item_at(*start as usize), wanted)
    });
    Ok(found
        .ok()
        .and_then(|rank| places.get(rank))
        .map(|place| place.1 as usize))
}

fn walk(
    call: &Call,
    array: Array<'_>,
    wanted: ValueRef<'_>,
    scope: &Scope<'_>,
) -> Result<Option<usize>> {
    for (position, item) in array.iter().enumerate() {
        if position % 64 == 63 {
            scope.env.checkpoint()?;
        }
        if call.collation.equal(item, wanted) {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

fn places_of(call: &Call, array: Array<'_>, scope: &Scope<'_>) -> Result<Vec<(u32, u32)>> {
    let mut places = Vec::new();
    for (position, start) in array.item_starts().enumerate() {
        if position % 64 == 63 {
            scope.env.checkpoint()?;
        }
        places.push((start as u32, position as u32));
    }
    let item = |place: &(u32, u32)| array.item_at(place.0 as usize);
    sorting::sort_distinct(scope.env, &mut places, &mut |a, b| {
        call.collation.compare(item(a), item(b))
    })?;
    Ok(places)
}
