//! The one door to write: every change of a collection, of the catalog, or of an index.
//!
//! A `Writer` stands over the pages and the catalog that a command may change, and over its `Changes`. Invariants: no
//! other code calls the collections' writers (`tests/tidy/one_door.rs`), so that nothing is changed without being
//! noted; a refused document is not noted; what an error undoes is forgotten with the command's `Changes`.
//!
//! Nothing is read for the sake of `Changes` unless documents are asked for: a delete by a sweep reads none.

use super::changes::{Changes, Kind, Operation};
use super::claims::Guard;
use super::copying::copy_newest;
use super::differences::CollectionDifference;
use super::replacement::Replacement;
use super::restored::note_restored;
use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::Document;
use crate::catalog::repair::{Orphans, Repair};
use crate::catalog::salvage::{self, Salvaged};
use crate::catalog::views::VIEWS_COLLECTION;
use crate::catalog::{
    CappedLimits, Catalog, Collection, CollectionOptions, FilterCompiler, IndexDefinition,
    ModifiedPaths, RecordId, WriteScratch, names, ttl,
};
use crate::env::Env;
use crate::error::{Code, CommandError, StorageError};
use crate::storage::{Located, Pager};
use std::rc::Rc;

/// Pages and catalog to be changed, and where the changes are noted.
pub struct Writer<'w> {
    pager: &'w mut Pager,
    catalog: &'w mut Catalog,
    changes: &'w mut Changes,
    /// Set while transactions are open.
    guard: Option<Guard<'w>>,
}

/// One collection to be changed, held while its documents are written.
pub struct CollectionWriter<'w> {
    pager: &'w mut Pager,
    collection: &'w mut Collection,
    changes: &'w mut Changes,
    /// Set while transactions are open.
    guard: Option<Guard<'w>>,
    /// The collection is a replacement that is being filled.
    is_apart: bool,
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
    pub(super) fn guarded(mut self, guard: Option<Guard<'w>>) -> Self {
        self.guard = guard;
        self
    }

    /// Refuses to drop or define anew a collection that an open transaction has written in.
    fn check_free(&self, namespace: &str) -> Result<(), StorageError> {
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
    pub(super) fn append_entry(
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

impl CollectionWriter<'_> {
    /// The collection, to read.
    #[inline]
    pub fn collection(&self) -> &Collection {
        self.collection
    }

    /// The pages, to read.
    #[inline]
    pub fn pager(&self) -> &Pager {
        self.pager
    }

    /// Inserts a document. A capped collection then drops its oldest documents until it is within its limits.
    ///
    /// # Errors
    /// 11000 `DuplicateKey`, 171 `CannotIndexParallelArrays`, 2 for a document larger than a capped collection; nothing
    /// was changed then. Storage errors: roll back.
    pub fn insert(
        &mut self,
        document: Document<'_>,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        if let Some(guard) = &mut self.guard {
            guard.store(self.pager, self.collection, document, None)?;
        }
        let newest = self
            .collection
            .insert_document(self.pager, document, scratch)?;
        self.note_inserted(&[document]);
        if self.collection.options.kind.limits().is_some() {
            self.drop_oldest(newest, scratch)?;
        }
        Ok(())
    }

    /// Inserts documents at once; false, and nothing changed, when one of them may be refused or has to be inserted for
    /// itself.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn insert_many(&mut self, documents: &[Document<'_>]) -> Result<bool, StorageError> {
        if let Some(guard) = &mut self.guard {
            let (pager, collection) = (&*self.pager, &*self.collection);
            let mut all = documents.iter();
            let asked = all.try_for_each(|one| guard.store(pager, collection, *one, None));
            match asked {
                Err(error) if error.missing_page.is_some() => {
                    return Err(StorageError::stopped(error));
                }
                Err(_) => return Ok(false),
                Ok(()) => {}
            }
        }
        let done = self.collection.insert_documents(self.pager, documents)?;
        if done {
            self.note_inserted(documents);
        }
        Ok(done)
    }

    #[inline]
    fn note_inserted(&mut self, documents: &[Document<'_>]) {
        let namespace = &self.collection.namespace;
        match self.is_apart {
            false => self.changes.inserted(namespace, documents),
            true => self.changes.filled(namespace, documents),
        }
        if let Some(mut log) = self.changes.log() {
            log.inserted(self.collection, documents);
        }
    }

    #[inline(never)]
    fn drop_oldest(
        &mut self,
        newest: RecordId,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        while let Some(oldest) = self.collection.oldest_beyond_limits(self.pager, newest)? {
            self.delete_one(Kind::Overwritten, oldest, scratch)?;
        }
        Ok(())
    }

    /// Replaces a document, which is where its record was located. `modified` names the paths that differ, when they
    /// are known.
    ///
    /// # Errors
    /// 11000 `DuplicateKey`, 171 `CannotIndexParallelArrays`; nothing was changed then. Storage errors: roll back.
    #[inline]
    pub fn update(
        &mut self,
        record: (RecordId, Located),
        old: Document<'_>,
        new: Document<'_>,
        modified: Option<&ModifiedPaths>,
        scratch: &mut WriteScratch,
    ) -> Result<(), CommandError> {
        if let Some(guard) = &mut self.guard {
            guard.change(self.collection, record.0, old.as_bytes())?;
            guard.store(self.pager, self.collection, new, Some(old))?;
        }
        self.collection
            .update_document(self.pager, record, old, new, modified, scratch)?;
        self.changes
            .updated(&self.collection.namespace, old, new, modified);
        if let Some(mut log) = self.changes.log() {
            log.updated(self.collection, old, new, modified);
        }
        Ok(())
    }

    /// Deletes a document; false when there is none.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn delete(
        &mut self,
        id: RecordId,
        scratch: &mut WriteScratch,
    ) -> Result<bool, CommandError> {
        self.delete_one(Kind::Deleted, id, scratch)
    }

    fn delete_one(
        &mut self,
        kind: Kind,
        id: RecordId,
        scratch: &mut WriteScratch,
    ) -> Result<bool, CommandError> {
        if let Some(guard) = &mut self.guard {
            guard.remove(self.pager, self.collection, &[id])?;
        }
        if self.changes.reads_documents() {
            self.keep(id, (kind != Kind::Overwritten).then_some(0))?;
        }
        let is_deleted = self.collection.delete_record(self.pager, id, scratch)?;
        let count = u64::from(is_deleted);
        self.changes
            .deleted(&self.collection.namespace, kind, count);
        Ok(is_deleted)
    }

    /// Deletes the documents of these records, and says how many there were; a sweep of many reads none of them.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`: roll back.
    pub fn delete_many(&mut self, ids: &[RecordId], env: &dyn Env) -> Result<u64, CommandError> {
        self.delete_as(Kind::Deleted, ids, env)
    }

    fn delete_as(
        &mut self,
        kind: Kind,
        ids: &[RecordId],
        env: &dyn Env,
    ) -> Result<u64, CommandError> {
        if let Some(guard) = &mut self.guard {
            guard.remove(self.pager, self.collection, ids)?;
        }
        if self.changes.reads_documents() {
            for (place, id) in ids.iter().enumerate() {
                env.checkpoint()?;
                self.keep(*id, Some(place))?;
            }
        }
        let deleted = self.collection.delete_records(self.pager, ids, env)?;
        self.changes
            .deleted(&self.collection.namespace, kind, deleted);
        Ok(deleted)
    }

    /// Keeps a document that is about to be deleted.
    #[inline(never)]
    fn keep(&mut self, id: RecordId, place: Option<usize>) -> Result<(), StorageError> {
        if let Some(bytes) = self.collection.read(self.pager, id)? {
            let document = Document::from_valid_bytes(&bytes);
            self.changes.will_delete(self.collection, document, place);
        }
        Ok(())
    }

    /// Builds an index over the documents there are and adds it. Conflicts were checked before.
    ///
    /// # Errors
    /// 11000 `DuplicateKey`, 171 `CannotIndexParallelArrays`, 201 `CannotBuildIndexKeys`, and errors of
    /// `Env::checkpoint`. After those and storage errors: roll back.
    pub fn add_index(
        &mut self,
        definition: IndexDefinition,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let name = definition.name.clone();
        self.check_free()?;
        self.collection.build_index(self.pager, definition, env)?;
        let namespace = &self.collection.namespace;
        let built = Operation::Indexed(Rc::clone(namespace), name);
        self.changes.done(namespace, Kind::Indexed, built);
        if let Some(mut log) = self.changes.log()
            && let Some(index) = self.collection.indexes.last()
        {
            log.indexed(self.collection, &index.definition);
        }
        Ok(())
    }

    /// Removes an index; false when there is none of that name.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn remove_index(&mut self, name: &str) -> Result<bool, CommandError> {
        self.check_free()?;
        let definition = definition_of(self.collection, name);
        let is_dropped = self.collection.drop_index(self.pager, name)?;
        if let (Some(mut log), Some(definition), true) =
            (self.changes.log(), definition, is_dropped)
        {
            log.unindexed(self.collection, &definition);
        }
        if is_dropped {
            let namespace = &self.collection.namespace;
            let dropped = Operation::Unindexed(Rc::clone(namespace), name.into());
            self.changes.done(namespace, Kind::Unindexed, dropped);
        }
        Ok(is_dropped)
    }

    /// Replaces an index's definition by one that indexes the same keys (another expiry, hidden or not).
    ///
    /// # Errors
    /// 24 `LockTimeout` where an open transaction has written in the collection.
    pub fn change_index(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut IndexDefinition),
    ) -> Result<(), CommandError> {
        self.check_free()?;
        let before = definition_of(self.collection, name);
        self.collection.redefine_index(name, change);
        let namespace = Rc::clone(&self.collection.namespace);
        let changed = Operation::Changed(Rc::clone(&namespace));
        self.changes.done(&namespace, Kind::Changed, changed);
        if let (Some(mut log), Some(before)) = (self.changes.log(), before)
            && let Some(after) = definition_of(self.collection, name)
        {
            log.changed_index(self.collection, &before, &after);
        }
        Ok(())
    }

    /// Gives the collection other options; the same ones are no change.
    ///
    /// # Errors
    /// As `change_index`.
    pub fn set_options(&mut self, options: CollectionOptions) -> Result<(), CommandError> {
        if *self.collection.options != options {
            self.check_free()?;
            let before = self.collection.clone();
            self.collection.options = Rc::new(options);
            self.changes.modified(self.collection, &before);
        }
        Ok(())
    }

    /// Refuses to define a collection anew that an open transaction has written in.
    fn check_free(&self) -> Result<(), StorageError> {
        match &self.guard {
            None => Ok(()),
            Some(guard) => guard.redefine(&self.collection.namespace),
        }
    }

    /// Builds all indexes anew; documents stay as they are.
    ///
    /// # Errors
    /// Storage errors and errors of `Env::checkpoint`: roll back.
    pub fn rebuild_indexes(&mut self, env: &dyn Env) -> Result<(), CommandError> {
        self.collection.rebuild_indexes(self.pager, env)
    }

    /// Mends the faults of a damaged collection: see the collection's.
    ///
    /// # Errors
    /// Pages that are not resident; 11000 when documents that were adopted clash; errors of writing. Roll back.
    pub fn mend(&mut self, orphans: Orphans<'_>, env: &dyn Env) -> Result<Repair, CommandError> {
        self.check_free()?;
        let repair = self.collection.repair(self.pager, orphans, env)?;
        let namespace = &self.collection.namespace;
        // Documents that are lost are not there to be told; those that were found again count.
        self.changes
            .count(namespace, Kind::Deleted, repair.removed_records);
        self.changes
            .count(namespace, Kind::Inserted, repair.recovered);
        Ok(repair)
    }
}

fn definition_of(collection: &Collection, name: &str) -> Option<Rc<IndexDefinition>> {
    let found = collection.indexes.iter().find(|index| index.name() == name);
    found.map(|index| Rc::clone(&index.definition))
}
