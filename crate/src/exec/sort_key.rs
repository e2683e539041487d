//! Where a record's sort key comes from.

use super::index_key;
use super::record::{IndexKey, Record};
use crate::bson::DocumentBuf;
use crate::error::CommandError;
use crate::query::{SortPattern, SortScratch};

/// The document, or the index key when the record has no document yet.
#[derive(Debug, Clone)]
pub enum SortKeySource {
    Document,
    /// The key pattern's fields, and whether each runs downwards.
    IndexKey(Vec<(String, bool)>),
}

impl SortKeySource {
    /// The fields of the record's document that its index key holds, where keys are the source.
    ///
    /// # Errors
    /// A malformed index key.
    #[inline]
    pub fn decode(&self, record: &Record<'_>) -> Result<Option<DocumentBuf>, CommandError> {
        let Self::IndexKey(fields) = self else {
            return Ok(None);
        };
        let key = record.key.unwrap_or(IndexKey::EMPTY);
        index_key::decode_nested(key, fields).map(Some)
    }

    /// Writes the record's sort key into `key`, which is emptied first.
    ///
    /// # Errors
    /// Arrays side by side; a malformed index key.
    pub fn write(
        &self,
        pattern: &SortPattern,
        record: &Record<'_>,
        scratch: &mut SortScratch,
        key: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        key.clear();
        match (self.decode(record)?, record.document) {
            (Some(known), _) => pattern.write_key(known.as_document(), scratch, key),
            (None, Some(document)) => pattern.write_key(document, scratch, key),
            (None, None) => Ok(()),
        }
    }
}
