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
