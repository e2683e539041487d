//! Arrays as sets: order and repetition do not count.

use super::super::array::several::list;
use super::super::node::{Invocation, Result};
use crate::algorithms::sorting;
use crate::bson::{Array, ValueRef};

/// Items fewer than these are kept with their repetitions.
const FEW: usize = 1 << 16;

/// The items of several arrays, which take little more room than the distinct ones among them.
#[derive(Default)]
pub struct Union<'a> {
    items: Vec<ValueRef<'a>>,
    /// How many of the items are distinct for certain, and lie in front.
    distinct: usize,
}

impl<'a> Union<'a> {
    /// Adds the items of an array.
    pub fn add(&mut self, array: Array<'a>, call: Invocation<'_>) -> Result<()> {
        for item in array.iter() {
            call.env.checkpoint()?;
            // Sorted anew whenever the items are twice as many, so that each is sorted a few times only.
            if self.items.len() >= (self.distinct * 2).max(FEW) {
                self.drop_repetitions(call)?;
            }
            self.items.push(item);
        }
        Ok(())
    }

    fn drop_repetitions(&mut self, call: Invocation<'_>) -> Result<()> {
        sort(&mut self.items, call)?;
        self.distinct = self.items.len();
        Ok(())
    }

    /// The distinct items, sorted.
    pub fn finish(mut self, call: Invocation<'_>) -> Result<Vec<ValueRef<'a>>> {
        self.drop_repetitions(call)?;
        Ok(self.items)
    }
}

/// The distinct items of an array, sorted.
pub fn distinct<'a>(array: Array<'a>, call: Invocation<'_>) -> Result<Vec<ValueRef<'a>>> {
    let mut items = list(array, call.env)?;
    sort(&mut items, call)?;
    Ok(items)
}

/// Sorts items and drops repetitions.
fn sort(items: &mut Vec<ValueRef<'_>>, call: Invocation<'_>) -> Result<()> {
    sorting::sort_distinct(call.env, items, &mut |a, b| call.collation.compare(*a, *b))
}

/// Whether a sorted set holds a value.
pub fn holds(set: &[ValueRef<'_>], value: ValueRef<'_>, call: Invocation<'_>) -> Result<bool> {
    call.env.checkpoint()?;
    let found = set.binary_search_by(|held| call.collation.compare(*held, value));
    Ok(found.is_ok())
}
