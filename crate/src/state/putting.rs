//! Documents that the deployment keeps for itself, each in the place of the one before: of users, roles and sessions.

use super::write::CollectionWriter;
use crate::bson::Document;
use crate::catalog::{RecordId, WriteScratch};
use crate::error::CommandError;

/// Stores a document in the place of that of a record, or inserts it where there is none.
///
/// # Errors
/// As `CollectionWriter::insert` and `update`: roll back.
pub fn put(
    collection: &mut CollectionWriter<'_>,
    record: Option<RecordId>,
    document: Document<'_>,
) -> Result<(), CommandError> {
    let mut scratch = WriteScratch::default();
    let located = match record {
        Some(id) => collection.collection().locate(collection.pager(), id)?,
        None => None,
    };
    let (Some(id), Some(located)) = (record, located) else {
        return collection.insert(document, &mut scratch);
    };
    let (pager, stored) = (collection.pager(), collection.collection());
    let old = stored.read_at(pager, &located)?.into_owned();
    let old = Document::from_valid_bytes(&old);
    collection.update((id, located), old, document, None, &mut scratch)
}
