//! The `_id` index of a clustered collection: an ordered index under the name that the collection's options give it.
//!
//! Manual: core/clustered-collections. Invariant: commands show it as the order of the documents, so a plan over it
//! reads documents and no keys.

use super::definition::IndexDefinition;
use super::keys::KeySet;
use super::kind::KindRules;
use super::ordered::Ordered;
use crate::bson::{Document, DocumentBuilder};
use crate::error::CommandError;

/// The kind, with the index's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clustered {
    pub name: Box<str>,
}

impl KindRules for Clustered {
    fn generate(
        &self,
        definition: &IndexDefinition,
        document: Document<'_>,
        keys: &mut KeySet,
    ) -> Result<(), CommandError> {
        Ordered.generate(definition, document, keys)
    }

    fn keys_are_values(&self) -> bool {
        true
    }

    fn shown_name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn append_to(&self, specification: &mut DocumentBuilder) {
        specification
            .append("unique", true)
            .append("clustered", true);
    }
}
