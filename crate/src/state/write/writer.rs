//! What is written to the catalog, and the way to one collection's documents.

use super::documents::CollectionWriter;
use crate::bson::Document;
use crate::catalog::salvage::{self, Salvaged};
use crate::catalog::views::VIEWS_COLLECTION;
use crate::catalog::{
    Catalog, Collection, CollectionOptions, FilterCompiler, RecordId, WriteScratch, names, ttl,
};
use crate::env::Env;
use crate::error::{Code, CommandError, StorageError};
use crate::state::changes::{Changes, Kind, Operation};
use crate::state::claims::Guard;
use crate::state::differences::CollectionDifference;
use crate::state::restored::note_restored;
use crate::storage::Pager;
use std::rc::Rc;

/// Pages and catalog to be changed, and where the changes are noted.
pub struct Writer<'w> {
    pub(super) pager: &'w mut Pager,
    pub(super) catalog: &'w mut Catalog,
    pub(super) changes: &'w mut Changes,
    /// Set while transactions are open.
    pub(super) guard: Option<Guard<'w>>,
}

impl<'w> Writer<'w> {
    pub fn new(pager: &'w mut Pager, catalog: &'w mut Catalog, changes: &'w mut Changes) -> Self {
        Self {
            pager,
            catalog,
            changes,
            guard: None,
        }
    }

    /// The same door, where transactions are open.
    pub(in crate::state) fn guarded(mut self, guard: Option<Guard<'w>>) -> Self {
        self.guard = guard;
        self
    }

    /// Refuses to drop or define anew a collection that an open transaction has written in.
    pub(super) fn check_free(&self, namespace: &str) -> Result<(), StorageError> {
        match &self.guard {
            None => Ok(()),
            Some(guard) => guard.redefine(namespace),
        }
    }

    /// Whether the transaction that writes here has made a collection.
    pub fn has_made(&self, namespace: &str) -> bool {
        { self.guard.as_ref() }.is_some_and(|guard| guard.has_made(namespace))
    }

    /// The catalog, to read.
    pub fn catalog(&self) -> &Catalog {
        self.catalog
    }

    /// The pages, to read.
    pub fn pager(&self) -> &Pager {
        self.pager
    }

    /// A collection to write, for as long as the writer could be.
    pub fn into_collection(self, namespace: &str) -> Option<CollectionWriter<'w>> {
        Some(CollectionWriter {
            pager: self.pager,
            collection: self.catalog.collection_mut(namespace)?,
            is_apart: false,
            changes: self.changes,
            guard: self.guard,
        })
    }

    /// A collection to write.
    pub fn collection(&mut self, namespace: &str) -> Option<CollectionWriter<'_>> {
        self.reborrowed().into_collection(namespace)
    }

    fn reborrowed(&mut self) -> Writer<'_> {
        Writer {
            pager: self.pager,
            catalog: self.catalog,
            changes: self.changes,
            guard: self.guard.as_mut().map(Guard::reborrow),
        }
    }

    /// A collection to write, which is created with default options where there is none.
    ///
    /// # Errors
    /// As `create`; a view.
    pub fn into_created(
        mut self,
        namespace: &str,
        uuid: &mut dyn FnMut() -> [u8; 16],
    ) -> Result<CollectionWriter<'w>, CommandError> {
        names::check_writable(namespace)?;
        if let Some(named) = self.catalog.named(namespace) {
            named.options.kind.rules().check_stored(namespace)?;
        } else {
            if let Some(guard) = &mut self.guard {
                guard.create(namespace)?;
            }
            let options = CollectionOptions::default();
            let made = self
                .catalog
                .create_collection(self.pager, namespace, uuid(), options)?;
            let namespace = &made.namespace;
            let created = Operation::Created(Rc::clone(namespace));
            self.changes.done(namespace, Kind::Implied, created);
            if let Some(mut log) = self.changes.log() {
                log.created(made);
            }
        }
        let collection = { self.catalog.collection_mut(namespace) }
            .ok_or_else(|| StorageError::broken(format!("collection {namespace} vanished")))?;
        Ok(CollectionWriter {
            pager: self.pager,
            collection,
            changes: self.changes,
            guard: self.guard,
            is_apart: false,
        })
    }

    /// Creates a collection.
    ///
    /// # Errors
    /// 73 `InvalidNamespace`, 48 `NamespaceExists`, 13297 `DatabaseDifferCase`; storage errors: roll back.
    pub fn create(
        &mut self,
        namespace: &str,
        uuid: [u8; 16],
        options: CollectionOptions,
    ) -> Result<(), CommandError> {
        let created = self
            .catalog
            .create_collection(self.pager, namespace, uuid, options)?;
        if let Some(guard) = &mut self.guard {
            guard.create(namespace)?;
        }
        self.changes.created(created);
        Ok(())
    }

    /// Defines a view. The first of a database makes the collection that holds its views, which gets the identity
    /// `holder`.
    ///
    /// # Errors
    /// As `create`, of that collection.
    pub fn create_view(&mut self, view: Collection, holder: [u8; 16]) -> Result<(), CommandError> {
        let database = names::split(&view.namespace).0;
        self.catalog.check_database_case(database)?;
        if let Some(guard) = &mut self.guard {
            guard.create(&view.namespace)?;
        }
        let views = format!("{database}.{VIEWS_COLLECTION}");
        if self.catalog.collection(&views).is_none() {
            let options = CollectionOptions::default();
            self.catalog
                .create_collection(self.pager, &views, holder, options)?;
        }
        self.changes.created(&view);
        self.catalog.put_collection(view);
        Ok(())
    }

    /// Gives a view another definition.
    pub fn change_view(&mut self, view: Collection) {
        let before = self.catalog.named(&view.namespace);
        self.changes
            .modified(&view, before.map_or(&view, Rc::as_ref));
        self.catalog.put_collection(view);
    }

    /// Drops a collection or a view, and gives its definition.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn drop_named(&mut self, namespace: &str) -> Result<Option<Rc<Collection>>, StorageError> {
        self.check_free(namespace)?;
        let dropped = self.catalog.drop_collection(self.pager, namespace)?;
        if let Some(dropped) = &dropped {
            let namespace = &dropped.namespace;
            self.changes.done(
                namespace,
                Kind::Dropped,
                Operation::Dropped(Rc::clone(namespace)),
            );
            if let Some(mut log) = self.changes.log() {
                log.dropped(dropped);
            }
        }
        Ok(dropped)
    }

    /// Drops all collections and views of a database, and gives their definitions.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn drop_database(&mut self, database: &str) -> Result<Vec<Rc<Collection>>, StorageError> {
        let all: Vec<Rc<str>> = { self.catalog.collections_of(database) }
            .map(|collection| Rc::clone(&collection.namespace))
            .collect();
        let mut dropped = Vec::with_capacity(all.len());
        for namespace in &all {
            dropped.extend(self.drop_named(namespace)?);
        }
        if !dropped.is_empty() {
            let database: Rc<str> = database.into();
            let operation = Operation::DroppedDatabase(Rc::clone(&database));
            self.changes.done(&database, Kind::Dropped, operation);
            if let Some(mut log) = self.changes.log() {
                log.dropped_database(&database);
            }
        }
        Ok(dropped)
    }

    /// Gives a collection another name, and drops the collection that had it. `uuid` is the collection's new identity,
    /// if it gets one. Gives the collection that was dropped.
    ///
    /// # Errors
    /// 13297 `DatabaseDifferCase`; storage errors: roll back.
    pub fn rename(
        &mut self,
        from: &str,
        to: &str,
        uuid: Option<[u8; 16]>,
    ) -> Result<Option<Rc<Collection>>, CommandError> {
        self.check_free(from)?;
        self.check_free(to)?;
        let dropped = self.catalog.drop_collection(self.pager, to)?;
        self.catalog.check_database_case(names::split(to).0)?;
        self.catalog.rename_collection(from, to);
        if let Some(moved) = self.catalog.collection_mut(to) {
            moved.uuid = uuid.unwrap_or(moved.uuid);
            let (from, to) = (Rc::from(from), &moved.namespace);
            self.changes.renamed(&from, to, dropped.is_some());
            if let Some(mut log) = self.changes.log() {
                log.renamed(&from, moved, dropped.as_deref());
            }
        }
        Ok(dropped)
    }
    /// Makes a namespace as it was in a past catalog; false where it is that already.
    ///
    /// # Errors
    /// 13297 `DatabaseDifferCase`; storage errors: roll back.
    pub fn restore(
        &mut self,
        namespace: &str,
        past: &Catalog,
        env: &dyn Env,
    ) -> Result<bool, CommandError> {
        self.check_free(namespace)?;
        let before = self.catalog.named(namespace).cloned();
        if self.changes.reads_documents() {
            let states = CollectionDifference {
                old: before.as_ref(),
                new: past.named(namespace),
                pages: self.pager,
            };
            note_restored(self.changes, &states, env)?;
        }
        if !self
            .catalog
            .restore_collection(self.pager, namespace, past, env)?
        {
            return Ok(false);
        }
        let after = self.catalog.named(namespace).or(before.as_ref());
        if let Some(one) = after {
            self.changes.count(&one.namespace, Kind::Restored, 1);
        }
        Ok(true)
    }

    /// Makes a TTL pass if one is due, and says how many documents it deleted.
    ///
    /// # Errors
    /// Storage errors and those of the checkpoint: roll back.
    pub fn delete_expired(&mut self, now_millis: i64, env: &dyn Env) -> Result<u64, CommandError> {
        let (mut deleted, mut is_complete) = (0, true);
        for namespace in ttl::expiring(self.catalog) {
            let Some(collection) = self.catalog.collection(&namespace) else {
                continue;
            };
            let mut expired = match ttl::expired_records(collection, self.pager, now_millis, env) {
                // The others' documents expire all the same.
                Err(error) if error.code == Code::DataCorruptionDetected as i32 => continue,
                expired => expired?,
            };
            if expired.is_empty() {
                continue;
            }
            is_complete &= expired.len() < ttl::DELETES_PER_INDEX;
            // Those that a transaction has written wait for the next pass.
            if let Some(guard) = &self.guard {
                guard.free_of(collection, &mut expired);
            }
            if let Some(mut collection) = self.collection(&namespace) {
                deleted += collection.delete_as(Kind::Expired, &expired, env)?;
            }
        }
        self.catalog.note_ttl_pass(deleted, is_complete, now_millis);
        Ok(deleted)
    }

    /// Copies the readable documents of a damaged page space into this one.
    ///
    /// # Errors
    /// Errors of writing, and errors of `Env::checkpoint`.
    pub fn salvage(
        &mut self,
        old: &Pager,
        has_header: bool,
        compiler: &dyn FilterCompiler,
        env: &dyn Env,
    ) -> Result<Salvaged, CommandError> {
        let (catalog, changes) = (&mut *self.catalog, &mut *self.changes);
        salvage::salvage(old, has_header, self.pager, compiler, env, &mut |copy| {
            // Copies of documents that nobody ever asked for: they are counted.
            changes.created(&copy);
            changes.count(&copy.namespace, Kind::Inserted, copy.count());
            catalog.put_collection(copy);
        })
    }

    /// Appends an entry to the oplog, which then drops its oldest ones. No note is made: the entry is one itself.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub(in crate::state) fn append_entry(
        &mut self,
        namespace: &str,
        id: RecordId,
        entry: Document<'_>,
    ) -> Result<(), CommandError> {
        let Some(oplog) = self.catalog.collection_mut(namespace) else {
            return Ok(());
        };
        oplog.append_record(self.pager, id, entry)?;
        while let Some(oldest) = oplog.oldest_beyond_limits(self.pager, id)? {
            oplog.delete_record(self.pager, oldest, &mut WriteScratch::default())?;
        }
        Ok(())
    }

    /// Writes the rows of namespaces that the command changed into the catalog's tree: see the catalog's.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn write_changed_rows(&mut self) -> Result<(), StorageError> {
        self.catalog.write_changed_rows(self.pager)
    }
}
