//! Records: a document on its way from stage to stage, with its number, its index key and the values made of it.
//!
//! Invariant: a record borrows from the stage that gives it. A stage that keeps records back copies the parts it needs.

use super::path_values::Collected;
use crate::bson::Document;
use crate::catalog::RecordId;
use crate::error::CommandError;
use crate::expr::Bound;

/// One record as a stage gives it.
#[derive(Clone, Copy, Default)]
pub struct Record<'r> {
    /// `None` before a fetch: an index scan gives keys alone.
    pub document: Option<Document<'r>>,
    pub record_id: Option<RecordId>,
    /// The index key it was found by, where a stage above reads that.
    pub key: Option<IndexKey<'r>>,
    /// The values at the paths that the next stage reads, where a stage below has them already.
    pub values: Option<&'r Collected<'r>>,
    /// Values bound in the place of fields of the document: a stage made them and left the document unwritten.
    pub bound: Option<&'r Bound<'r>>,
}

impl<'r> Record<'r> {
    /// The document, which is empty before a fetch.
    #[inline]
    pub fn document(&self) -> Document<'r> {
        self.document.unwrap_or(Document::EMPTY)
    }
}

impl<'r> From<Document<'r>> for Record<'r> {
    #[inline]
    fn from(document: Document<'r>) -> Self {
        Self {
            document: Some(document),
            ..Self::default()
        }
    }
}

/// An index key.
#[derive(Debug, Clone, Copy)]
pub struct IndexKey<'r> {
    /// The encoded components, without the RecordId.
    pub components: &'r [u8],
    pub type_bits: &'r [u8],
}

impl IndexKey<'_> {
    /// No key.
    pub const EMPTY: Self = Self {
        components: &[],
        type_bits: &[],
    };
}

/// Sees one record and answers whether it wants more.
pub type Visitor<'v> = dyn FnMut(&Record<'_>) -> Result<bool, CommandError> + 'v;
