//! `$minN`: the n least items, least first, nulls left out.
//!
//! Follows the manual's "$minN (array operator)" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::several;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&several::EXTREMES, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    several::extremes(arguments, false, call)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_n_items() {
        evaluates(
            "{$minN: {n: 2, input: '$a'}}",
            "{a: [3, null, 1, 2]}",
            "[1, 2]",
        );
        fails("{$minN: {n: -1, input: '$a'}}", "{a: [3]}", 5787908);
    }
}
