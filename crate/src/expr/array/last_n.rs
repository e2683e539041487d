//! `$lastN`: the last n items.
//!
//! Follows the manual's "$lastN (array operator)" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::several;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&several::ENDS, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let (count, array) = several::arguments(arguments)?;
    let skipped = array.len().saturating_sub(count);
    Ok(several::collect(array.iter().skip(skipped)))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_n_items() {
        evaluates("{$lastN: {n: 2, input: '$a'}}", "{a: [3, 1, 2]}", "[1, 2]");
        evaluates("{$lastN: {n: 9, input: '$a'}}", "{a: [3]}", "[3]");
        fails("{$lastN: {n: 'x', input: '$a'}}", "{a: [3]}", 5787902);
    }
}
