//! A search in texts as plans have it: the index, the parsed text, and where scores go.

use super::tree::IndexFacts;
use crate::bson::DocumentBuf;
use crate::catalog::IndexDefinition;
use crate::catalog::index::text::Text;
use crate::catalog::index::text::search::TextSearch;
use crate::expr::Metadata;
use std::rc::Rc;

/// A search over a text index.
#[derive(Clone)]
pub struct TextMatching {
    pub index: Rc<IndexFacts>,
    pub definition: Rc<IndexDefinition>,
    pub search: TextSearch,
    /// The values that the filter gives the fields before the term.
    pub prefix: DocumentBuf,
    /// Where the scores of documents are told, if they are asked for.
    pub metadata: Option<Rc<Metadata>>,
}

impl TextMatching {
    /// The index's texts; `None` of no index that a search is planned over.
    pub fn text(&self) -> Option<&Text> {
        self.definition.kind.text()
    }
}
