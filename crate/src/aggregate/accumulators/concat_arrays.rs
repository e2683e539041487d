//! `$concatArrays`: the items of all arrays, in one array.
//!
//! Follows the manual's "$concatArrays (aggregation)" page.

use super::accumulator::Form;
use super::push;
use super::spreading::Spreading;

const NAME: &str = "$concatArrays";

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|_| {
    Box::new(Spreading {
        name: NAME,
        items: push::State::of(NAME),
    })
});

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn joins_arrays_in_their_order() {
        accumulates(
            "{$concatArrays: '$x'}",
            "[{x: [2, 1]}, {}, {x: []}, {x: [1, [3], null]}]",
            "[2, 1, 1, [3], null]",
        );
        accumulates("{$concatArrays: '$x'}", "[{y: 1}]", "[]");
        refuses("{$concatArrays: '$x'}", "[{x: null}]", 14);
        refuses("{$concatArrays: '$x'}", "[{x: 1}]", 14);
        refuses("{$concatArrays: ['$x']}", "[{x: [1]}]", 40237);
    }
}
