//! Collections that are filled apart and then take the place of others: `$out`, and the copies that are capped.

use super::documents::CollectionWriter;
use super::writer::Writer;
use crate::algorithms::hexadecimal::uuid_text;
use crate::catalog::{CappedLimits, Collection, Series, names};
use crate::env::Env;
use crate::error::{CommandError, StorageError};
use crate::state::changes::Operation;
use crate::state::copying::copy_newest;
use std::rc::Rc;

/// A collection that is filled apart, under a name of its own, and then takes its place.
pub struct Replacement {
    collection: Collection,
    /// The namespace that it is to have.
    place: Rc<str>,
}

impl Replacement {
    /// How measurements are gathered in it, where it is to hold buckets.
    pub fn series(&self) -> Option<Series> {
        self.collection.options.kind.buckets().cloned()
    }
}

impl Writer<'_> {
    /// Makes a collection that is to take the place of another one, with the options and indexes that it is to have,
    /// under a name of its own.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn begin_replacement(
        &mut self,
        mut collection: Collection,
        place: &str,
    ) -> Result<Replacement, StorageError> {
        collection.plant(self.pager)?;
        let made = Operation::Created(Rc::clone(&collection.namespace));
        self.changes.operation(made);
        if let Some(mut log) = self.changes.log() {
            log.created(&collection);
            for index in collection.indexes.iter().skip(1) {
                log.indexed(&collection, &index.definition);
            }
        }
        Ok(Replacement {
            collection,
            place: place.into(),
        })
    }

    /// A replacement, to be filled.
    pub fn fill<'f>(&'f mut self, replacement: &'f mut Replacement) -> CollectionWriter<'f> {
        CollectionWriter {
            is_apart: true,
            pager: self.pager,
            collection: &mut replacement.collection,
            changes: self.changes,
            guard: None,
        }
    }

    /// Puts a replacement in its place, and gives the collection that was there.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn put_replacement(
        &mut self,
        replacement: Replacement,
    ) -> Result<Option<Rc<Collection>>, StorageError> {
        let Replacement {
            mut collection,
            place,
        } = replacement;
        self.check_free(&place)?;
        let old = self.catalog.drop_collection(self.pager, &place)?;
        let apart = std::mem::replace(&mut collection.namespace, place);
        let (place, documents) = (&collection.namespace, collection.count());
        self.changes
            .replaced(&apart, place, documents, old.is_some());
        if let Some(mut log) = self.changes.log() {
            log.renamed(&apart, &collection, old.as_deref());
        }
        self.catalog.put_collection(collection);
        Ok(old)
    }

    /// Copies the newest documents of a collection into a new capped one of another name.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`: roll back.
    pub fn clone_as_capped(
        &mut self,
        source: &Collection,
        to: &str,
        uuid: [u8; 16],
        limits: CappedLimits,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let mut copy = Collection::capped_like(source, to, uuid, limits);
        self.check_free(to)?;
        copy.plant(self.pager)?;
        self.changes.created(&copy);
        let mut into = CollectionWriter {
            is_apart: false,
            pager: self.pager,
            collection: &mut copy,
            changes: self.changes,
            guard: None,
        };
        copy_newest(&mut into, source, limits, env)?;
        self.catalog.put_collection(copy);
        Ok(())
    }

    /// Puts a capped collection with the newest documents of a collection in its place.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`: roll back.
    pub fn convert_to_capped(
        &mut self,
        source: &Collection,
        uuid: [u8; 16],
        limits: CappedLimits,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let (database, _) = names::split(&source.namespace);
        let apart = format!("{database}.tmp.convertToCapped.{}", uuid_text(&uuid));
        let copy = Collection::capped_like(source, &apart, uuid, limits);
        let mut replacement = self.begin_replacement(copy, &source.namespace)?;
        let mut into = self.fill(&mut replacement);
        copy_newest(&mut into, source, limits, env)?;
        self.put_replacement(replacement)?;
        Ok(())
    }
}
