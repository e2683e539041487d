//! `$setUnion`: the distinct items of all arrays, in the order they were first seen.
//!
//! Follows the manual's "$setUnion (aggregation)" page.

use super::accumulator::Form;
use super::add_to_set;
use super::spreading::Spreading;

const NAME: &str = "$setUnion";

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Single(|collation| {
    Box::new(Spreading {
        name: NAME,
        items: add_to_set::State::of(NAME, collation),
    })
});

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn keeps_distinct_items() {
        accumulates(
            "{$setUnion: '$x'}",
            "[{x: [2, 1]}, {}, {x: []}, {x: [1.0, [1], null, 2]}]",
            "[2, 1, [1], null]",
        );
        accumulates("{$setUnion: '$x'}", "[{y: 1}]", "[]");
        refuses("{$setUnion: '$x'}", "[{x: null}]", 14);
        refuses("{$setUnion: '$x'}", "[{x: 'a'}]", 14);
        refuses("{$setUnion: ['$x']}", "[{x: [1]}]", 40237);
    }
}
