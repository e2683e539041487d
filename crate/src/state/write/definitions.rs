//! What is written to the definition of one collection, its indexes and options, and to its trees as a whole.

use super::documents::CollectionWriter;
use crate::catalog::repair::{Orphans, Repair};
use crate::catalog::{Collection, CollectionOptions, IndexDefinition};
use crate::env::Env;
use crate::error::{CommandError, StorageError};
use crate::state::changes::{Kind, Operation};
use std::rc::Rc;

impl CollectionWriter<'_> {
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
        change: &dyn Fn(&mut IndexDefinition),
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
