//! `$maxN`: the n greatest items, greatest first, nulls left out.
//!
//! Follows the manual's "$maxN (array operator)" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::several;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&several::EXTREMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    several::extremes(arguments, true, call)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_n_items() {
        evaluates(
            "{$maxN: {n: 2, input: '$a'}}",
            "{a: [3, null, 1, 2]}",
            "[3, 2]",
        );
        fails("{$maxN: {n: 1.5, input: '$a'}}", "{a: [3]}", 5787903);
    }
}
