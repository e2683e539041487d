//! `$minN`: the n least, the least first; nulls left out.
//!
//! Follows the manual's "$minN (accumulator)" page.

use super::accumulator::Form;
use super::extremes::compile;

/// How the accumulator takes its argument.
pub const FORM: Form =
    Form::Custom(|name, argument, context| compile(name, argument, context, false));

#[cfg(test)]
mod tests {
    use super::super::super::testing::accumulates;

    #[test]
    fn keeps_the_extremes() {
        accumulates(
            "{$minN: {n: 2, input: '$x'}}",
            "[{x: 1}, {x: 3}, {x: null}, {x: 2}]",
            "[1, 2]",
        );
    }
}
