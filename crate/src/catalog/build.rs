//! Adding and removing indexes; building one over the documents that are there.
//!
//! A build collects all keys, sorts them and appends them in order, so that pages fill up.

use super::collection::{Collection, Index};
use super::duplicate_key::duplicate_key_error;
use super::index::IndexDefinition;
use super::index::KeySet;
use super::index::specification::MAX_INDEXES;
use crate::bson::Document;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::storage::accounting::bump;
use crate::storage::{EntryBuffer, Pager};
use std::rc::Rc;

/// Bytes of a RecordId at the end of an index key.
const RECORD_ID: usize = 8;
/// How many keys go into the tree between two questions whether to go on.
const INSERTED_AT_ONCE: usize = 4096;

impl Collection {
    /// Builds an index over the documents there are and adds it. Conflicts were checked before
    /// (`check_new_index`).
    ///
    /// # Errors
    /// 11000 `DuplicateKey`, 171 `CannotIndexParallelArrays`, 201 `CannotBuildIndexKeys`, and errors of
    /// `Env::checkpoint`. After those and storage errors: roll back.
    pub fn build_index(
        &mut self,
        pager: &mut Pager,
        definition: IndexDefinition,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let mut index = Index::new(Rc::new(definition));
        index.tree.plant(pager)?;
        if !self.records.is_empty() {
            self.fill_index(pager, &mut index, env)?;
        }
        self.indexes.push(index);
        Ok(())
    }

    /// Whether an index like this one exists already.
    ///
    /// # Errors
    /// 85, 86, and 67 when there are 64 indexes already.
    pub fn check_new_index(&self, definition: &IndexDefinition) -> Result<bool, CommandError> {
        let by_name = |index: &&Index| index.definition.name == definition.name;
        let others = self
            .indexes
            .iter()
            .filter(|index| index.definition.name != definition.name);
        for index in self.indexes.iter().filter(by_name).chain(others) {
            if definition.conflict_with(&index.definition)? {
                return Ok(true);
            }
        }
        if self.indexes.len() >= MAX_INDEXES {
            return Err(CommandError::new(
                Code::CannotCreateIndex,
                format!(
                    "add index fails, too many indexes for {} key:{}",
                    self.namespace,
                    definition.key.as_document()
                ),
            ));
        }
        let is_alone = |index: &&Index| index.definition.kind.rules().is_the_only_one();
        if definition.kind.rules().is_the_only_one()
            && let Some(index) = self.indexes.iter().find(is_alone)
        {
            return Err(CommandError::new(
                Code::CannotCreateIndex,
                format!(
                    "only one text index per collection allowed, found existing text index \"{}\"",
                    index.name()
                ),
            ));
        }
        Ok(false)
    }

    #[inline(never)]
    pub(super) fn fill_index(
        &self,
        pager: &mut Pager,
        index: &mut Index,
        env: &dyn Env,
    ) -> Result<(), CommandError> {
        let mut buffer = EntryBuffer::default();
        let mut keys = KeySet::default();
        keys.foresee(&index.definition);
        self.label_all_strings(pager, index, env)?;
        let mut cursor = self.records.cursor();
        let mut on_entry = cursor.first(pager)?;
        while on_entry {
            env.checkpoint()?;
            let document = cursor.value_ref(pager)?;
            index.generate(pager, Document::from_valid_bytes(&document), &mut keys)?;
            for (key, bits) in keys.iter() {
                buffer.push(key, cursor.key(), bits);
            }
            index.note_multikey(&keys);
            on_entry = cursor.next(pager)?;
        }
        let mut stopped = Ok(());
        bump(&pager.accounting().documents_examined, self.count());
        let mut sorted = buffer.sorted_while(&mut || {
            stopped = env.checkpoint();
            stopped.is_ok()
        });
        stopped?;
        let value_of = |key: &[u8]| key.len().saturating_sub(RECORD_ID);
        let mut before: Option<Vec<u8>> = None;
        while let entries @ [.., last] = sorted.take(INSERTED_AT_ONCE) {
            env.checkpoint()?;
            if index.definition.unique {
                let mut earlier = before.as_deref();
                for entry in entries {
                    let value = &entry.key()[..value_of(entry.key())];
                    if earlier.replace(value) == Some(value) {
                        let bits = entry.value();
                        return Err(duplicate_key_error(&self.namespace, index, value, bits));
                    }
                }
                before = Some(last.key()[..value_of(last.key())].to_vec());
            }
            index.tree.insert_sorted(pager, entries, 0)?;
        }
        Ok(())
    }

    /// Removes an index and gives its pages back; false when there is none of that name.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn drop_index(&mut self, pager: &mut Pager, name: &str) -> Result<bool, CommandError> {
        let Some(position) = self.indexes.iter().position(|index| index.name() == name) else {
            return Ok(false);
        };
        let mut index = self.indexes.remove(position);
        index.tree.drop_tree(pager)?;
        index.labels.drop_tree(pager)?;
        Ok(true)
    }

    /// Replaces an index's definition by one that indexes the same keys (another expiry, hidden or not).
    pub fn redefine_index(&mut self, name: &str, change: &dyn Fn(&mut IndexDefinition)) {
        if let Some(index) = self.indexes.iter_mut().find(|index| index.name() == name) {
            let mut definition = (*index.definition).clone();
            definition.uses = Rc::default();
            change(&mut definition);
            index.definition = Rc::new(definition);
        }
    }
}
