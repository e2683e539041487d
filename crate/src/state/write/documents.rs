//! What is written to the documents of one collection.
//!
//! Nothing is read for the sake of `Changes` unless documents are asked for: a delete by a sweep reads none.

use crate::bson::Document;
use crate::catalog::{Collection, ModifiedPaths, RecordId, WriteScratch};
use crate::env::Env;
use crate::error::{CommandError, StorageError};
use crate::state::changes::{Changes, Kind};
use crate::state::claims::Guard;
use crate::storage::{Located, Pager};

/// One collection to be changed, held while its documents are written.
pub struct CollectionWriter<'w> {
    pub(super) pager: &'w mut Pager,
    pub(super) collection: &'w mut Collection,
    pub(super) changes: &'w mut Changes,
    /// Set while transactions are open.
    pub(super) guard: Option<Guard<'w>>,
    /// The collection is a replacement that is being filled.
    pub(super) is_apart: bool,
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

    pub(super) fn delete_as(
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
}
