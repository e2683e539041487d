//! `$bottom`: the output of the document that sorts last.
//!
//! Follows the manual's "$bottom (accumulator)" page.

use super::accumulator::Form;
use super::ranking::{Kind, compile};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(|name, argument, context| {
    let kind = Kind {
        bottom: true,
        several: false,
    };
    compile(name, argument, context, kind)
});

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    #[test]
    fn ranks() {
        accumulates(
            "{$bottom: {sortBy: {a: 1}, output: '$x'}}",
            "[{a: 2, x: 'b'}, {a: 1, x: 'a'}, {a: 3, x: 'c'}, {a: 3, x: 'd'}]",
            "'d'",
        );
        refuses(
            "{$bottom: {n: 1, sortBy: {a: 1}, output: '$x'}}",
            "[]",
            5788002,
        );
    }
}
