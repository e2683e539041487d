//! The options that a collection was created with.
//!
//! Manual: reference/command/create. Invariant: `to_bson` gives the `options` document of `listCollections`, and
//! `from_bson` reads it.

use super::collections::CollectionKind;
use super::collections::kind::is_own_option;
use crate::bson::{Document, DocumentBuf, DocumentBuilder};
use crate::collation::Collation;

/// The options of one collection.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CollectionOptions {
    /// How it keeps its documents.
    pub kind: CollectionKind,
    /// Options of every kind, kept as `create` was given them.
    pub others: DocumentBuf,
    /// How operations that name no collation compare strings.
    pub collation: Collation,
}

impl CollectionOptions {
    /// Options of a collection of a kind without others.
    pub fn of(kind: impl Into<CollectionKind>) -> Self {
        Self {
            kind: kind.into(),
            ..Self::default()
        }
    }

    /// The options as `listCollections` prints them.
    pub fn to_bson(&self) -> DocumentBuf {
        let mut builder = DocumentBuilder::new();
        self.append_to(&mut builder);
        builder.finish()
    }

    /// Appends the options' fields.
    pub fn append_to(&self, builder: &mut DocumentBuilder) {
        self.kind.rules().append_options(builder, &|builder| {
            builder.append_all(self.others.as_document());
            if let Some(collation) = self.collation.spec() {
                builder.append("collation", &collation);
            }
        });
    }

    /// Reads options that `to_bson` wrote; `collation` is the collation of their document.
    pub fn from_bson(document: Document<'_>, collation: Collation) -> Self {
        let mut others = DocumentBuilder::new();
        for element in document.iter() {
            if element.name != "collation" && !is_own_option(element.name) {
                others.append_raw(element.raw);
            }
        }
        Self {
            kind: CollectionKind::read(document),
            others: others.finish(),
            collation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::ArrayBuilder;
    use crate::catalog::collections::{CappedLimits, Clustered, View};

    #[test]
    fn options_of_each_kind_round_trip_through_bson() {
        let mut others = DocumentBuilder::new();
        others.append("note", "kept");
        let others = others.finish();
        let mut stages = ArrayBuilder::new();
        stages.push(&others);
        let clustered = Clustered {
            name: "by id".into(),
            expire_after_seconds: Some(60),
        };
        let kinds = [
            (CollectionKind::default(), "note"),
            (
                CappedLimits { size: 512, max: 9 }.into(),
                "capped size max note",
            ),
            (
                View::new("teas", stages.finish().as_array()).into(),
                "viewOn pipeline note",
            ),
            (clustered.into(), "note clusteredIndex expireAfterSeconds"),
        ];
        for (kind, fields) in kinds {
            let options = CollectionOptions {
                kind,
                others: others.clone(),
                collation: Collation::SIMPLE,
            };
            let written = options.to_bson();
            let names: Vec<&str> = { written.as_document().iter() }
                .map(|field| field.name)
                .collect();
            assert_eq!(names.join(" "), fields);
            let read = CollectionOptions::from_bson(written.as_document(), Collation::SIMPLE);
            assert_eq!(read, options);
        }
    }
}
