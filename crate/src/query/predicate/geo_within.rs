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
