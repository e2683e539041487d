//! Which collections and documents differ between two states.
//!
//! Whether two states are the same is decided here: they are where no collection differs in its definition or in some
//! document. Documents are paired by `_id`: one that was removed and inserted again is changed, not removed and added.
//! Only pages that the states do not share are read. Invariant: each document that differs is told once, in the order
//! of the RecordIds that the documents have in the older state, or else in the newer one.

use super::view::View;
use crate::bson::compare::compare;
use crate::bson::{Document, ValueRef};
use crate::catalog::{Collection, RecordId, moments};
use crate::env::Env;
use crate::error::{CommandError, StorageError};
use crate::storage::{Pager, Tree};
use std::rc::Rc;

/// A document that two states do not have alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentChange {
    pub old: Option<Vec<u8>>,
    pub new: Option<Vec<u8>>,
}

/// How many documents differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    pub added: u64,
    pub removed: u64,
    pub changed: u64,
    /// Pages of the newer state, of documents and indexes, that the older one lacks.
    pub pages: u64,
}

impl ChangeCounts {
    /// Whether no document differs.
    pub fn has_no_documents(&self) -> bool {
        self.added + self.removed + self.changed == 0
    }

    /// Counts one.
    pub fn add(&mut self, change: &DocumentChange) {
        match (&change.old, &change.new) {
            (None, _) => self.added += 1,
            (_, None) => self.removed += 1,
            _ => self.changed += 1,
        }
    }
}

/// Two states of the data, whose pages lie in one page space.
#[derive(Clone, Copy)]
pub struct Difference<'v> {
    pub old: View<'v>,
    pub new: View<'v>,
}

/// A collection in two states; `None` where it does not exist.
#[derive(Clone, Copy)]
pub struct CollectionDifference<'v> {
    pub old: Option<&'v Rc<Collection>>,
    pub new: Option<&'v Rc<Collection>>,
    pub(super) pages: &'v Pager,
}

impl<'v> Difference<'v> {
    /// One collection in both states.
    pub fn of(&self, namespace: &str) -> CollectionDifference<'v> {
        CollectionDifference {
            old: self.old.catalog.named(namespace),
            new: self.new.catalog.named(namespace),
            pages: self.new.pages,
        }
    }

    /// Tells the collections that some reader can tell apart, ascending by name.
    ///
    /// # Errors
    /// Errors of the page space, and the host's wish to end it.
    pub fn visit(
        &self,
        env: &dyn Env,
        visit: &mut dyn FnMut(&str, &CollectionDifference<'v>, &ChangeCounts),
    ) -> Result<(), CommandError> {
        let (old, new) = (self.old.catalog, self.new.catalog);
        for namespace in new.namespaces_with(old, None) {
            let both = self.of(&namespace);
            if let Some(counts) = both.counts(env)? {
                visit(&namespace, &both, &counts);
            }
        }
        Ok(())
    }

    /// How many documents and pages differ in all; none where no reader can tell the states apart.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn counts(&self, env: &dyn Env) -> Result<Option<ChangeCounts>, CommandError> {
        let mut sum: Option<ChangeCounts> = None;
        self.visit(env, &mut |_, _, counts| {
            let sum = sum.get_or_insert_default();
            sum.added += counts.added;
            sum.removed += counts.removed;
            sum.changed += counts.changed;
            sum.pages += counts.pages;
        })?;
        Ok(sum)
    }
}

fn records(state: Option<&Rc<Collection>>) -> Tree {
    state.map_or(Tree::new(), |collection| collection.records)
}

/// The document of the same `_id` in another state.
fn counterpart(
    pager: &Pager,
    state: Option<&Rc<Collection>>,
    document: &[u8],
) -> Result<Option<Vec<u8>>, StorageError> {
    let Some(collection) = state.filter(|state| state.has_documents()) else {
        return Ok(None);
    };
    let id = Document::from_valid_bytes(document).get("_id");
    match collection.find_by_id(pager, id)? {
        None => Ok(None),
        Some(record) => Ok(collection
            .read(pager, record)?
            .map(|found| found.into_owned())),
    }
}

fn id_of(document: &Option<Vec<u8>>) -> Option<ValueRef<'_>> {
    let document = document.as_deref()?;
    Some(Document::from_valid_bytes(document).get("_id"))
}

impl CollectionDifference<'_> {
    /// Whether the collection's row is the same in both, so that everything of it is.
    fn is_none(&self) -> bool {
        match (self.old, self.new) {
            (Some(old), Some(new)) => moments::is_same(old, new),
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether the collection has the same identity, options and indexes in both.
    pub fn is_defined_alike(&self) -> bool {
        match (self.old, self.new) {
            (Some(old), Some(new)) => moments::is_defined_alike(old, new),
            (old, new) => old.is_none() && new.is_none(),
        }
    }

    /// Tells each document that differs, behind a RecordId, until the visitor has enough. Gives the RecordId to go on
    /// behind, or `None` at the end.
    ///
    /// # Errors
    /// Errors of the page space, and the host's wish to end it.
    pub fn visit(
        &self,
        after: Option<RecordId>,
        env: &dyn Env,
        visit: &mut dyn FnMut(DocumentChange) -> bool,
    ) -> Result<Option<RecordId>, CommandError> {
        let pager = self.pages;
        let mut differences = records(self.old).differences(pager, &records(self.new), env)?;
        if let Some(after) = after {
            differences.skip_through(pager, &after.to_bytes())?;
        }
        while let Some(difference) = differences.next(pager)? {
            env.checkpoint()?;
            let mut goes_on = true;
            let (old, new) = (difference.old, difference.new);
            let is_one = match (id_of(&old), id_of(&new)) {
                (Some(old), Some(new)) => compare(old, new).is_eq(),
                _ => false,
            };
            if is_one {
                goes_on = visit(DocumentChange { old, new });
            } else {
                if let Some(old) = old {
                    let new = counterpart(pager, self.new, &old)?;
                    if new.as_ref() != Some(&old) {
                        goes_on &= visit(DocumentChange {
                            old: Some(old),
                            new,
                        });
                    }
                }
                if let Some(new) = new
                    && counterpart(pager, self.old, &new)?.is_none()
                {
                    goes_on &= visit(DocumentChange {
                        old: None,
                        new: Some(new),
                    });
                }
            }
            if !goes_on {
                return Ok(RecordId::from_bytes(&difference.key));
            }
        }
        Ok(None)
    }

    /// Counts the documents that differ, and the pages; none where no reader can tell the states apart.
    ///
    /// # Errors
    /// As `visit`.
    fn counts(&self, env: &dyn Env) -> Result<Option<ChangeCounts>, CommandError> {
        if self.is_none() {
            return Ok(None);
        }
        let (mut counts, pager) = (ChangeCounts::default(), self.pages);
        self.visit(None, env, &mut |change| {
            counts.add(&change);
            true
        })?;
        if self.is_defined_alike() && counts.has_no_documents() {
            return Ok(None);
        }
        counts.pages = records(self.new).pages_unlike(pager, &records(self.old), env)?;
        for index in self.new.iter().flat_map(|new| &new.indexes) {
            let old = self.old.and_then(|old| old.index_named(index.name()));
            let (tree, labels) =
                old.map_or((Tree::new(), Tree::new()), |old| (old.tree, old.labels));
            counts.pages += index.tree.pages_unlike(pager, &tree, env)?;
            counts.pages += index.labels.pages_unlike(pager, &labels, env)?;
        }
        Ok(Some(counts))
    }
}
