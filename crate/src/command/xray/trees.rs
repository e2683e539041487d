//! The trees of the present, each with its owner: the catalog, a collection's records, or an index.
//!
//! Invariant: the trees are all that the catalog reaches, its own among them, in an order that does not change while
//! the catalog stays.

use super::keys::Keys;
use crate::bson::DocumentBuilder;
use crate::catalog::{Catalog, Collection, Index};
use crate::storage::{Pager, Tree};
use std::rc::Rc;

/// The owner of a tree.
pub(super) enum Held {
    Catalog,
    Records(Rc<Collection>),
    Index(Rc<Collection>, usize),
    /// The strings of an index with a collation.
    Labels(Rc<Collection>, usize),
}

/// A tree and its owner.
pub(super) struct Owned {
    pub(super) tree: Tree,
    pub(super) held: Held,
}

/// All trees of the present.
pub(super) fn all(catalog: &Catalog, pager: &Pager) -> Vec<Owned> {
    let mut all = vec![Owned {
        tree: pager.catalog_root(),
        held: Held::Catalog,
    }];
    for collection in catalog.collections() {
        all.push(Owned {
            tree: collection.records,
            held: Held::Records(Rc::clone(collection)),
        });
        for (position, index) in collection.indexes.iter().enumerate() {
            all.push(Owned {
                tree: index.tree,
                held: Held::Index(Rc::clone(collection), position),
            });
            if index.labels.root() != 0 {
                all.push(Owned {
                    tree: index.labels,
                    held: Held::Labels(Rc::clone(collection), position),
                });
            }
        }
    }
    all
}

impl Held {
    fn index(&self) -> Option<(&Collection, &Index)> {
        match self {
            Self::Index(collection, at) | Self::Labels(collection, at) => {
                Some((collection, collection.indexes.get(*at)?))
            }
            _ => None,
        }
    }

    /// How the tree's keys are read.
    pub(super) fn keys(&self) -> Keys<'_> {
        match (self, self.index()) {
            (Self::Catalog, _) => Keys::Text("ns"),
            (Self::Labels(..), _) => Keys::Text("label"),
            (Self::Index(..), Some((_, index))) => Keys::Index(index),
            _ => Keys::Record,
        }
    }

    /// Appends kind, namespace and name.
    pub(super) fn append_to(&self, builder: &mut DocumentBuilder) {
        let kind = match self {
            Self::Catalog => "catalog",
            Self::Records(_) => "collection",
            Self::Index(..) => "index",
            Self::Labels(..) => "labels",
        };
        builder.append("kind", kind);
        if let Self::Records(collection) = self {
            builder.append("ns", &*collection.namespace);
        }
        if let Some((collection, index)) = self.index() {
            builder.append("ns", &*collection.namespace);
            builder.append("index", index.definition.shown_name());
        }
    }
}
