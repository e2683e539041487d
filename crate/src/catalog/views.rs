//! Views: names that stand for a pipeline over a collection or another view.
//!
//! Manual: core/views. A view lies in the catalog as a collection without trees whose options are
//! `viewOn` and `pipeline`. Invariant: `Catalog::collection` never gives one, so that code that reads or
//! writes documents cannot take it for a collection; every view of the catalog leads to its end in at
//! most `MOST_VIEWS` steps, because one that did not was refused.

use super::collection::Collection;
use super::deployment_catalog::Catalog;
use super::names;
use super::options::CollectionOptions;
use crate::bson::{Array, DocumentBuf, DocumentBuilder, ValueRef};
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use std::rc::Rc;

/// The most views that may be over one another.
pub const MOST_VIEWS: usize = 20;
/// The collection that holds a database's views, as a reader sees them.
pub const VIEWS_COLLECTION: &str = "system.views";

impl Collection {
    /// A view.
    pub fn view(
        namespace: &str,
        uuid: [u8; 16],
        view_on: &str,
        pipeline: Array<'_>,
        collation: &Collation,
    ) -> Self {
        let mut others = DocumentBuilder::new();
        others.append("viewOn", view_on);
        others.append("pipeline", pipeline);
        let options = CollectionOptions {
            others: others.finish(),
            collation: collation.clone(),
            ..CollectionOptions::default()
        };
        let mut view = Self::new(namespace, uuid, options);
        view.indexes.clear();
        view
    }

    pub fn is_view(&self) -> bool {
        self.options.is_view()
    }

    /// The name that a view is over, in its own database.
    pub fn view_on(&self) -> &str {
        self.options
            .others
            .get("viewOn")
            .as_str()
            .unwrap_or_default()
    }

    /// A view's stages.
    pub fn view_pipeline(&self) -> Array<'_> {
        match self.options.others.get("pipeline") {
            ValueRef::Array(stages) => stages,
            _ => Array::EMPTY,
        }
    }
}

impl CollectionOptions {
    /// Whether these are a view's.
    pub fn is_view(&self) -> bool {
        !self.others.get("viewOn").is_missing()
    }
}

/// The error of a command that views do not allow.
pub fn is_a_view(namespace: &str) -> CommandError {
    CommandError::new(
        Code::CommandNotSupportedOnView,
        format!("Namespace {namespace} is a view, not a collection"),
    )
}

impl Catalog {
    /// A view.
    pub fn view(&self, namespace: &str) -> Option<&Rc<Collection>> {
        self.named(namespace).filter(|named| named.is_view())
    }

    /// Refuses a view; a name that is no view's passes.
    ///
    /// # Errors
    /// 166 `CommandNotSupportedOnView`.
    pub fn refuse_view(&self, namespace: &str) -> Result<(), CommandError> {
        match self.view(namespace) {
            Some(_) => Err(is_a_view(namespace)),
            None => Ok(()),
        }
    }

    /// The views of a database, as its `system.views` shows them.
    pub fn views_of(&self, database: &str) -> Vec<DocumentBuf> {
        self.collections_of(database)
            .filter(|named| named.is_view())
            .map(|view| {
                let mut builder = DocumentBuilder::new();
                builder.append("_id", &*view.namespace);
                view.options.append_to(&mut builder);
                builder.finish()
            })
            .collect()
    }

    /// The full name of the collection or view that a view is over.
    pub fn below(view: &Collection) -> String {
        format!("{}.{}", names::split(&view.namespace).0, view.view_on())
    }
}
