//! `capped`, `size` and `max` of `create`. Manual: core/capped-collections.

use crate::catalog::{CappedLimits, CollectionKind};
use crate::command::request::Params;
use crate::error::CommandError;

/// Reads the limits of a capped collection.
///
/// # Errors
/// 72 `InvalidOptions` for a combination that means nothing; 2 `BadValue` for a number that is out of range.
pub fn read(params: &Params<'_>) -> Result<Option<CollectionKind>, CommandError> {
    let capped = params.safe_bool("capped")?.unwrap_or(false);
    let (size, max) = (params.integer("size")?, params.integer("max")?);
    Ok(CappedLimits::parse(capped, size, max)?.map(CollectionKind::from))
}
