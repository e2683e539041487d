//! `$firstN`: the first n items.
//!
//! Follows the manual's "$firstN (array operator)" page.

use super::super::form::{Form, named};
use super::super::node::{Invocation, Result};
use super::several;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named(&several::ENDS, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let (count, array) = several::arguments(arguments)?;
    Ok(several::collect(array.iter().take(count)))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_n_items() {
        evaluates("{$firstN: {n: 2, input: '$a'}}", "{a: [3, 1, 2]}", "[3, 1]");
        evaluates("{$firstN: {n: 9, input: '$a'}}", "{a: [3]}", "[3]");
        fails("{$firstN: {n: 0, input: '$a'}}", "{a: [3]}", 5787908);
        fails("{$firstN: {n: 1, input: '$a'}}", "{a: 3}", 5788200);
        fails("{$firstN: {n: 1}}", "{}", 5787907);
    }
}
