//! `$firstN` and `$lastN`: the first and the last n items.
//!
//! Follows the manual's "$firstN (array operator)" and "$lastN (array operator)" pages.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::several::{self, ENDS};
use crate::bson::Value;

/// How `$firstN` takes its arguments.
pub const FIRST: Form = named(&ENDS, |arguments, call| items(arguments, false, call));

/// How `$lastN` takes its arguments.
pub const LAST: Form = named(&ENDS, |arguments, call| items(arguments, true, call));

fn items<'v>(arguments: &[Value<'v>], last: bool, call: Invocation<'_>) -> Result<Value<'v>> {
    let (count, array) = several::arguments(arguments)?;
    let skipped = match last {
        true => array.len().saturating_sub(count),
        false => 0,
    };
    several::collect(array.iter().skip(skipped).take(count), call)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_n_items() {
        evaluates("{$firstN: {n: 2, input: '$a'}}", "{a: [3, 1, 2]}", "[3, 1]");
        evaluates("{$lastN: {n: 2, input: '$a'}}", "{a: [3, 1, 2]}", "[1, 2]");
        for name in ["$firstN", "$lastN"] {
            evaluates(
                &format!("{{{name}: {{n: 9, input: '$a'}}}}"),
                "{a: [3]}",
                "[3]",
            );
        }
        fails("{$firstN: {n: 0, input: '$a'}}", "{a: [3]}", 5787908);
        fails("{$firstN: {n: 1, input: '$a'}}", "{a: 3}", 5788200);
        fails("{$firstN: {n: 1}}", "{}", 5787907);
        fails("{$lastN: {n: 'x', input: '$a'}}", "{a: [3]}", 5787902);
    }
}
