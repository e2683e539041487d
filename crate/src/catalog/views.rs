//! The views of a catalog.
//!
//! Manual: core/views. A view lies in the catalog as a collection without trees; the kind is `collections/view.rs`.
//! Invariant: `Catalog::collection` never gives one, so that code that reads or writes documents cannot take it for a
//! collection; every view of the catalog leads to its end in at most `MOST_VIEWS` steps, because one that did not was
//! refused.

use super::collection::Collection;
use super::collections::View;
use super::deployment_catalog::Catalog;
use super::names;
use super::series::Series;
use crate::bson::{Array, DocumentBuf, DocumentBuilder};
use crate::error::CommandError;
use std::borrow::Cow;
use std::rc::Rc;

/// The most views that may be over one another.
pub const MOST_VIEWS: usize = 20;
/// The collection that holds a database's views, as a reader sees them.
pub const VIEWS_COLLECTION: &str = "system.views";

impl Collection {
    /// The name that a view is over, in its own database.
    pub fn view_on(&self) -> &str {
        self.options.kind.view().map_or("", View::on)
    }

    /// A view's stages.
    pub fn view_pipeline(&self) -> Array<'_> {
        self.options
            .kind
            .view()
            .map_or(Array::EMPTY, View::pipeline)
    }
}

impl Collection {
    /// Appends a view's definition as `system.views` has it.
    pub fn append_view(&self, builder: &mut DocumentBuilder) {
        builder.append("_id", &*self.namespace);
        builder.append("viewOn", self.view_on());
        builder.append("pipeline", self.view_pipeline());
        if let Some(collation) = self.options.collation.spec() {
            builder.append("collation", &collation);
        }
    }
}

impl Catalog {
    /// The collection that has the documents of a name: of a time series that of its buckets, else the name itself.
    pub fn stored_name<'n>(&self, namespace: &'n str) -> Cow<'n, str> {
        match self.measured(namespace) {
            Some((buckets, _)) => buckets.into(),
            None => namespace.into(),
        }
    }

    /// The name of the buckets of a time series, and how its measurements are gathered.
    pub fn measured(&self, namespace: &str) -> Option<(String, Series)> {
        let named = self.named(namespace)?;
        let series = named.options.kind.measured()?;
        Some((Self::below(named), series.clone()))
    }

    /// A view.
    pub fn view(&self, namespace: &str) -> Option<&Rc<Collection>> {
        self.named(namespace).filter(|named| !named.has_documents())
    }

    /// Refuses a view; a name that is no view's passes.
    ///
    /// # Errors
    /// 166 `CommandNotSupportedOnView`.
    pub fn refuse_view(&self, namespace: &str) -> Result<(), CommandError> {
        match self.named(namespace) {
            Some(named) => named.options.kind.rules().check_stored(namespace),
            None => Ok(()),
        }
    }

    /// The views of a database, as its `system.views` shows them.
    pub fn views_of(&self, database: &str) -> Vec<DocumentBuf> {
        self.collections_of(database)
            .filter(|named| !named.has_documents())
            .map(|view| {
                let mut builder = DocumentBuilder::new();
                view.append_view(&mut builder);
                builder.finish()
            })
            .collect()
    }

    /// The full name of the collection or view that a view is over.
    pub fn below(view: &Collection) -> String {
        format!("{}.{}", names::split(&view.namespace).0, view.view_on())
    }
}
