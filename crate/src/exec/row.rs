//! One row on its way through a plan, reused from result to result.

use crate::bson::{Document, DocumentBuf};
use crate::catalog::RecordId;
use crate::storage::PageBytes;

/// The document a row carries.
#[derive(Debug, Clone, Default)]
pub enum RowDocument {
    /// Not fetched (an index scan's row).
    #[default]
    None,
    /// As stored, without a copy.
    Stored(PageBytes),
    /// Computed by a projection or a pipeline.
    Built(DocumentBuf),
}

impl RowDocument {
    /// The document's view, or `None` before a fetch.
    pub fn as_document(&self) -> Option<Document<'_>> {
        match self {
            Self::None => None,
            Self::Stored(bytes) => Some(Document::from_valid_bytes(bytes)),
            Self::Built(document) => Some(document.as_document()),
        }
    }
}

/// A row: where it came from, its document, and the index key it was found by.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub record_id: Option<RecordId>,
    pub document: RowDocument,
    /// The encoded components of the index key, without the RecordId.
    pub index_key: Vec<u8>,
    /// The key's type bits.
    pub type_bits: Vec<u8>,
    /// The sort key, when a stage below computed one.
    pub sort_key: Vec<u8>,
}

impl Row {
    /// The document, or `None` before a fetch.
    pub fn document(&self) -> Option<Document<'_>> {
        self.document.as_document()
    }

    /// Takes the document out.
    pub fn take_document(&mut self) -> RowDocument {
        std::mem::take(&mut self.document)
    }
}
