//! `$geoWithin`, and `$within` as it was called first: a stored geometry lies inside a shape.
//!
//! Follows the manual's "$geoWithin" page.

use super::geo_shape;
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand};
use crate::query::node::MatchNode;

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let test = geo_shape::parse(compiler, operand, true)?;
    Ok(Some(MatchNode::Geo(test)))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn a_place_lies_inside() {
        let boxed = "{a: {$geoWithin: {$box: [[0, 0], [2, 2]]}}}";
        for (document, expected) in [
            ("{a: [1, 2]}", true),
            ("{a: {x: 1, y: 2}}", true),
            ("{a: {type: \"Point\", coordinates: [1, 2]}}", true),
            ("{a: [[9, 9], [1, 1]]}", true),
            ("{a: [3, 1]}", false),
            ("{a: 1}", false),
            ("{}", false),
        ] {
            assert_eq!(matches(boxed, document), expected, "{document}");
        }
        assert!(matches(
            "{a: {$within: {$center: [[0, 0], 1]}}}",
            "{a: [0, 1]}"
        ));
        assert!(matches(
            "{a: {$not: {$geoWithin: {$center: [[0, 0], 1]}}}}",
            "{a: [0, 2]}"
        ));
    }

    #[test]
    fn bad_shapes_are_refused() {
        assert_eq!(
            refusal("{a: {$geoWithin: 5}}"),
            "2: geometry must be an object"
        );
        assert_eq!(
            refusal("{a: {$geoWithin: {}}}"),
            "2: geo query doesn't have any geometry"
        );
        assert!(
            refusal("{a: {$geoWithin: {$box: [[0, 0], [2, 2]]}, $gt: 5}}")
                .starts_with("2: can't parse")
        );
    }
}
