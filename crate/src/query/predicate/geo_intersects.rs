//! `$geoIntersects`: a stored geometry and a shape have a point in common.
//!
//! Follows the manual's "$geoIntersects" page.

use super::geo_shape;
use crate::error::CommandError;
use crate::query::compile::{Compiler, Operand};
use crate::query::node::MatchNode;

pub(super) fn parse(
    compiler: &Compiler<'_>,
    operand: &Operand<'_>,
) -> Result<Option<MatchNode>, CommandError> {
    let test = geo_shape::parse(compiler, operand, false)?;
    Ok(Some(MatchNode::Geo(test)))
}

#[cfg(test)]
mod tests {
    use crate::query::testing::{matches, refusal};

    #[test]
    fn shapes_have_a_point_in_common() {
        let line = "{a: {$geoIntersects: {$geometry: {type: \"LineString\", coordinates: [[0, 0], [4, 0]]}}}}";
        assert!(matches(
            line,
            "{a: {type: \"LineString\", coordinates: [[2, -1], [2, 1]]}}"
        ));
        assert!(!matches(
            line,
            "{a: {type: \"LineString\", coordinates: [[5, -1], [5, 1]]}}"
        ));
        assert!(!matches(line, "{a: \"there\"}"));
        assert!(
            refusal("{a: {$geoIntersects: {$box: [[0, 0], [1, 1]]}}}")
                .starts_with("2: $geoIntersect not")
        );
    }
}
