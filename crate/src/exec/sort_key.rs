//! Where a row's sort key comes from.

use super::index_key;
use super::row::Row;
use crate::error::CommandError;
use crate::query::{SortPattern, SortScratch};

/// The document, or the index key when the row has no document yet.
#[derive(Debug, Clone)]
pub enum SortKeySource {
    Document,
    /// The key pattern's fields, and whether each runs downwards.
    IndexKey(Vec<(String, bool)>),
}

impl SortKeySource {
    /// Writes the row's sort key into `key`, which is emptied first.
    ///
    /// # Errors
    /// Arrays side by side; a malformed index key.
    pub fn write(
        &self,
        pattern: &SortPattern,
        row: &Row,
        scratch: &mut SortScratch,
        key: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        key.clear();
        match self {
            Self::Document => match row.document() {
                Some(document) => pattern.write_key(document, scratch, key),
                None => Ok(()),
            },
            Self::IndexKey(fields) => {
                let known = index_key::decode_nested(&row.index_key, &row.type_bits, fields)?;
                pattern.write_key(known.as_document(), scratch, key)
            }
        }
    }
}
