//! `$minN` and `$maxN`: the n least items, the least first, and the n greatest, the greatest first; nulls left out.
//!
//! Follows the manual's "$minN (array operator)" and "$maxN (array operator)" pages.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::several::{self, EXTREMES};
use crate::algorithms::sorting;
use crate::bson::Value;

/// How `$minN` takes its arguments.
pub const MIN: Form = named(&EXTREMES, |arguments, call| {
    extremes(arguments, false, call)
});

/// How `$maxN` takes its arguments.
pub const MAX: Form = named(&EXTREMES, |arguments, call| extremes(arguments, true, call));

fn extremes<'v>(
    arguments: &[Value<'v>],
    greatest: bool,
    call: Invocation<'_>,
) -> Result<Value<'v>> {
    let (count, array) = several::arguments(arguments)?;
    let mut items = several::list(array, call.env)?;
    items.retain(|item| !item.is_nullish());
    sorting::sort_asking(call.env, &mut items, &mut |a, b| {
        let ordering = call.collation.compare(*a, *b);
        match greatest {
            true => ordering.reverse(),
            false => ordering,
        }
    })?;
    several::collect(items.into_iter().take(count), call)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_n_items() {
        let document = "{a: [3, null, 1, 2]}";
        evaluates("{$minN: {n: 2, input: '$a'}}", document, "[1, 2]");
        evaluates("{$maxN: {n: 2, input: '$a'}}", document, "[3, 2]");
        fails("{$minN: {n: -1, input: '$a'}}", "{a: [3]}", 5787908);
        fails("{$maxN: {n: 1.5, input: '$a'}}", "{a: [3]}", 5787903);
    }
}
