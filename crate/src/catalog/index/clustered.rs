//! The `_id` index of a clustered collection: an ordered index under the name that the collection's options give it.
//!
//! Manual: core/clustered-collections. Invariant: commands show it as the order of the documents, so a plan over it
//! reads documents and no keys.

use super::definition::IndexDefinition;
use super::keys::KeySet;
use super::kind::KindRules;
use super::ordered::Ordered;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::error::CommandError;

/// The most bytes of an `_id`.
const MOST_BYTES: usize = 8 * 1024 * 1024;

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
        let id = document.get("_id");
        let size = match id {
            ValueRef::Binary { bytes, .. } => bytes.len() + 7,
            ValueRef::Document(fields) => fields.as_bytes().len(),
            _ => id.as_text().map_or(0, |text| text.len() + 2),
        };
        if size > MOST_BYTES {
            return Err(CommandError::location(
                5_894_900,
                format!(
                    "The _id of a clustered collection may have {MOST_BYTES} bytes, and not {size}"
                ),
            ));
        }
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
