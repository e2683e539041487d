//! Sizes of collections and indexes in bytes, as the statistics commands give them.

use super::params::Params;
use crate::bson::DocumentBuilder;
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::storage::{PAGE_SIZE, Tree};

/// Bytes of a tree's pages.
pub(super) fn of_tree(tree: &Tree) -> i64 {
    (tree.page_count() as i64).saturating_mul(PAGE_SIZE as i64)
}

/// Bytes of all index pages.
pub(super) fn of_indexes(collection: &Collection) -> i64 {
    collection
        .indexes
        .iter()
        .map(|index| of_tree(&index.tree))
        .sum()
}

/// Bytes of all pages of a collection.
pub(super) fn total(collection: &Collection) -> i64 {
    of_tree(&collection.records) + of_indexes(collection)
}

/// Reads `scale`: what sizes are divided by.
///
/// # Errors
/// 51024 below 1.
pub(super) fn scale(params: &Params<'_>) -> Result<i64, CommandError> {
    match params.integer("scale")? {
        None => Ok(1),
        Some(scale) if scale < 1 => Err(CommandError::location(
            51024,
            format!("BSON field 'scale' value must be >= 1, actual value '{scale}'"),
        )),
        Some(scale) => Ok(scale),
    }
}

/// Appends a size divided by the scale.
pub(super) fn append_scaled(reply: &mut DocumentBuilder, name: &str, size: i64, scale: i64) {
    reply.append_integer(name, size / scale.max(1));
}
