//! Copies of collections into capped ones.

use super::write::CollectionWriter;
use crate::bson::Document;
use crate::catalog::{CappedLimits, Collection, WriteScratch};
use crate::env::Env;
use crate::error::CommandError;
use crate::storage::Direction;
use std::ops::Bound;

/// Inserts the newest documents of a collection that fit into a capped one, in their order.
///
/// # Errors
/// Storage errors and errors of `Env::checkpoint`: roll back.
pub(super) fn copy_newest(
    into: &mut CollectionWriter<'_>,
    source: &Collection,
    limits: CappedLimits,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let first = source
        .newest_within(into.pager(), limits.size, env)?
        .to_bytes();
    let (from, forward) = (Bound::Included(&first[..]), Direction::Forward);
    let mut range = source.records.range(from, Bound::Unbounded, forward);
    let mut scratch = WriteScratch::default();
    while range.next(into.pager())? {
        env.checkpoint()?;
        let document = range.value_ref(into.pager())?.into_owned();
        into.insert(Document::from_valid_bytes(&document), &mut scratch)?;
    }
    Ok(())
}
