//! `$topN`: the outputs of the n documents that sort first.
//!
//! Follows the manual's "$topN (accumulator)" page.

use super::accumulator::Form;
use super::ranking::{Kind, compile};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(|name, argument, context| {
    let kind = Kind {
        bottom: false,
        several: true,
    };
    compile(name, argument, context, kind)
});

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn ranks() {
        accumulates(
            "{$topN: {n: 2, sortBy: {a: 1}, output: '$x'}}",
            "[{a: 2, x: 'b'}, {a: 1, x: 'a'}, {a: 3, x: 'c'}, {a: 3, x: 'd'}]",
            "['a', 'b']",
        );
        refuses("{$topN: {sortBy: {a: 1}, output: '$x'}}", "[]", 5788003);
    }
}
