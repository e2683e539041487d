//! `$top`: the output of the document that sorts first.
//!
//! Follows the manual's "$top (accumulator)" page.

use super::accumulator::Form;
use super::ranking::{Kind, compile};

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(|name, argument, context| {
    let kind = Kind {
        bottom: false,
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
            "{$top: {sortBy: {a: -1}, output: '$x'}}",
            "[{a: 2, x: 'b'}, {a: 1, x: 'a'}, {a: 3, x: 'c'}, {a: 3, x: 'd'}]",
            "'c'",
        );
        accumulates(
            "{$top: {sortBy: {a: 1}, output: ['$x', '$a']}}",
            "[{a: 2, x: 'b'}, {a: 1, x: 'a'}, {a: 3, x: 'c'}, {a: 3, x: 'd'}]",
            "['a', 1]",
        );
        refuses("{$top: {sortBy: {a: 1}}}", "[]", 5788004);
        refuses("{$top: {output: 1}}", "[]", 5788005);
    }
}
