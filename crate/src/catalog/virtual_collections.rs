//! `system.views`, and `system.indexes` and `system.namespaces`, as the older shells' books read them: read-only views
//! of the catalog.

use super::collection::Index;
use super::deployment_catalog::Catalog;
use super::views::VIEWS_COLLECTION;
use crate::bson::{DocumentBuf, DocumentBuilder};

/// Whether a collection name is one of the virtual ones.
pub fn is_virtual(collection: &str) -> bool {
    matches!(
        collection,
        "system.indexes" | "system.namespaces" | VIEWS_COLLECTION
    )
}

impl Catalog {
    /// The documents of a virtual collection; `None` when the name is not of one.
    pub fn virtual_collection(&self, database: &str, collection: &str) -> Option<Vec<DocumentBuf>> {
        match collection {
            "system.indexes" => Some(
                self.collections_of(database)
                    .flat_map(|collection| {
                        collection
                            .indexes
                            .iter()
                            .map(|index| index_document(index, &collection.namespace))
                    })
                    .collect(),
            ),
            "system.namespaces" => Some(self.namespaces(database)),
            VIEWS_COLLECTION => Some(self.views_of(database)),
            _ => None,
        }
    }

    fn namespaces(&self, database: &str) -> Vec<DocumentBuf> {
        let mut documents = Vec::new();
        for collection in self.collections_of(database) {
            let mut builder = DocumentBuilder::new();
            builder.append("name", &*collection.namespace);
            builder.begin_document("options");
            collection.options.append_to(&mut builder);
            builder.end();
            documents.push(builder.finish());
            for index in &collection.indexes {
                let mut builder = DocumentBuilder::new();
                builder.append(
                    "name",
                    format!("{}.${}", collection.namespace, index.name()).as_str(),
                );
                documents.push(builder.finish());
            }
        }
        documents
    }
}

fn index_document(index: &Index, namespace: &str) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    let spec = index.definition.to_bson();
    for element in spec.as_document().iter() {
        builder.append_raw(element.raw);
        if element.name == "name" {
            builder.append("ns", namespace);
        }
    }
    builder.finish()
}
